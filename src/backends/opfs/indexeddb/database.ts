// The blocks of a store in IndexedDB: one database a store, with the blocks by file and index, and a few facts beside them.

import { deleteDB, openDB } from 'idb'
import { VfsError } from '../../../vfs/error.ts'
import { damagedStore, isQuotaError } from '../log/failure.ts'
import { blockBytes, type BlockStore, type FileBlocks } from './blocks.ts'

/** Where the files of a store are kept; written when it is made, so that it is never taken for new elsewhere. */
export type Home = 'opfs' | 'indexeddb'

export interface StoreDatabase {
  home(): Promise<Home | undefined>
  setHome(home: Home): Promise<void>
  /** Whether a store was made in OPFS: if it is not there any more, somebody removed it. */
  isMade(): Promise<boolean>
  setMade(): Promise<void>
  /** What the browser says about databases of this site that it found damaged and put empty ones in the place of. */
  lost(): Promise<string | undefined>
  /** The blocks, for this owner alone: whoever had them before can no longer commit. */
  own(): Promise<BlockStore>
  /** Calling it twice is fine. */
  close(): void
}

type BlockKey = [file: number, index: number]

/** What we use of the library's object, in our own words: its types lean on those of the browser. */
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

/** Blocks that are read at once: 8 MiB. */
const pageBlocks = 1024
/** A gap that is longer is not filled: 1 GiB. */
const maxMissingBlocks = 2 ** 17

function isHome(value: unknown): value is Home {
  return value === 'opfs' || value === 'indexeddb'
}

/** A database that the browser closes (the person clears this site's data) fails with its next transaction. */
export async function openStoreDatabase(name: string): Promise<StoreDatabase> {
  const opened: { database?: Database } = {}
  const database = (await openDB(`anchorage:${name}`, 1, {
    upgrade(fresh, _oldVersion, _newVersion, _transaction, event) {
      fresh.createObjectStore('blocks')
      const facts = fresh.createObjectStore('facts')
      const loss = dataLossOf(event)
      // It says so once, to whoever opens first.
      if (loss !== undefined) void facts.put(loss, 'lost')
    },
    // Somebody deletes the store, and would wait for us for ever.
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

/** Chromium's: a database that it cannot read it makes anew, and says so nowhere else. */
function dataLossOf(event: object): string | undefined {
  if (!('dataLoss' in event) || event.dataLoss !== 'total') return undefined
  return 'dataLossMessage' in event && typeof event.dataLossMessage === 'string' ? event.dataLossMessage : 'no reason is known'
}

/** What is not there is fine. */
export async function deleteStoreDatabase(name: string): Promise<void> {
  await deleteDB(`anchorage:${name}`)
}

/** Where not even this fits, nobody owns it and the lock alone keeps others out: deleting must be possible on a full disk. */
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
      // Its failure is that of the whole, whichever request it came from.
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
        // No further than there are blocks: what was deleted behind them lately takes time to pass by.
        if (drop !== undefined) requests.push(blocks.delete(keyRange().bound([file, drop.from], [file, drop.until - 1])))
        for (const { index, bytes } of puts) requests.push(blocks.put(bytes, [file, index]))
      }
      // A transaction that does nothing would not be flushed. Deleting what is not there needs no room.
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
  // A block that is missing is zeros, which no checksum fits.
  while (blocks.length < index) blocks.push(new Uint8Array(blockBytes))
  blocks.push(bytes ?? new Uint8Array(blockBytes))
}

interface KeyRanges {
  bound(lower: BlockKey, upper: BlockKey): object
}

/** Parses the global scope, where it is if IndexedDB is. */
function keyRange(): KeyRanges {
  return (globalThis as unknown as { readonly IDBKeyRange: KeyRanges }).IDBKeyRange
}
