// A filesystem that is still there after a reload: the tree of memory(), stored as a log in the origin private file system.

import type { VfsBackend } from '../../vfs/backend.ts'
import { lazyBackend } from './lazy-backend.ts'
import { storedCaps } from './caps.ts'
import { type OpenOpfsOptions, type OpfsOptions, parseOptions } from './options.ts'

export { type OpenOpfsOptions, type OpfsOptions, parseOptions } from './options.ts'
export { type Persistence, requestPersistence } from './persistence.ts'
export { exportTo, importFrom, type Transferred, type TransferOptions } from './transfer.ts'
export type { DirectoryHandle } from './platform.ts'
export type { OnDamage } from './log/mount.ts'
export type { Durability } from './maintenance.ts'

/**
 * The stored filesystem of `name`.
 *
 * ```ts
 * const workspace = await connectWorkspace(createWorker, { fs: opfs({ name: 'project' }) })
 * ```
 *
 * It opens with the first operation and not here; each operation fails as {@link openOpfs} does until it can be opened. One tab or
 * worker has it open at a time. Throws `AnchorageError` `opfs-options`.
 */
export function opfs(options: OpfsOptions): VfsBackend {
  const settings = parseOptions({ ...options })
  return lazyBackend(storedCaps, { kind: 'opfs', ...settings }, () => openOpfs(settings))
}

/**
 * The stored filesystem of `name`, ready, with its synchronous side; in a dedicated worker only. Where nothing is stored under that name
 * yet, an empty one is made.
 *
 * Throws `VfsError` EBUSY (another tab has it open), ENOTSUP (this scope or browser cannot hold it), ENOSPC or EIO, and
 * `AnchorageError` `store-damaged`, `store-newer` or `opfs-options`. It never gives an empty filesystem in place of one that is there.
 */
export async function openOpfs(options: OpenOpfsOptions): Promise<VfsBackend> {
  // Loaded when it is needed: a page that only passes the recipe on does not carry the store.
  const store = await import('./open-opfs.ts')
  return await store.openOpfs(options)
}
