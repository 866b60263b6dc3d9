// Data that is computed from the files of a store, such as the search index. It has a separate database beside the store's, because it may
// be lost at any time, and because neither its size nor a fault in it may affect the files.

import { deleteDB, openDB } from 'idb'
import type { DerivedStorage } from '../../../core/derived-storage.ts'
import type { VfsError } from '../../../vfs/error.ts'
import { storageError } from '../log/failure.ts'

const table = 'pieces'
const key = 'search-index'

/** The part of the library's object that we use. Declared here because the library's types depend on DOM types. */
interface Database {
  get(store: string, key: string): Promise<unknown>
  put(store: string, value: Blob, key: string): Promise<unknown>
  close(): void
}

interface Blob {
  arrayBuffer(): Promise<ArrayBuffer>
}

/** The derived data of the store `name`. The database is open only during a read or write, so that deleting it never has to wait. */
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

/** Does nothing if the database does not exist. */
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
 * Reads `Blob` from the global scope, where it exists if IndexedDB does. Chromium reads a blob three to four times as fast as bytes inside
 * a record.
 */
function blobs(): new (parts: readonly Uint8Array[]) => Blob {
  return (globalThis as unknown as { readonly Blob: new (parts: readonly Uint8Array[]) => Blob }).Blob
}
