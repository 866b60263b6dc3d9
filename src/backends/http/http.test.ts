// Against a real server on this machine: what it offers, and each way in which it fails.

import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createVfs } from '../../vfs/create-vfs.ts'
import { overlay } from '../../vfs/overlay.ts'
import { memory } from '../memory/index.ts'
import { http, type HttpFetch, type HttpManifest, manifestOf } from './index.ts'

type Answer = (response: ServerResponse, request: IncomingMessage) => void

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

interface Served {
  readonly address: string
  /** The paths that were asked for, in order. */
  readonly asked: string[]
}

/** Answers by path, each time with the next of the list, and then with the last again. */
async function serve(answers: Readonly<Record<string, string | Uint8Array | readonly Answer[]>>): Promise<Served> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const count = asked.filter(other => other === path).length
    const answer = answers[path]
    if (answer === undefined) response.writeHead(404).end('missing')
    else if (typeof answer === 'string' || answer instanceof Uint8Array) response.end(answer)
    else answer[Math.min(count, answer.length) - 1]?.(response, request)
  })
  servers.push(server)
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve)
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a listening TCP server has one
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const entry = (content: string | Uint8Array, more: object = {}): HttpManifest['files'][string] => ({
  sizeBytes: Buffer.from(content).length,
  sha256: createHash('sha256').update(content).digest('hex'),
  ...more,
})

const text = (body: string): Answer[] => [response => response.end(body)]

async function open(files: HttpManifest['files'], answers: Parameters<typeof serve>[0], options: { stallMs?: number } = {}) {
  const served = await serve({ '/p/manifest.json': JSON.stringify({ version: 1, files }), ...answers })
  return { ...served, fs: createVfs(http({ manifest: `${served.address}/p/manifest.json`, ...options })) }
}

