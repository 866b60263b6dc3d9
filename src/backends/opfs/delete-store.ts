// Removes a store for good, wherever its files are. It takes the store's lock first, so that no tab loses files that it is using.

import { VfsError } from '../../vfs/error.ts'
import { acquireLock, lockNameOf } from './lock.ts'
import { parseOptions } from './options.ts'
import { browserPlatform, type DirectoryHandle } from './platform.ts'
import { storageError } from './log/failure.ts'

/** How long to wait for the lock: the tab that holds it may be about to close. */
const lockWaitMs = 1_000

/** See `deleteStore` in `index.ts`. */
export async function deleteStore(name: string): Promise<void> {
  parseOptions({ name })
  const { locks, storage, hasIndexedDb } = browserPlatform()
  const lock = await acquireLock(locks, lockNameOf(name), lockWaitMs, () => {})
  try {
    const root = await storage?.getDirectory?.().catch((error: unknown) => {
      // A private window has no origin private directory, so it has no store.
      if (error instanceof Error && error.name === 'SecurityError') return undefined
      throw error
    })
    // Remove the files first. If this is interrupted, a database that names missing files is better than files that no database names.
    if (root !== undefined) await removeFiles(root, name)
    if (hasIndexedDb) {
      const [{ deleteDerivedDatabase }, { deleteHistoryDatabase }, { deleteStoreDatabase }] = await Promise.all([
        import('./indexeddb/derived-database.ts'),
        import('./indexeddb/history-database.ts'),
        import('./indexeddb/database.ts'),
      ])
      await deleteDerivedDatabase(name)
      await deleteHistoryDatabase(name)
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
