// What is computed from the files of a store, such as the search index, in a database of its own beside the store's: it may be lost at any
// time, and neither its size nor a fault in it may ever be in the way of the files.

import { deleteDB, openDB } from 'idb'
import type { DerivedStorage } from '../../../core/derived-storage.ts'
import type { VfsError } from '../../../vfs/error.ts'
import { storageError } from '../log/failure.ts'

const table = 'pieces'
const key = 'search-index'

/** What we use of the library's object, in our own words: its types lean on those of the browser. */
interface Database {
  get(store: string, key: string): Promise<unknown>
  put(store: string, value: Blob, key: string): Promise<unknown>
  close(): void
}

interface Blob {
  arrayBuffer(): Promise<ArrayBuffer>
}

/** Of the store of `name`. The database is open only while something is read or written, so nobody who deletes it has to wait. */
export function derivedDatabase(name: string, onProblem: (problem: VfsError) => void): DerivedStorage {
  const using = async <T>(work: (database: Database) => Promise<T>, otherwise: T): Promise<T> => {
    let database: Database | undefined
    try {
      database = await open(name)
      return await work(database)
    } catch (error) {
      onProblem(storageError(error, 'search index'))
      return otherwise
    } finally {
      database?.close()
    }
  }
  return {
    load: () =>
      using(async database => {
        const found = await database.get(table, key)
        return found instanceof blobs() ? new Uint8Array(await found.arrayBuffer()) : undefined
      }, undefined),
    save: bytes =>
      using(async database => {
        await database.put(table, new (blobs())([bytes]), key)
        return true
      }, false),
  }
}

/** What is not there is fine. */
export async function deleteDerivedDatabase(name: string): Promise<void> {
  await deleteDB(nameOf(name))
}

async function open(name: string): Promise<Database> {
  return (await openDB(nameOf(name), 1, { upgrade: fresh => void fresh.createObjectStore(table) })) as unknown as Database
}

function nameOf(name: string): string {
  return `anchorage-derived:${name}`
}

/**
 * Bytes as a file of the browser's: in Chromium read three to four times as fast as bytes within a record. Parses the global scope,
 * where it is if IndexedDB is.
 */
function blobs(): new (parts: readonly Uint8Array[]) => Blob {
  return (globalThis as unknown as { readonly Blob: new (parts: readonly Uint8Array[]) => Blob }).Blob
}
