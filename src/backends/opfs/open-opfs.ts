// Opens the store of a name in this worker: the lock first, then its files, then what they hold.

import { AnchorageError } from '../../core/errors.ts'
import { VfsError } from '../../vfs/error.ts'
import type { VfsBackend } from '../../vfs/backend.ts'
import { acquireLock } from './lock.ts'
import type { Log } from './log/log.ts'
import { openLog } from './log/open.ts'
import { storageError } from './log/failure.ts'
import type { LogStorage } from './log/storage.ts'
import { type OpenOpfsOptions, parseOptions } from './options.ts'
import { browserPlatform, type DirectoryHandle, type Platform } from './platform.ts'
import { storedBackend } from './stored-backend.ts'
import { openSyncHandles } from './sync-handles.ts'

/** The tab before us may take a moment to go. */
const lockWaitMs = 3_000

/** See `openOpfs` of the entry. */
export async function openOpfs(options: OpenOpfsOptions): Promise<VfsBackend> {
  const settings = parseOptions({ ...options })
  const platform = browserPlatform()
  // Found out before the lock is waited for.
  const root = await rootDirectory(platform)
  let log: Log | undefined
  const lock = await acquireLock(platform.locks, `anchorage:opfs:${settings.name}`, lockWaitMs, () =>
    log?.end(new VfsError('EBUSY', 'write', { hint: 'another tab took this stored filesystem over; reload this one' })),
  )
  let storage: LogStorage | undefined
  try {
    const parent = await root.getDirectoryHandle('anchorage', { create: true })
    storage = await openSyncHandles(await parent.getDirectoryHandle(settings.name, { create: true }), settings.name)
    const open = openLog(storage, { onDamage: settings.onDamage, flushEach: settings.durability === 'op' })
    log = open.log
    return storedBackend(open, storage, {
      recipe: { kind: 'opfs', ...settings },
      durability: settings.durability,
      quotaBytes: async () => (await platform.storage?.estimate?.())?.quota,
      onProblem: options.onProblem ?? (() => {}),
      onClose: () => lock.release(),
    })
  } catch (error) {
    await storage?.close()
    lock.release()
    throw error instanceof AnchorageError ? error : storageError(error, 'open')
  }
}

async function rootDirectory({ storage }: Platform): Promise<DirectoryHandle> {
  const missing = (hint: string, cause?: unknown): VfsError => new VfsError('ENOTSUP', 'open', { hint, cause })
  if (storage?.getDirectory === undefined) {
    throw missing(
      'there is no origin private file system here (an insecure page, or no browser); use memory() from anchorage/fs/memory',
    )
  }
  if (!('FileSystemSyncAccessHandle' in globalThis)) {
    throw missing('stored files can be opened in a dedicated worker only; use connectWorkspace from anchorage/client')
  }
  try {
    return await storage.getDirectory()
  } catch (error) {
    throw missing(
      'the browser keeps no files for this page, as in a private window; use memory() from anchorage/fs/memory',
      error,
    )
  }
}
