import { expect, test } from 'vitest'
import { FakeDisk } from '../../../testing/opfs/fake-storage.ts'
import { parsePath } from '../../../core/path.ts'
import { inspectStore, repairedStore } from './inspect.ts'
import { MemoryStorage } from './memory-storage.ts'
import { openLog } from './open.ts'

const path = parsePath

function storeOf(count: number): FakeDisk {
  const disk = new FakeDisk()
  const { store, log } = openLog(disk.storage(), { clock: () => 1_000 })
  for (let index = 0; index < count; index++) store.fs.write(path(`/f${index}`), new Uint8Array(100).fill(index))
  log.flush()
  return disk
}

test('a whole store has nothing to tell', () => {
  const found = inspectStore(storeOf(3).contents())
  expect(found).toMatchObject({ opens: true, problems: [], losses: [] })
  expect(found.entries.map(({ path: at, sizeBytes }) => [at, sizeBytes])).toEqual([
    ['/f0', 100],
    ['/f1', 100],
    ['/f2', 100],
  ])
})

test('the files of two stores are not taken for one', () => {
  const mixed = [...storeOf(3).contents(), ...storeOf(5).contents()]
  for (const examine of [inspectStore, repairedStore]) expect(() => examine(mixed)).toThrow('more than one store')
})

test('of a damaged one everything that is lost is listed, and a repaired one has the rest', () => {
  const contents = storeOf(40).contents()
  const damaged = contents.map(bytes => (bytes.length > 5_000 ? bytes.slice().fill(0x55, 4_000, 4_090) : bytes))
  const found = inspectStore(damaged)
  expect(found.opens).toBe(false)
  expect(found.problems.length).toBeGreaterThan(0)
  expect(found.problems).toHaveLength(found.losses.length)
  const repaired = repairedStore(damaged)
  const after = inspectStore(repaired)
  expect(after.opens).toBe(true)
  expect(after.entries.length).toBe(found.entries.length)
  const { fs } = openLog(new MemoryStorage(repaired)).store
  const readable = after.entries.filter(({ problem }) => problem === undefined)
  expect(readable.length).toBeGreaterThanOrEqual(38)
  for (const { path: at } of readable) expect(fs.read(path(at))[0]).toBe(Number(at.slice(2)))
})
