// With the browser's fetch, cache and hashes. Contents are blobs: an address that is revoked stands for a server that has gone. The cache
// takes no blobs, so its test reads a file of the tests' server. The test in Node has each way in which a server fails.

import { afterEach, expect, it } from 'vitest'
import { createVfs } from '../../vfs/create-vfs.ts'
import { overlay } from '../../vfs/overlay.ts'
import { http, type HttpFile, type HttpManifest } from './index.ts'
import { sha256Of } from './sha256.ts'

const cacheName = 'http-browser-test'
const published: string[] = []
afterEach(async () => {
  takeDown()
  await caches.delete(cacheName)
})

/** The address of `content` until {@link takeDown}. */
function publish(content: string): string {
  const url = URL.createObjectURL(new Blob([content]))
  published.push(url)
  return url
}

function takeDown(): void {
  for (const url of published.splice(0)) URL.revokeObjectURL(url)
}

async function entry(content: string, url = publish(content)): Promise<HttpFile> {
  const bytes = new TextEncoder().encode(content)
  return { sizeBytes: bytes.length, sha256: await sha256Of(bytes), url }
}

/** The manifest comes over `fetch` too. */
function open(files: HttpManifest['files'], options: { cache?: string | false; stallMs?: number } = {}) {
  const manifest = publish(JSON.stringify({ version: 1, files }))
  return createVfs(http({ manifest, base: location.href, cache: false, ...options }))
}

it('lists and stats from the manifest, and reads contents', async () => {
  const fs = open({ 'src/é.ts': await entry('héllo\r\n'), none: await entry(''), link: { symlink: 'src/é.ts' }, 'empty/': null })
  expect((await fs.readdir('/')).map(({ name, kind }) => `${name} ${kind}`)).toEqual([
    'empty directory',
    'link symlink',
    'none file',
    'src directory',
  ])
  expect(await fs.stat('/link')).toMatchObject({ sizeBytes: 8, kind: 'file' })
  expect(await fs.readText('/link')).toBe('héllo\r\n')
  expect(await fs.readText('/none')).toBe('')
  await expect(fs.readText('/nothing')).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(fs.writeFile('/none', 'x')).rejects.toMatchObject({ code: 'EROFS' })
})

it('is edited through an overlay', async () => {
  const manifest: HttpManifest = { version: 1, files: { a: await entry('old') } }
  const fs = createVfs(overlay(http({ manifest, base: location.href, cache: false })))
  await fs.writeFile('/a', `${await fs.readText('/a')} and new`)
  expect(await fs.readText('/a')).toBe('old and new')
})

it.each<[what: string, served: string, fault: RegExp]>([
  ['other bytes', 'wrong', /EIO.*differs from the manifest; make the manifest again/],
  ['fewer bytes', 'r', /EIO.*has 1 bytes, and the manifest says 5/],
  ['more bytes', 'right and more', /EIO.*longer than the manifest says/],
])('refuses a content with %s', async (_what, served, fault) => {
  const fs = open({ a: await entry('right', publish(served)) })
  await expect(fs.readText('/a')).rejects.toThrow(fault)
  await expect(fs.readText('/a')).rejects.toThrow(fault)
})

it('keeps what it read in the browser, and nothing that is wrong', async () => {
  const url = new URL('/LICENSE', location.href).href
  const license = await (await fetch(url)).text()
  const files = { LICENSE: await entry(license, url), wrong: await entry('x'.repeat(10), `${url}?wrong`) }
  const fs = open(files, { cache: cacheName })
  expect(await fs.readText('/LICENSE')).toBe(license)
  await expect(fs.readText('/wrong')).rejects.toThrow(/EIO/)
  const kept = await (await caches.open(cacheName)).keys()
  expect(kept.map(request => request.url)).toEqual([url])
  // Another visit, without a network.
  const fetchOffline = (): Promise<Response> => Promise.reject(new TypeError('offline'))
  const later = createVfs(http({ manifest: { version: 1, files }, base: location.href, cache: cacheName, fetch: fetchOffline }))
  expect(await later.readText('/LICENSE')).toBe(license)
})

it('goes on with what was read when the server has gone, and ends what hangs', async () => {
  const aborted: string[] = []
  const hanging = createVfs(
    http({
      manifest: { version: 1, files: { c: await entry('three') } },
      base: location.href,
      cache: false,
      stallMs: 20,
      fetch: (url, { signal }) => {
        signal.addEventListener('abort', () => aborted.push(url))
        const body = new ReadableStream({
          start: controller => signal.addEventListener('abort', () => controller.error(signal.reason)),
        })
        return Promise.resolve(new Response(body))
      },
    }),
  )
  const fs = open({ a: await entry('one'), b: await entry('two') })
  expect(await fs.readText('/a')).toBe('one')
  takeDown()
  expect(await fs.readText('/a')).toBe('one')
  // Together, because both wait before they try again.
  await Promise.all([
    expect(fs.readText('/b')).rejects.toThrow(/EIO.*could not be loaded.*check the connection and read the file again/),
    expect(hanging.readText('/c')).rejects.toThrow(/EIO.*no byte came for 20 ms/),
  ])
  expect(aborted.length).toBe(3)
})
