// A conversation whose page is reloaded in a real browser, without a word of goodbye: with its state it goes on, outputs and all.
// The worker's files are served as they are in the package.

import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, type Page } from '@playwright/test'
import { build } from 'esbuild'
import type { Conversation } from './reload-page.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

let server: Server
let origin = ''

test.beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: { page: here('reload-page.ts') },
    alias: {
      'anchorage/client': here('../dist/worker/client.js'),
      'anchorage/fs/opfs': here('../dist/backends/opfs/index.js'),
    },
    bundle: true,
    splitting: true,
    format: 'esm',
    outdir: '/',
    write: false,
  })
  const workerFiles = here('../dist/worker-files/')
  const scripts = new Map<string, string>([
    ...readdirSync(workerFiles)
      .filter(name => name.endsWith('.js'))
      .map(name => [`/${name}`, readFileSync(workerFiles + name, 'utf8')] as const),
    ...outputFiles.map(({ path, text }) => [`/${basename(path)}`, text] as const),
  ])
  server = createServer((request, response) => {
    const script = scripts.get(request.url ?? '')
    const isPage = request.url === '/'
    response.statusCode = isPage || script !== undefined ? 200 : 404
    response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript')
    response.end(script ?? (isPage ? '<!doctype html><title>talk</title><script type="module" src="/page.js"></script>' : ''))
  })
  await new Promise<void>(resolve => server.listen(0, resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  origin = `http://localhost:${address.port}`
})

test.afterAll(async () => {
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
})

type Verb = keyof Conversation

/** Runs one verb of the page. */
async function say<V extends Verb>(
  page: Page,
  verb: V,
  ...args: Parameters<Conversation[V]>
): Promise<Awaited<ReturnType<Conversation[V]>>> {
  await page.waitForFunction(() => 'conversation' in globalThis)
  const answer = await page.evaluate(
    ([name, given]) => {
      const { conversation } = globalThis as unknown as { conversation: Record<string, (...all: unknown[]) => Promise<unknown>> }
      return conversation[name]?.(...given)
    },
    [verb, args] as [string, unknown[]],
  )
  return answer as Awaited<ReturnType<Conversation[V]>>
}

const file = '/workspace/f'

test('reads a kept output by its number, and merges an edit that was meant for the text of before', async ({ page }) => {
  await page.goto(origin)
  await say(page, 'open', 'atomic', 'auto')
  await say(page, 'write', file, 'one\ntwo\nthree\n')
  const tag = /#([0-9A-F]{4})\]/.exec(await say(page, 'call', 'read', { path: 'f' }))?.[1]
  expect(await say(page, 'call', 'bash', { command: 'seq 1 20000' })).toContain('artifact://1')
  await say(page, 'keep')
  await say(page, 'write', file, 'one\ntwo\nthree\nfour, by a person\n')

  await page.reload()
  await say(page, 'open', 'atomic', 'auto')
  expect(await say(page, 'call', 'read', { path: 'artifact://1:12345-12346:raw' })).toBe('12345\n12346\n')
  expect(await say(page, 'call', 'edit', { input: `[f#${tag}]\nreplace 1..1:\n+ONE` })).toContain('ONE')
  expect(await say(page, 'read', file)).toBe('ONE\ntwo\nthree\nfour, by a person\n')
  expect(await say(page, 'call', 'bash', { command: 'seq 1 30000' })).toContain('artifact://2')
  await say(page, 'keep')

  await page.reload()
  await say(page, 'open', 'atomic', 'auto')
  expect(await say(page, 'call', 'read', { path: 'artifact://1:7-7:raw' })).toBe('7\n')
  expect(await say(page, 'call', 'search', { paths: 'artifact://2', pattern: '^29999$' })).toContain('29999')
  expect(await say(page, 'databases')).toHaveLength(1)
  await say(page, 'forget')
  expect(await say(page, 'databases')).toEqual([])

  await page.reload()
  await say(page, 'open', 'atomic', 'auto')
  expect(await say(page, 'call', 'read', { path: 'artifact://1' })).toContain(
    'artifact://1 cannot be read any more. The outputs of this conversation were removed.',
  )
})

test('says that an output in memory went with the page', async ({ page }) => {
  await page.goto(origin)
  await say(page, 'open', 'atomic', 'memory')
  expect(await say(page, 'call', 'bash', { command: 'seq 1 20000' })).toContain('artifact://1')
  await say(page, 'keep')
  await page.reload()
  await say(page, 'open', 'atomic', 'memory')
  expect(await say(page, 'call', 'read', { path: 'artifact://1' })).toContain(
    'It was kept in memory, and was lost with that page',
  )
})

test('has the scratchpad again', async ({ page }) => {
  await page.goto(origin)
  await say(page, 'open', 'agsh', 'auto')
  await say(page, 'call', 'scratchpad_write', { name: 'plan', content: 'first this, then that' })
  await say(page, 'keep')
  await page.reload()
  await say(page, 'open', 'agsh', 'auto')
  expect(await say(page, 'call', 'scratchpad_read', { name: 'plan' })).toBe('first this, then that')
})
