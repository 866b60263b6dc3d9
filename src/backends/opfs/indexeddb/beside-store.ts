// Databases beside that of a store, for data that may be lost: neither its size nor a fault in it may affect the files. They are open only
// during a read or write, so that deleting one never has to wait.

import type { VfsError } from '../../../vfs/error.ts'
import { storageError } from '../log/failure.ts'

interface Closable {
  close(): void
}

/** Runs `work` with the database. A failure is reported as one of `what`, and the result is `otherwise`. */
export type UseDatabase<D> = <T>(work: (database: D) => Promise<T>, otherwise: T) => Promise<T>

export function besideStore<D extends Closable>(
  what: string,
  open: () => Promise<D>,
  onProblem: (problem: VfsError) => void,
): UseDatabase<D> {
  return async (work, otherwise) => {
    let database: D | undefined
    try {
      database = await open()
      return await work(database)
    } catch (error) {
      onProblem(storageError(error, what))
      return otherwise
    } finally {
      database?.close()
    }
  }
}