describe('files over HTTP', () => {
  it('lists, stats and follows from the manifest alone, and loads a content once', async () => {
    const { fs, asked } = await open(
      { 'src/a b#?%.ts': entry('héllo\n', { mode: 0o755, mtimeMs: 5000 }), link: { symlink: 'src/a b#?%.ts' }, 'empty/': null },
      { '/p/src/a%20b%23%3F%25.ts': 'héllo\n' },
    )
    expect((await fs.readdir('/')).map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'empty directory',
      'link symlink',
      'src directory',
    ])
    expect(await fs.stat('/link')).toMatchObject({ sizeBytes: 7, mode: 0o755, mtimeMs: 5000, kind: 'file' })
    expect(asked).toEqual(['/p/manifest.json'])
    expect(await Promise.all([fs.readText('/link'), fs.readText('/src/a b#?%.ts')])).toEqual(['héllo\n', 'héllo\n'])
    expect(Buffer.from(await fs.readFile('/link', { start: 1, end: 3 })).toString()).toBe('é')
    expect(asked).toEqual(['/p/manifest.json', '/p/src/a%20b%23%3F%25.ts'])
    expect(await fs.usage()).toMatchObject({ bytes: 7 })
  })

  it('is edited through an overlay, and says EROFS by itself', async () => {
    const { fs, address } = await open({ a: entry('old') }, { '/p/a': 'old' })
    await expect(fs.writeFile('/a', 'new')).rejects.toMatchObject({ code: 'EROFS' })
    await expect(fs.rename('/a', '/b')).rejects.toMatchObject({ code: 'EROFS' })
    const over = createVfs(overlay(http({ manifest: `${address}/p/manifest.json` })))
    await over.writeFile('/a', `${await over.readText('/a')} and new`)
    expect(await over.readText('/a')).toBe('old and new')
  })

  it('makes a manifest that gives the same files again', async () => {
    const bytes = new Uint8Array([0, 255, 13, 10])
    const source = createVfs(memory({ '/w/src/x.bin': bytes, '/w/none': '', '/w/deep/er/': null }))
    await source.symlink('../none', '/w/src/link')
    const manifest = await manifestOf(source, '/w')
    expect(Object.keys(manifest.files).sort()).toEqual(['deep/er/', 'none', 'src/link', 'src/x.bin'])
    const { address } = await serve({ '/src/x.bin': bytes, '/none': '' })
    const fs = createVfs(http({ manifest, base: address }))
    expect(await fs.readFile('/src/x.bin')).toEqual(bytes)
    expect(await fs.readText('/src/link')).toBe('')
    expect((await fs.stat('/deep/er')).kind).toBe('directory')
  })

  const content = 'right'
  const late: Answer = response => void setTimeout(() => response.end(content), 50)
  const failing =
    (status: number): Answer =>
    response =>
      void response.writeHead(status).end()
  const cut: Answer = response => {
    response.writeHead(200, { 'content-length': 5 })
    response.write('ri')
    response.destroy()
  }
  const endless: Answer = response => {
    const timer = setInterval(() => response.write('x'.repeat(1000)), 1)
    response.on('close', () => clearInterval(timer))
  }
  const silent: Answer = response => void response.write('r')

  it.each<[what: string, answers: readonly Answer[], outcome: RegExp | undefined, requests: number]>([
    ['slow', [late], undefined, 1],
    ['failing twice', [failing(503), failing(500), ...text(content)], undefined, 3],
    ['cut once', [cut, ...text(content)], undefined, 2],
    ['failing for good', [failing(503)], /EIO.*answered 503/, 3],
    ['missing', [failing(404)], /EIO.*answered 404; check that the server offers the file/, 1],
    ['wrong bytes', text('wrong'), /EIO.*differs from the manifest; make the manifest again/, 1],
    ['too short', text('r'), /EIO.*has 1 bytes, and the manifest says 5/, 1],
    ['endless', [endless], /EIO.*longer than the manifest says/, 1],
    ['silent', [silent], /EIO.*no byte came for 1000 ms/, 3],
  ])('a server that is %s', async (what, answers, outcome, requests) => {
    const { fs, asked } = await open({ a: entry(content) }, { '/p/a': answers }, what === 'silent' ? { stallMs: 1000 } : {})
    if (outcome === undefined) expect(await fs.readText('/a')).toBe(content)
    else await expect(fs.readText('/a')).rejects.toThrow(outcome)
    expect(asked.filter(path => path === '/p/a').length).toBe(requests)
  })

  it('goes on with what was read when the server is gone, and tells what was not', async () => {
    const { fs } = await open({ a: entry('one'), b: entry('two') }, { '/p/a': 'one', '/p/b': 'two' })
    expect(await fs.readText('/a')).toBe('one')
    for (const server of servers) {
      server.close()
      server.closeAllConnections()
    }
    expect(await fs.readText('/a')).toBe('one')
    await expect(fs.readText('/b')).rejects.toThrow(/EIO.*could not be loaded.*check the connection and read the file again/)
  })

  it('waits for a slow manifest as long as bytes come, and for a silent one no longer than its limit', async () => {
    const manifest = JSON.stringify({ version: 1, files: { a: entry('one') } })
    const { address } = await serve({ '/silent.json': [silent], '/a': 'one' })
    // Ten characters come whenever they are asked for, each time almost as late as the limit allows.
    let sent = 0
    const slow = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          vi.advanceTimersByTime(600)
          controller.enqueue(new TextEncoder().encode(manifest.slice(sent, sent + 10)))
          sent += 10
          if (sent >= manifest.length) controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const answer: HttpFetch = url => Promise.resolve(new Response(url.endsWith('slow.json') ? slow : 'one'))
      const files = createVfs(http({ manifest: `${address}/slow.json`, stallMs: 700, fetch: answer }))
      expect(await files.readText('/a')).toBe('one')
    } finally {
      vi.useRealTimers()
    }
    await expect(createVfs(http({ manifest: `${address}/silent.json`, stallMs: 50 })).readText('/a')).rejects.toThrow(
      /EIO.*silent.json could not be loaded: no byte came for 50 ms; check the address and try again/,
    )
  })

  it('asks for the manifest again after it failed', async () => {
    const manifest = JSON.stringify({ version: 1, files: { a: entry('one') } })
    const { address } = await serve({ '/m.json': [failing(500), ...text(manifest)], '/a': 'one' })
    const fs = createVfs(http({ manifest: `${address}/m.json` }))
    await expect(fs.stat('/a')).rejects.toThrow(/EIO.*the server answered 500; check the address and try again/)
    expect(await fs.readText('/a')).toBe('one')
  })

  it.each<[what: string, manifest: unknown, fault: RegExp]>([
    ['no files', { version: 1 }, /It has no "files"/],
    ['another version', { version: 2, files: {} }, /Its version is 2/],
    ['no size', { version: 1, files: { a: { sha256: 'x' } } }, /"sizeBytes" of "a"/],
    ['no hash', { version: 1, files: { a: { sizeBytes: 1, sha256: 'x' } } }, /"sha256" of "a"/],
    ['a directory with content', { version: 1, files: { 'a/': {} } }, /"a\/" must be null/],
    ['not JSON', undefined, /could not be loaded/],
    ['a path that leaves the root', { version: 1, files: { '../a': { symlink: 'x' } } }, /leaves the root/],
    ['a file within a file', { version: 1, files: { a: entry('x'), 'a/b': entry('y') } }, /ENOTDIR/],
  ])('a manifest with %s is refused by name', async (_what, manifest, fault) => {
    const { address } = await serve({ '/m.json': manifest === undefined ? '<html>' : JSON.stringify(manifest) })
    await expect(createVfs(http({ manifest: `${address}/m.json` })).readdir('/')).rejects.toThrow(fault)
  })

  it('a relative address needs a page', () => {
    expect(() => http({ manifest: 'manifest.json' })).toThrow(
      'The option "manifest" of http is "manifest.json", which is not an absolute address',
    )
  })
})
