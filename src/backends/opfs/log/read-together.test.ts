// Reading many stored files together gives what reading each alone gives, in few accesses.

import { expect, test } from 'vitest'
import { parsePath, type VfsPath } from '../../../core/path.ts'
import { seeds } from '../../../testing/depth.ts'
import { FakeDisk } from '../../../testing/opfs/fake-storage.ts'
import { forSeeds } from '../../../testing/random.ts'
import type { VfsSync } from '../../../vfs/backend.ts'
import { borrowUpTo, gainsByReadingAhead, readAhead } from '../../../vfs/borrow.ts'
import { treeBackend } from '../../../vfs/tree/tree-backend.ts'
import { openLog } from './open.ts'

const clock = (): number => 1_000
const at = (index: number): VfsPath => parsePath(`/f${index}`)
const places = (count: number): { readonly path: VfsPath }[] => Array.from({ length: count }, (_, index) => ({ path: at(index) }))

/** The files of `contents` after the store was opened again, and the number of accesses to it since. */
function reopened(contents: readonly Uint8Array[]): { readonly sync: VfsSync; readonly accesses: () => number } {
  let count = 0
  const storage = new FakeDisk(contents).storage()
  for (const file of storage.files) {
    const read = file.read.bind(file)
    file.read = (target, offset) => {
      count++
      return read(target, offset)
    }
  }
  const { store } = openLog(storage, { clock })
  const { sync } = treeBackend(() => store)
  count = 0
  return { sync, accesses: () => count }
}

function stored(files: readonly Uint8Array[]): readonly Uint8Array[] {
  const disk = new FakeDisk()
  const { store } = openLog(disk.storage(), { clock })
  for (const [index, bytes] of files.entries()) store.fs.write(at(index), bytes)
  return disk.contents()
}

const text = (index: number, length: number): Uint8Array => new Uint8Array(length).map((_, byte) => (index * 31 + byte * 7) & 255)

test('small files that were written one after the other are read in one access', () => {
  const files = Array.from({ length: 200 }, (_, index) => text(index, 1_000 + index))
  const { sync, accesses } = reopened(stored(files))
  expect(gainsByReadingAhead(sync, { path: at(0) })).toBe(true)
  expect(readAhead(sync, places(files.length), 10_000_000)).toBe(files.length)
  expect(accesses()).toBe(1)
  for (const [index, bytes] of files.entries()) expect(borrowUpTo(sync, at(index), 10_000)?.slice()).toEqual(bytes)
  expect(accesses()).toBe(1)
})

test('it ends at the limit of bytes, and the next call goes on', () => {
  const files = Array.from({ length: 20 }, (_, index) => text(index, 1_000))
  const { sync } = reopened(stored(files))
  expect(readAhead(sync, places(files.length), 5_000)).toBe(5)
  expect(readAhead(sync, places(files.length).slice(5), 1_000_000)).toBe(15)
})

test('files of every size, replaced ones and missing ones are what a read of each gives', async () => {
  await forSeeds(seeds({ quick: 5, deep: 200 }), async (random, seed) => {
    const disk = new FakeDisk()
    const { store } = openLog(disk.storage(), { clock })
    const count = 10 + random.below(60)
    for (let write = 0; write < count * 2; write++) {
      const length = random.pick([0, random.below(200), random.below(3_000), random.below(70_000), 65_536, random.below(300_000)])
      const append = random.chance(0.2)
      store.fs.write(at(random.below(count)), text(random.below(200), length), append ? { append } : {})
    }
    const [alone, together] = [reopened(disk.contents()), reopened(disk.contents())]
    for (let next = 0; next < count;) next += readAhead(together.sync, places(count).slice(next), 1 + random.below(500_000))
    const shown = (sync: VfsSync, index: number): string => {
      try {
        return Buffer.from(sync.read(at(index))).toString('latin1')
      } catch (error) {
        return String(error)
      }
    }
    for (let index = 0; index < count; index++)
      expect(shown(together.sync, index) === shown(alone.sync, index), `seed ${seed}`).toBe(true)
  })
})

test('a damaged file among others fails as it does alone, and the others are read', () => {
  const files = Array.from({ length: 5 }, (_, index) => text(index, 2_000))
  const contents = stored(files).map(content => content.slice())
  const segment = contents.reduce((largest, content) => (content.length > largest.length ? content : largest))
  const { sync } = reopened(contents)
  // Opening verifies what was written last, so the damage comes later.
  const place = Buffer.from(segment.buffer, segment.byteOffset, segment.length).indexOf(text(2, 2_000))
  segment.fill(0, place + 100, place + 300)
  readAhead(sync, places(files.length), 1_000_000)
  for (const index of [0, 1, 3, 4]) expect(borrowUpTo(sync, at(index), 10_000)?.slice()).toEqual(files[index])
  expect(() => borrowUpTo(sync, at(2), 10_000)).toThrow('EIO')
})
