import { expect, test } from 'vitest'
import { FakeDisk } from '../../../testing/opfs/fake-storage.ts'
import { parsePath } from '../../../core/path.ts'
import { openLog } from './open.ts'

const path = parsePath

test('what was replaced or removed is not kept in memory', () => {
  const { store, log } = openLog(new FakeDisk().storage(), { clock: () => 1_000 })
  for (let index = 0; index < 100; index++) store.fs.write(path('/f'), new Uint8Array(10_000).fill(index))
  store.fs.write(path('/g'), new Uint8Array(5_000))
  store.fs.write(path('/h'), new Uint8Array(3_000))
  store.fs.remove(path('/g'), 'file')
  store.fs.rename(path('/h'), path('/f'))
  expect(log.cache.sizeBytes).toBe(3_000)
  for (let index = 0; index < 50; index++) store.fs.write(path('/log'), new Uint8Array(1_000).fill(index), { append: true })
  expect(log.cache.sizeBytes).toBeLessThan(3_000 + 2 * 50_000)
})
