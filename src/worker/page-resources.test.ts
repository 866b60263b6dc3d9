// A page's router and fetch while the tools run in the worker.

import { describe, expect, it, vi } from 'vitest'

import { memory } from '../backends/memory/index.ts'
import { deferred } from '../core/deferred.ts'
import type { Toolset } from '../core/tool.ts'
import type { FetchedResponse, HostFetch } from '../resources/host.ts'
import { type ClientWorkspaceOptions } from './client.ts'
import { openAcross } from '../testing/workspace-places.ts'

async function open(options: ClientWorkspaceOptions): Promise<Toolset> {
  const fs = memory({ f: 'in a file\n' })
  const workspace = await openAcross({ fs, shell: 'none', ...options })
  return await workspace.toolset('atomic')
}

const textOf = async (tools: Toolset, name: string, args: object): Promise<string> => {
  const { content } = await tools.call(name, args)
  return content.map(part => (part.type === 'text' ? part.text : part.type)).join('')
}

describe('a router', () => {
  const notes = new Map<string, string>()
  const router: ClientWorkspaceOptions['router'] = {
    read: url => {
      if (url === 'memory://broken') throw new Error('the notes are locked')
      if (url === 'memory://odd') return (() => 1) as never
      return notes.get(url) ?? (url === 'memory://bytes' ? new TextEncoder().encode('as bytes\n') : undefined)
    },
    write: (url, content) => {
      if (!url.startsWith('memory://')) return false
      notes.set(url, content)
      return true
    },
    resolve: url => (url === 'agent://1' ? 'f' : undefined),
    list: url => (url === 'memory://' ? [...notes.keys()] : undefined),
  }

  it('reads, writes, resolves and lists on the page', async () => {
    const tools = await open({ router })
    expect(await textOf(tools, 'write', { path: 'memory://note', content: 'kept by the page\n' })).toContain('memory://note')
    expect(notes.get('memory://note')).toBe('kept by the page\n')
    expect(await textOf(tools, 'read', { path: 'memory://note' })).toContain('kept by the page')
    expect(await textOf(tools, 'read', { path: 'memory://bytes' })).toContain('as bytes')
    expect(await textOf(tools, 'read', { path: 'agent://1' })).toContain('in a file')
    expect(await textOf(tools, 'find', { paths: ['memory://'] })).toContain('note')
    expect(await textOf(tools, 'search', { pattern: 'kept', paths: ['memory://'] })).toContain(
      'memory://note:1: kept by the page',
    )
  })

  it.each([
    ['memory://broken', 'the notes are locked'],
    ['memory://odd', 'the answer cannot be sent'],
    ['memory://none', 'memory://none'],
  ])('%s fails with a reason', async (path, reason) => {
    const tools = await open({ router })
    const result = await tools.call('read', { path })
    expect([result.isError, JSON.stringify(result.content)]).toEqual([true, expect.stringContaining(reason)])
  })

  it('has only the methods that the page has', async () => {
    const tools = await open({ router: { read: url => (url === 'memory://a' ? 'text' : undefined) } })
    expect(await textOf(tools, 'read', { path: 'memory://a' })).toContain('text')
    expect(await tools.call('write', { path: 'memory://a', content: 'b' })).toMatchObject({ isError: true })
  })
})

describe('a fetch', () => {
  const page = (body: string, init: ResponseInit = {}): FetchedResponse =>
    new Response(body, { headers: { 'content-type': 'text/plain' }, ...init })

  it('is called on the page with a signal, and its text is read', async () => {
    const fetch = vi.fn<HostFetch>(async () => page('from the proxy\n'))
    const tools = await open({ fetch })
    expect(await textOf(tools, 'read', { path: 'https://example.com/a.txt' })).toContain('from the proxy')
    expect(fetch.mock.calls[0]).toMatchObject([
      'https://example.com/a.txt',
      { method: 'GET', redirect: 'manual', signal: expect.any(AbortSignal) },
    ])
  })

  it('follows no redirect to a private address', async () => {
    const headers = { location: 'http://127.0.0.1/secret' }
    const fetch = vi.fn<HostFetch>(async () => page('', { status: 302, headers }))
    const tools = await open({ fetch })
    const result = await tools.call('read', { path: 'https://example.com/' })
    expect([result.isError, fetch.mock.calls.length]).toEqual([true, 1])
  })

  it('obeys urls, and policy.level none', async () => {
    const fetch = vi.fn<HostFetch>(async () => page('x'))
    const denied = await open({ fetch, urls: { deny: ['example.com'] } })
    expect(await denied.call('read', { path: 'https://example.com/' })).toMatchObject({ isError: true })
    const off = await open({ fetch, policy: { level: 'none' } })
    expect(await off.call('read', { path: 'https://example.com/' })).toMatchObject({ isError: true })
    expect(fetch.mock.calls.length).toBe(0)
  })

  it('is aborted with the call', async () => {
    const controller = new AbortController()
    const aborted = deferred<unknown>()
    const fetch = vi.fn<HostFetch>(
      (_url, { signal }) =>
        new Promise<FetchedResponse>(() => {
          signal.addEventListener('abort', () => aborted.resolve(signal.reason))
          controller.abort(new Error('enough'))
        }),
    )
    const tools = await open({ fetch })
    await expect(tools.call('read', { path: 'https://example.com/' }, { signal: controller.signal })).rejects.toThrow('enough')
    expect(await aborted.promise).toMatchObject({ code: 'question-withdrawn' })
  })
})

it.each<[name: string, options: object]>([
  ['router', { router: 'read' }],
  ['fetch', { fetch: 'https://proxy' }],
  ['urls', { urls: { allow: 'example.com' } }],
])('a wrong %s is refused', async (name, options) => {
  await expect(open(options as ClientWorkspaceOptions)).rejects.toThrow(name)
})
