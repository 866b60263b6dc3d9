// Outputs of sessions in IndexedDB, for outputs that do not fit into memory or that should outlive their page. The databases of ended tabs
// are removed by the next session, unless they are to be kept. If the kept ones are too large together, the oldest are removed.

import { deleteDB, openDB, type DBSchema, type IDBPDatabase } from 'idb'
import { AnchorageError } from '../../core/errors.ts'
import { surplusPlaces, type IdlePlace, type KeptPlace, type OutputStorage } from '../../core/output-storage.ts'
import { hasLocks, holdName, unlessHeld, type Release } from './name-lock.ts'

interface OutputSchema extends DBSchema {
  chunks: { key: [outputId: number, chunkIndex: number]; value: Uint8Array<ArrayBuffer> }
  /** Present if the database is kept. */
  about: { key: 'kept'; value: Omit<IdlePlace, 'name'> }
}

// One database per session: it is removed as a whole, whatever its size, and no session waits for another's writes.
const prefix = 'anchorage-outputs-'
const namePattern = /^anchorage-outputs-[0-9a-z]+-[0-9a-f-]{36}$/
// If the browser cannot show which sessions are open, databases of this age count as unused.
const oldAfterMs = 24 * 60 * 60 * 1000

/**
 * Opens a place for one session, or the kept one. Rejects with `AnchorageError`: `outputs-unavailable` if the browser has no database or
 * refuses it, `outputs-gone`, `outputs-in-use`.
 */
export async function openOutputDatabase(kept?: KeptPlace): Promise<OutputStorage> {
  const name = kept?.name ?? `${prefix}${Date.now().toString(36)}-${crypto.randomUUID()}`
  if (!namePattern.test(name)) throw gone(name)
  const release = await holdName(name)
  if (release === undefined) {
    throw new AnchorageError(
      'outputs-in-use',
      'The outputs of this conversation are open in another session. Close that one first.',
    )
  }
  try {
    await removeLeftovers(name)
    return await openPlace(name, kept, release)
  } catch (cause) {
    release()
    if (cause instanceof AnchorageError) throw cause
    throw new AnchorageError(
      'outputs-unavailable',
      'The browser’s database cannot be used for long outputs. Next: allow this site to store data, or run without kept outputs.',
      { cause },
    )
  }
}

async function openPlace(name: string, kept: KeptPlace | undefined, release: Release): Promise<OutputStorage> {
  if (kept !== undefined && !(await existing()).includes(name)) throw gone(name)
  const database = await openDB<OutputSchema>(name, 1, {
    upgrade(opened) {
      opened.createObjectStore('chunks')
      opened.createObjectStore('about')
    },
  })
  if (kept !== undefined) {
    if ((await aboutIn(database)) === undefined) {
      database.close()
      throw gone(name)
    }
    await database.delete('chunks', IDBKeyRange.lowerBound([kept.nextOutputId]))
  }
  return storageIn(database, { name, isKept: kept !== undefined, release })
}

function storageIn(
  database: IDBPDatabase<OutputSchema>,
  place: { readonly name: string; readonly isKept: boolean; readonly release: Release },
): OutputStorage {
  const { name, release } = place
  let { isKept } = place
  let closing: Promise<void> | undefined
  return {
    put: async (outputId, chunkIndex, bytes) => {
      // Relaxed, because it should survive the end of a page, not of the machine.
      const transaction = database.transaction('chunks', 'readwrite', { durability: 'relaxed' })
      await Promise.all([transaction.store.put(Uint8Array.from(bytes), [outputId, chunkIndex]), transaction.done])
    },
    get: (outputId, chunkIndex) => database.get('chunks', [outputId, chunkIndex]),
    remove: (outputId, chunkCount) => database.delete('chunks', IDBKeyRange.bound([outputId, 0], [outputId, chunkCount])),
    keep: async sizeBytes => {
      await database.put('about', { keptAtMs: Date.now(), sizeBytes }, 'kept')
      isKept = true
      return name
    },
    close: ({ forget = false } = {}) =>
      (closing ??= (async () => {
        database.close()
        if (forget || !isKept) await deleteDB(name)
        release()
      })()),
  }
}

async function existing(): Promise<readonly string[]> {
  return (await indexedDB.databases()).flatMap(({ name }) => (name?.startsWith(prefix) === true ? [name] : []))
}

async function aboutIn(database: IDBPDatabase<OutputSchema>): Promise<Omit<IdlePlace, 'name'> | undefined> {
  // A database of an earlier release, or an unfinished one, has no such store.
  return database.objectStoreNames.contains('about') ? database.get('about', 'kept') : undefined
}

async function removeLeftovers(own: string): Promise<void> {
  const idle: IdlePlace[] = []
  for (const name of await existing()) {
    if (name === own) continue
    await unlessInUse(name, async () => {
      const database = await openDB<OutputSchema>(name)
      const about = await aboutIn(database)
      database.close()
      if (about === undefined) await deleteDB(name)
      else idle.push({ name, ...about })
    })
  }
  for (const { name } of surplusPlaces(idle, Date.now())) await unlessInUse(name, () => deleteDB(name))
}

async function unlessInUse(name: string, work: () => Promise<void>): Promise<void> {
  if (hasLocks()) await unlessHeld(name, work)
  else if (beganMsAgo(name) > oldAfterMs) await work()
}

function beganMsAgo(name: string): number {
  return Date.now() - parseInt(name.slice(prefix.length).split('-')[0] ?? '', 36)
}

function gone(name: string): AnchorageError {
  return new AnchorageError(
    'outputs-gone',
    'The outputs of this conversation were removed. Next: open a session without them, and run the commands again.',
    { details: { name } },
  )
}
