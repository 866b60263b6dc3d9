// The search index of stored files in real browsers: after a reload it is restored without reading a file, in both kinds of storage.

import { afterEach, describe, expect, test } from 'vitest'

import { deleteStore } from '../backends/opfs/index.ts'
import { isDeep } from '../testing/depth.ts'
import { upperPlaces } from '../testing/opfs/upper-places.ts'
import type { Life, LifeOrder } from '../testing/opfs/search-worker.ts'

const workers: Worker[] = []

/** Its worker, and so its tab, runs until the test ends or ends it. */
async function live(order: LifeOrder): Promise<Life & { readonly end: () => void }> {
  const worker = new Worker(new URL('../testing/opfs/search-worker.ts', import.meta.url), { type: 'module' })
  workers.push(worker)
  const answer = await new Promise<Life | string>((resolve, reject) => {
    worker.addEventListener('message', (event: MessageEvent<Life | string>) => resolve(event.data))
    worker.addEventListener('error', event => reject(new Error(event.message)))
    worker.postMessage(order)
  })
  if (typeof answer === 'string') throw new Error(answer)
  expect(answer.problems).toEqual([])
  return { ...answer, end: () => worker.terminate() }
}

const names: string[] = []
let stores = 0
const newName = (): string => {
  const name = `search-${stores++}-${Date.now()}`
  names.push(name)
  return name
}

afterEach(async () => {
  for (const worker of workers.splice(0)) worker.terminate()
  for (const name of names.splice(0)) await deleteWhenFree(name)
})

/** The browser takes a moment to release what an ended worker held. */
async function deleteWhenFree(name: string): Promise<void> {
  await expect.poll(() => deleteStore(name).then(() => true, String)).toBe(true)
}

const files: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: 60 }, (_, number) => [
    `/d${number % 7}/f${number}.txt`,
    `line ${number} of hay\n`.repeat(1500) + (number % 10 === 3 ? 'a needle\n' : ''),
  ]),
)
const expected = Object.fromEntries(
  Object.entries(files).map(([path, text]) => [path, text.includes('needle') ? 'regions' : 'none']),
)
const nothingKnown = Object.fromEntries(Object.keys(files).map(path => [path, 'unknown']))
const pattern = 'needle'

describe.each(upperPlaces)('%s', place => {
  const storage = [place]

  test('after a reload no file is read again', async () => {
    const options = { name: newName(), storage }
    const first = await live({ options, write: files, pattern })
    expect(first).toMatchObject({ knownFiles: 0, readFiles: 60, kindsBefore: nothingKnown, kindsAfter: expected })
    first.end()
    const second = await live({ options, pattern })
    expect(second).toMatchObject({ knownFiles: 60, readFiles: 0, kindsBefore: expected, kindsAfter: expected })
    second.end()
    const changed = { '/d3/f3.txt': 'no more', '/d4/f4.txt': 'a needle', '/new': 'a needle' }
    const third = await live({ options, write: changed, pattern })
    expect(third).toMatchObject({
      knownFiles: 58,
      readFiles: 3,
      kindsBefore: { ...expected, '/d3/f3.txt': 'unknown', '/d4/f4.txt': 'unknown', '/new': 'unknown' },
      kindsAfter: { ...expected, '/d3/f3.txt': 'none', '/d4/f4.txt': 'regions', '/new': 'regions' },
    })
  })

  // Behind the storage is nothing that differs, so the quick run has these in one of the two.
  if (place !== 'opfs' && !isDeep) return

  test('another tab of the same store takes it too', async () => {
    const options = { name: newName(), storage }
    await live({ options, write: files, pattern })
    expect(await live({ options, pattern })).toMatchObject({ knownFiles: 60, readFiles: 0, kindsAfter: expected })
  })

  test('a store that was deleted and made again with the same files begins anew', async () => {
    const options = { name: newName(), storage }
    const first = await live({ options, write: files, pattern })
    first.end()
    await deleteWhenFree(options.name)
    expect((await indexedDB.databases()).filter(({ name }) => name?.includes(options.name))).toEqual([])
    expect(await live({ options, write: files, pattern })).toMatchObject({ knownFiles: 0, readFiles: 60, kindsAfter: expected })
  })
})

test('what somebody else put in its place is not taken', async () => {
  const options = { name: newName(), storage: ['opfs'] as const }
  const first = await live({ options, write: files, pattern })
  first.end()
  await spoil(`anchorage-derived:${options.name}`)
  expect(await live({ options, pattern })).toMatchObject({ knownFiles: 0, readFiles: 60, kindsAfter: expected })
})

/** Flips one bit of the stored index. */
async function spoil(name: string): Promise<void> {
  const database = await asked(indexedDB.open(name))
  const [table = ''] = database.objectStoreNames
  const store = database.transaction(table, 'readwrite').objectStore(table)
  const [key = ''] = await asked(store.getAllKeys())
  const kept = (await asked(store.get(key))) as Blob
  const bytes = new Uint8Array(await kept.arrayBuffer())
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
  await asked(
    database
      .transaction(table, 'readwrite')
      .objectStore(table)
      .put(new Blob([bytes]), key),
  )
  database.close()
}

function asked<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('unknown')))
  })
}
