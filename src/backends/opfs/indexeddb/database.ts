// The blocks of a store in IndexedDB: one database per store, which holds the blocks by file and index, and a few facts about the store.

import { deleteDB, openDB } from 'idb'
import { VfsError } from '../../../vfs/error.ts'
import { damagedStore, isQuotaError } from '../log/failure.ts'
import { blockBytes, type BlockStore, type FileBlocks } from './blocks.ts'

/** Where the files of a store are kept. Recorded at creation, so that the same name is not created again in the other place. */
export type Home = 'opfs' | 'indexeddb'

export interface StoreDatabase {
  home(): Promise<Home | undefined>
  setHome(home: Home): Promise<void>
  /** Whether a store was created in OPFS. If it is not there any more, it was removed. */
  isMade(): Promise<boolean>
  setMade(): Promise<void>
  /** The browser's message if it found a database of this site damaged and replaced it with an empty one. */
  lost(): Promise<string | undefined>
  /** Takes ownership of the blocks: the previous owner can no longer commit. */
  own(): Promise<BlockStore>
  /** May be called twice. */
  close(): void
}

type BlockKey = [file: number, index: number]

/** The part of the library's object that we use. Declared here because the library's types depend on DOM types. */
interface Database {
  get(store: 'facts', key: string): Promise<unknown>
  put(store: 'facts', value: string, key: string): Promise<unknown>
  delete(store: 'facts', key: string): Promise<void>
  getAllKeys(store: 'blocks'): Promise<BlockKey[]>
  getAll(store: 'blocks', range: object): Promise<Uint8Array[]>
  transaction(
    stores: readonly string[],
    mode: 'readwrite',
    options: { readonly durability: 'strict' | 'relaxed' },
  ): { readonly done: Promise<void>; abort(): void; objectStore(name: string): ObjectStore }
  close(): void
}

interface ObjectStore {
  get(key: string): Promise<unknown>
  put(value: string | Uint8Array, key: string | BlockKey): Promise<unknown>
  delete(range: object | string): Promise<void>
}

/** Blocks to read at once: 8 MiB. */
const pageBlocks = 1024
/** The longest run of missing blocks that is filled with zeros: 1 GiB. */
const maxMissingBlocks = 2 ** 17

function isHome(value: unknown): value is Home {
  return value === 'opfs' || value === 'indexeddb'
}

/** If the browser closes the database (because the user clears the site's data), the next transaction fails. */
export async function openStoreDatabase(name: string): Promise<StoreDatabase> {
  const opened: { database?: Database } = {}
  const database = (await openDB(`anchorage:${name}`, 1, {
    upgrade(fresh, _oldVersion, _newVersion, _transaction, event) {
      fresh.createObjectStore('blocks')
      const facts = fresh.createObjectStore('facts')
      const loss = dataLossOf(event)
      // The loss is reported once, to the first caller that opens the store.
      if (loss !== undefined) void facts.put(loss, 'lost')
    },
    // Another context is deleting the store and would wait for us forever.
    blocking: () => opened.database?.close(),
  })) as unknown as Database
  opened.database = database
  return {
    async home() {
      const found = await database.get('facts', 'home')
      return isHome(found) ? found : undefined
    },
    async setHome(home) {
      await database.put('facts', home, 'home')
    },
    isMade: async () => (await database.get('facts', 'made')) !== undefined,
    async setMade() {
      await database.put('facts', 'opfs', 'made')
    },
    async lost() {
      const lost = await database.get('facts', 'lost')
      return typeof lost === 'string' ? lost : undefined
    },
    async own() {
      return blocksOf(database, await takeOwnership(database))
    },
    close: () => database.close(),
  }
}

/** Chromium only: it replaces a database that it cannot read with a new one, and reports this only here. */
function dataLossOf(event: object): string | undefined {
  if (!('dataLoss' in event) || event.dataLoss !== 'total') return undefined
  return 'dataLossMessage' in event && typeof event.dataLossMessage === 'string' ? event.dataLossMessage : 'no reason is known'
}

/** Does nothing if the database does not exist. */
export async function deleteStoreDatabase(name: string): Promise<void> {
  await deleteDB(`anchorage:${name}`)
}

/** If even this write does not fit, the blocks have no owner and only the lock excludes others: deleting must work on a full disk. */
async function takeOwnership(database: Database): Promise<string | undefined> {
  const owner = [...crypto.getRandomValues(new Uint32Array(4))].map(part => part.toString(36)).join('-')
  try {
    await database.put('facts', owner, 'owner')
    return owner
  } catch (error) {
    if (!isQuotaError(error)) throw error
    await database.delete('facts', 'owner')
    return undefined
  }
}

function blocksOf(database: Database, owner: string | undefined): BlockStore {
  return {
    async load() {
      const keys = await database.getAllKeys('blocks')
      const found: FileBlocks[] = []
      for (let start = 0; start < keys.length; start += pageBlocks) {
        const page = keys.slice(start, start + pageBlocks)
        const [first, last] = [page[0], page.at(-1)]
        if (first === undefined || last === undefined) break
        const values = await database.getAll('blocks', keyRange().bound(first, last))
        for (const [at, [file, index]] of page.entries()) addBlock(found, file, index, values[at])
      }
      return found
    },
    async commit(changes, isStrict) {
      const transaction = database.transaction(['blocks', 'facts'], 'readwrite', { durability: isStrict ? 'strict' : 'relaxed' })
      const [blocks, facts] = [transaction.objectStore('blocks'), transaction.objectStore('facts')]
      // Any failed request fails the transaction, so only the transaction's failure is reported.
      const done = transaction.done.then(
        () => undefined,
        (error: unknown) => ({ error }),
      )
      const present = await facts.get('owner')
      if (present !== owner) {
        transaction.abort()
        await done
        throw new VfsError('EBUSY', 'write', { hint: 'another tab or worker took this stored filesystem over; reload this one' })
      }
      const requests: Promise<unknown>[] = []
      for (const { file, drop, puts } of changes) {
        // Limit the range to existing blocks: skipping blocks that were deleted lately takes time.
        if (drop !== undefined) requests.push(blocks.delete(keyRange().bound([file, drop.from], [file, drop.until - 1])))
        for (const { index, bytes } of puts) requests.push(blocks.put(bytes, [file, index]))
      }
      // An empty transaction would not be flushed. Deleting a missing key needs no space.
      if (isStrict) requests.push(facts.delete('nothing'))
      await Promise.allSettled(requests)
      const failed = await done
      if (failed !== undefined) throw failed.error
    },
    close: () => database.close(),
  }
}

function addBlock(found: FileBlocks[], file: number, index: number, bytes: Uint8Array | undefined): void {
  const last = found.at(-1)
  const blocks = last?.file === file ? (last.blocks as Uint8Array[]) : []
  if (index - blocks.length > maxMissingBlocks) throw damagedStore([{ what: 'file', lengthBytes: blocks.length * blockBytes }])
  if (last?.file !== file) found.push({ file, blocks })
  // A missing block becomes zeros, which match no checksum.
  while (blocks.length < index) blocks.push(new Uint8Array(blockBytes))
  blocks.push(bytes ?? new Uint8Array(blockBytes))
}

interface KeyRanges {
  bound(lower: BlockKey, upper: BlockKey): object
}

/** Reads `IDBKeyRange` from the global scope, where it exists if IndexedDB does. */
function keyRange(): KeyRanges {
  return (globalThis as unknown as { readonly IDBKeyRange: KeyRanges }).IDBKeyRange
}
