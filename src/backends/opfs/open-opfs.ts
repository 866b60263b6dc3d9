// Opens the store of a name in this worker: the lock first, then its files, wherever they are.

import { VfsError } from '../../vfs/error.ts'
import type { VfsBackend } from '../../vfs/backend.ts'
import { acquireLock } from './lock.ts'
import { type OpenedStore, openStore } from './open-store.ts'
import { type OpenOpfsOptions, parseOptions } from './options.ts'
import { browserPlatform } from './platform.ts'

/** The tab before us may take a moment to go. */
const lockWaitMs = 3_000

/** See `openOpfs` of the entry. */
export async function openOpfs(options: OpenOpfsOptions): Promise<VfsBackend> {
  const settings = parseOptions({ ...options })
  const platform = browserPlatform()
  if (!platform.isDedicatedWorker) {
    throw new VfsError('ENOTSUP', 'open', {
      hint: 'stored files can be opened in a dedicated worker of a browser only; use connectWorkspace from anchorage/client there, and memory() from anchorage/fs/memory elsewhere',
    })
  }
  let opened: OpenedStore | undefined
  const lock = await acquireLock(platform.locks, `anchorage:opfs:${settings.name}`, lockWaitMs, () =>
    opened?.end(new VfsError('EBUSY', 'write', { hint: 'another tab took this stored filesystem over; reload this one' })),
  )
  try {
    opened = await openStore({
      settings,
      platform,
      onProblem: options.onProblem ?? (() => {}),
      onClose: () => lock.release(),
    })
  } catch (error) {
    lock.release()
    throw error
  }
  const { persistence } = opened
  if (!persistence.persistent) platform.warn(`anchorage: ${persistence.message}`)
  options.onPersistence?.(persistence)
  return opened.backend
}
