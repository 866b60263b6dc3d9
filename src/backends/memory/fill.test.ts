import { describe, expect, test } from 'vitest'
import { parsePath } from '../../core/path.ts'
import { show } from '../../testing/vfs-contract/context.ts'
import { type MemoryFiles, memory } from './index.ts'

/** Files, then the tree, or the code of the error with which every operation fails. */
const rows: readonly (readonly [rule: string, files: MemoryFiles, tree: string])[] = [
  ['nothing', {}, ''],
  ['a file has any name', JSON.parse('{ "then": "1" }'), 'w/then=1'],
  ['relative files lie below the root', { 'src/a.ts': '1', b: '2' }, 'w/b=2 w/src/a.ts=1'],
  ['absolute files lie where they say', { '/etc/a': '1', b: '2' }, 'etc/a=1 w/b=2'],
  ['null and a slash are empty directories', { d: null, 'e/': null, 'f/': '', '/g/h/': null }, 'g/h/ w/d/ w/e/ w/f/'],
  ['a directory that others fill', { d: null, 'd/a': '1' }, 'w/d/a=1'],
  ['dots are taken out', { './a/./b': '1', '../c': '2' }, 'c=2 w/a/b=1'],
  ['names of object properties', { constructor: '1', toString: '2' }, 'w/constructor=1 w/toString=2'],
  ['text is UTF-8', { a: '\uFEFFé💾' }, 'w/a=\uFEFFé💾'],
  ['bytes', { a: Uint8Array.of(0x68, 0x69) }, 'w/a=hi'],
  ['a file where a directory must be', { a: '1', 'a/b': '2' }, 'ENOTDIR'],
  ['a directory where a file must be', { 'a/b': '2', a: '1' }, 'EISDIR'],
  ['an empty directory where a file is', { a: '1', 'a/': null }, 'EEXIST'],
  ['a directory with content', { 'a/': '1' }, 'EISDIR'],
  ['half of a surrogate pair', { a: '\ud83d' }, 'EINVAL'],
  ['what is neither text nor bytes', { a: 3 } as never, 'EINVAL'],
  ['numbers that are not bytes', { a: Uint16Array.of(300) as never }, 'EINVAL'],
  ['a null byte in a name', { 'a\0': '1' }, 'EINVAL'],
  ['an empty name', { '': '1' }, 'ENOENT'],
]

describe('memory is filled from', () => {
  test.each(rows)('%s', async (_rule, files, tree) => {
    const fs = memory(files)
    fs.placeFiles?.(parsePath('/w'))
    if (!/^E[A-Z]+$/.test(tree)) expect(await show(fs)).toBe(tree)
    else for (let time = 0; time < 2; time++) await expect(fs.lookup(parsePath('/'))).rejects.toMatchObject({ code: tree })
  })
})

test('files are taken over on first use, and not before', async () => {
  const files: Record<string, string> = { a: '1' }
  const fs = memory(files)
  files['b'] = '2'
  expect(await show(fs)).toBe('a=1 b=2')
  files['c'] = '3'
  expect(await show(fs)).toBe('a=1 b=2')
})

test('placing files after the first use is refused', async () => {
  const fs = memory({ a: '1' })
  await fs.list(parsePath('/'))
  expect(() => fs.placeFiles?.(parsePath('/w'))).toThrow("The root is '/': give")
  expect(() => fs.placeFiles?.(parsePath('/'))).not.toThrow()
})

test('a recipe is plain data; a clock has none', () => {
  expect(structuredClone(memory({ a: '1', d: null }).recipe)).toEqual({ kind: 'memory', files: { a: '1', d: null } })
  expect(memory({}, { clock: () => 0 }).recipe).toBeUndefined()
})

const filled = (buffer: ArrayBufferLike): Uint8Array => new Uint8Array(buffer).fill(7)

/** What is given away, its size, and how many bytes its owner has left. */
const gifts: readonly (readonly [rule: string, bytes: Uint8Array, sizeBytes: number, leftBytes: number])[] = [
  ['an array', filled(new ArrayBuffer(10_000)), 10_000, 0],
  ['a small array', filled(new ArrayBuffer(3)), 3, 0],
  ['nothing', new Uint8Array(), 0, 0],
  ['a part of a larger buffer', filled(new ArrayBuffer(100)).subarray(10, 30), 20, 100],
  ['the start of a larger buffer', filled(new ArrayBuffer(100)).subarray(0, 30), 30, 100],
  ['shared memory', filled(new SharedArrayBuffer(100)), 100, 100],
  ['memory of WebAssembly', filled(new WebAssembly.Memory({ initial: 1 }).buffer), 65_536, 65_536],
]

describe('taken, or copied if it cannot be taken:', () => {
  const path = parsePath('/f')
  test.each(gifts)('%s', async (_rule, bytes, sizeBytes, leftBytes) => {
    const again = new Uint8Array(bytes)
    const fs = memory()
    await fs.write(path, bytes, { transfer: true })
    expect(bytes.buffer.byteLength).toBe(leftBytes)
    if (leftBytes > 0) bytes.fill(1)
    for (const kept of [await fs.read(path), await memory({ '/f': again }, { transfer: true }).read(path)]) {
      expect(kept.byteLength).toBe(sizeBytes)
      expect(kept.every(byte => byte === 7)).toBe(true)
    }
    expect(again.byteLength).toBe(0)
  })

  test('a refused write takes nothing', async () => {
    const bytes = filled(new ArrayBuffer(10))
    await expect(memory().write(parsePath('/none/f'), bytes, { transfer: true })).rejects.toMatchObject({ code: 'ENOENT' })
    expect(bytes.byteLength).toBe(10)
  })

  test('what is appended is kept whole', async () => {
    const fs = memory({ '/f': 'ab' })
    await fs.write(path, filled(new ArrayBuffer(2)), { transfer: true, append: true })
    expect(await fs.read(path)).toEqual(Uint8Array.of(97, 98, 7, 7))
  })
})

test('the clock gives the times, and a node never has the same twice', async () => {
  const fs = memory({}, { clock: () => 1_000.9 })
  const file = parsePath('/f')
  const times = [
    await fs.write(file, new Uint8Array()),
    await fs.write(file, new Uint8Array()),
    await fs.write(file, new Uint8Array()),
  ]
  expect(times.map(stat => stat.mtimeMs)).toEqual([1_000, 1_001, 1_002])
})
