// The history of a store: numbered records in a database of their own beside the store's, because neither their size nor a fault in them
// may affect the files.

import { deleteDB, openDB } from 'idb'
import type { RecordStorage } from '../../../core/record-storage.ts'
import type { VfsError } from '../../../vfs/error.ts'
import { storageError } from '../log/failure.ts'

type Table = 'heads' | 'bodies'

/** The part of the library's object that we use. Declared here because the library's types depend on DOM types. */
interface Database {
  get(table: Table, key: number): Promise<unknown>
  getAll(table: Table): Promise<unknown[]>
  getAllKeys(table: Table): Promise<unknown[]>
  transaction(
    tables: readonly Table[],
    mode: 'readwrite',
    options: { readonly durability: 'relaxed' },
  ): { readonly done: Promise<void>; objectStore(table: Table): ObjectStore }
  close(): void
}

interface ObjectStore {
  put(value: string | Uint8Array, key: number): Promise<unknown>
  delete(key: number): Promise<void>
}

/** How long changes are collected before they are written. */
const pauseMs = 20

/** The history of the store `name`. The database is open only during a read or write, so that deleting it never has to wait. */
export function historyDatabase(name: string, onProblem: (problem: VfsError) => void): RecordStorage {
  const using = async <T>(work: (database: Database) => Promise<T>, otherwise: T): Promise<T> => {
    let database: Database | undefined
    try {
      database = await open(name)
      return await work(database)
    } catch (error) {
      onProblem(storageError(error, 'history'))
      return otherwise
    } finally {
      database?.close()
    }
  }
  return {
    heads: () =>
      using(async database => {
        const [numbers, heads] = await Promise.all([database.getAllKeys('heads'), database.getAll('heads')])
        return numbers.map((number, index) => [Number(number), String(heads[index])] as const)
      }, []),
    body: number =>
      using(async database => {
        const found = await database.get('bodies', number)
        return found instanceof Uint8Array ? found : undefined
      }, undefined),
    change: (added, removed) =>
      using(async database => {
        const transaction = database.transaction(['heads', 'bodies'], 'readwrite', { durability: 'relaxed' })
        const [heads, bodies] = [transaction.objectStore('heads'), transaction.objectStore('bodies')]
        const requests = [
          ...added.flatMap(({ number, head, body }) => [heads.put(head, number), bodies.put(body, number)]),
          ...removed.flatMap(number => [heads.delete(number), bodies.delete(number)]),
        ]
        await Promise.all([...requests, transaction.done])
        return true
      }, false),
    pause: () => new Promise(resolve => void setTimeout(resolve, pauseMs)),
  }
}

/** Does nothing if the database does not exist. */
export async function deleteHistoryDatabase(name: string): Promise<void> {
  await deleteDB(nameOf(name))
}

async function open(name: string): Promise<Database> {
  const database = await openDB(nameOf(name), 1, {
    upgrade(fresh) {
      fresh.createObjectStore('heads')
      fresh.createObjectStore('bodies')
    },
  })
  return database as unknown as Database
}

function nameOf(name: string): string {
  return `anchorage-history:${name}`
}
