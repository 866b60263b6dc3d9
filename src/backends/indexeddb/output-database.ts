// Outputs of sessions in the browser's database, for those that memory has no room for. They are worth nothing without their session, so
// what a tab that died left behind is cleared away by the next one.

import { deleteDB, openDB, type DBSchema, type IDBPDatabase } from 'idb'
import { AnchorageError } from '../../core/errors.ts'
import type { OutputStorage } from '../../core/output-storage.ts'

interface OutputSchema extends DBSchema {
  chunks: { key: [outputId: number, chunkIndex: number]; value: Uint8Array<ArrayBuffer> }
}

// A database for each session: it is removed as a whole, however much is in it, and none waits for another's writes.
const prefix = 'anchorage-outputs-'
// Where the browser cannot say which sessions live, those that began this long ago count as gone.
const oldAfterMs = 24 * 60 * 60 * 1000

/** Opens a place for one session. Rejects with `AnchorageError` `outputs-unavailable` where the browser has no database or refuses one. */
export async function openOutputDatabase(): Promise<OutputStorage> {
  const name = `${prefix}${Date.now().toString(36)}-${crypto.randomUUID()}`
  const release = await holdName(name)
  try {
    await removeLeftovers()
    const database = await openDB<OutputSchema>(name, 1, { upgrade: opened => void opened.createObjectStore('chunks') })
    return storageIn(database, name, release)
  } catch (cause) {
    release()
    throw new AnchorageError('outputs-unavailable', 'The browser’s database cannot be used for long outputs.', { cause })
  }
}

function storageIn(database: IDBPDatabase<OutputSchema>, name: string, release: () => void): OutputStorage {
  let closing: Promise<void> | undefined
  return {
    put: async (outputId, chunkIndex, bytes) => {
      // Relaxed: what a crash takes is of no use after it.
      const transaction = database.transaction('chunks', 'readwrite', { durability: 'relaxed' })
      await Promise.all([transaction.store.put(Uint8Array.from(bytes), [outputId, chunkIndex]), transaction.done])
    },
    get: (outputId, chunkIndex) => database.get('chunks', [outputId, chunkIndex]),
    remove: (outputId, chunkCount) => database.delete('chunks', IDBKeyRange.bound([outputId, 0], [outputId, chunkCount])),
    close: () =>
      (closing ??= (async () => {
        database.close()
        await deleteDB(name)
        release()
      })()),
  }
}

/** While the lock is held the session lives. The browser lets go of it when the tab or worker dies. */
async function holdName(name: string): Promise<() => void> {
  // An insecure page has none.
  if (!('locks' in navigator)) return () => undefined
  return await new Promise(held => {
    void navigator.locks.request(name, () => new Promise<void>(release => held(release)))
  })
}

async function removeLeftovers(): Promise<void> {
  const databases = await indexedDB.databases()
  const names = databases.flatMap(({ name }) => (name?.startsWith(prefix) === true ? [name] : []))
  if (names.length === 0) return
  const living = 'locks' in navigator ? await livingNames() : undefined
  for (const name of names) {
    if (living === undefined ? isOld(name) : !living.has(name)) await deleteDB(name)
  }
}

async function livingNames(): Promise<ReadonlySet<string>> {
  const { held = [], pending = [] } = await navigator.locks.query()
  return new Set([...held, ...pending].flatMap(({ name }) => name ?? []))
}

function isOld(name: string): boolean {
  const beganAtMs = parseInt(name.slice(prefix.length).split('-')[0] ?? '', 36)
  return Date.now() - beganAtMs > oldAfterMs
}
