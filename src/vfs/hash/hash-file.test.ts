import { createHash } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { createVfs } from '../create-vfs.ts'
import type { HashName } from '../../core/hasher.ts'
import type { Vfs } from '../vfs.ts'
import { emptyTree } from '../../testing/empty-tree.ts'

afterEach(() => vi.unstubAllGlobals())

const backend = () => {
  return emptyTree()
}

const mebibyte = 1024 * 1024
const sizes = [0, 1, 63, 64, 65, mebibyte - 1, mebibyte, mebibyte + 1, 3 * mebibyte + 7]

async function withFile(sizeBytes: number): Promise<{ readonly fs: Vfs; readonly bytes: Uint8Array }> {
  const bytes = Uint8Array.from({ length: sizeBytes }, (_, index) => index * 7)
  const fs = createVfs(backend())
  await fs.writeFile('/f', bytes)
  return { fs, bytes }
}

test.each(sizes)('SHA-256 of %i bytes is that of Node, by WebAssembly and without it', async sizeBytes => {
  const { fs, bytes } = await withFile(sizeBytes)
  const expected = createHash('sha256').update(bytes).digest('hex')
  expect(await fs.hash('/f', 'sha256')).toBe(expected)
  vi.stubGlobal('WebAssembly', undefined)
  expect(await fs.hash('/f', 'sha256')).toBe(expected)
})

/** The empty text, and texts of XXH3's other lengths: `xxhsum -H2` prints the same. */
test.each([
  ['', '99aa06d3014798d86001c324468d497f'],
  ['a', 'a96faf705af16834e6c632b61e964e1f'],
  ['abc', '06b05ab6733a618578af5f94892f3950'],
])('XXH128 of %j', async (text, expected) => {
  const fs = createVfs(backend())
  await fs.writeFile('/f', text)
  expect(await fs.hash('/f', 'xxh128')).toBe(expected)
})

test.each([
  ['a directory', '/', 'sha256', 'EISDIR'],
  ['a missing file', '/none', 'sha256', 'ENOENT'],
  ['an unknown algorithm', '/f', 'md5', 'EINVAL'],
])('%s is refused', async (_rule, path, name, code) => {
  const { fs } = await withFile(1)
  await expect(fs.hash(path, name as HashName)).rejects.toMatchObject({ code })
})

test('XXH128 is refused without WebAssembly', async () => {
  const { fs } = await withFile(1)
  vi.stubGlobal('WebAssembly', undefined)
  await expect(fs.hash('/f', 'xxh128')).rejects.toMatchObject({ code: 'ENOTSUP' })
})

test('an abort takes effect between two pieces', async () => {
  const { fs } = await withFile(8 * mebibyte)
  const abort = new AbortController()
  const hashing = fs.hash('/f', 'sha256', { signal: abort.signal })
  setTimeout(() => abort.abort(new Error('enough')), 0)
  await expect(hashing).rejects.toThrow('enough')
  await expect(fs.hash('/f', 'sha256', { signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow('before')
})

test('it is the hash of one revision', async () => {
  const inner = backend()
  const fs = createVfs(inner)
  await fs.writeFile('/f', new Uint8Array(2 * mebibyte))
  let reads = 0
  const changing = createVfs({
    ...inner,
    async read(path, range) {
      const bytes = await inner.read(path, range)
      if (reads++ === 0) await fs.writeFile('/f', 'short')
      return bytes
    },
  })
  expect(await changing.hash('/f', 'sha256')).toBe(createHash('sha256').update('short').digest('hex'))
})
