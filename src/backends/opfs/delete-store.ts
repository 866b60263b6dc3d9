// Removes a store for good, wherever its files are. Under its lock, so that nobody loses what is in use.

import { VfsError } from '../../vfs/error.ts'
import { acquireLock, lockNameOf } from './lock.ts'
import { parseOptions } from './options.ts'
import { browserPlatform, type DirectoryHandle } from './platform.ts'
import { storageError } from './log/failure.ts'

/** The tab that had it open may be about to close. */
const lockWaitMs = 1_000

/** See `deleteStore` of the entry. */
export async function deleteStore(name: string): Promise<void> {
  parseOptions({ name })
  const { locks, storage, hasIndexedDb } = browserPlatform()
  const lock = await acquireLock(locks, lockNameOf(name), lockWaitMs, () => {})
  try {
    const root = await storage?.getDirectory?.().catch((error: unknown) => {
      // A private window has no such directory, and so no store in it.
      if (error instanceof Error && error.name === 'SecurityError') return undefined
      throw error
    })
    // The files first: a database that says where they are, and is wrong, is better than files that nobody knows of.
    if (root !== undefined) await removeFiles(root, name)
    if (hasIndexedDb) {
      const [{ deleteDerivedDatabase }, { deleteStoreDatabase }] = await Promise.all([
        import('./indexeddb/derived-database.ts'),
        import('./indexeddb/database.ts'),
      ])
      await deleteDerivedDatabase(name)
      await deleteStoreDatabase(name)
    }
  } catch (error) {
    throw error instanceof VfsError ? error : storageError(error, 'rm')
  } finally {
    lock.release()
  }
}

async function removeFiles(root: DirectoryHandle, name: string): Promise<void> {
  try {
    await (await root.getDirectoryHandle('anchorage')).removeEntry(name, { recursive: true })
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'NotFoundError') throw error
  }
}
