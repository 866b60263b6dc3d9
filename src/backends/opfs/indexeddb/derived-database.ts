// Data that is computed from the files of a store, such as the search index, in a database beside the store's. It may be lost at any time.

import { deleteDB, openDB } from 'idb'
import type { DerivedStorage } from '../../../core/derived-storage.ts'
import type { VfsError } from '../../../vfs/error.ts'
import { besideStore } from './beside-store.ts'

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

export function derivedDatabase(name: string, onProblem: (problem: VfsError) => void): DerivedStorage {
  const using = besideStore('search index', () => open(name), onProblem)
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
