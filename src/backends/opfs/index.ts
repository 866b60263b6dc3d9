// A filesystem that is still there after a reload: the tree of memory(), stored as a log in the origin private file system.

import type { VfsBackend } from '../../vfs/backend.ts'
import { lazyBackend } from './lazy-backend.ts'
import { storedCaps } from './caps.ts'
import type { OpfsBackend } from './mirror/attach.ts'
import { type OpenOpfsOptions, type OpfsOptions, parseOptions } from './options.ts'

export { type OpenOpfsOptions, type OpfsOptions, parseOptions } from './options.ts'
export type { MirrorSettings } from './mirror/settings.ts'
export { type PersistencePermission, requestPersistence } from './persistence.ts'
export type { Persistence, StorageKind } from './store-place.ts'
export { exportTo, importFrom, type Transferred, type TransferOptions } from './transfer.ts'
export type { DirectoryHandle } from './platform.ts'
export type { OnDamage } from './log/mount.ts'
export type { Durability } from './maintenance.ts'
export type { OpfsBackend } from './mirror/attach.ts'
export type { MirrorReport } from './mirror/mirror.ts'

/**
 * The stored filesystem of `name`.
 *
 * ```ts
 * const workspace = await connectWorkspace(createWorker, { fs: opfs({ name: 'project' }) })
 * ```
 *
 * It opens with the first operation and not here; each operation fails as {@link openOpfs} does until it can be opened. Every tab may
 * open it, see `tabs` of the options. Throws `AnchorageError` `opfs-options`.
 */
export function opfs(options: OpfsOptions): VfsBackend {
  const settings = parseOptions({ ...options })
  return lazyBackend(storedCaps, { kind: 'opfs', ...settings }, () => openOpfs(settings))
}

/**
 * The stored filesystem of `name`, ready, with its synchronous side; in a dedicated worker only. Where nothing is stored under that name
 * yet, an empty one is made.
 *
 * Where OPFS or its synchronous handles are missing the files are in IndexedDB, without a synchronous side (each operation is answered
 * when it is stored) and all of them in memory while it is open; where that is missing too they are in memory only, and loudly so.
 *
 * The first tab that opens a store has its files, and the others work on them through it: without a synchronous side, and each
 * change takes a message there and back. When that tab goes, however it goes, the next one takes over within a second. If it does not
 * answer, changes fail with EAGAIN after ten seconds; `details.reason` is `leader-unresponsive`, and `details.fate` says whether the
 * change is known not to have been made (`not-done`) or may have been (`unknown`: once a tab with the files answers, it is there or never
 * will be). Changes that other tabs made are told to those who watch, with `origin`.
 *
 * Throws `VfsError` EBUSY (another tab has it open and does not share it, or does not answer), ENOTSUP (no dedicated worker, or nothing of `storage` is there), ENOSPC or EIO, and
 * `AnchorageError` `store-damaged`, `store-newer`, `store-elsewhere`, `store-missing` (it was made once, and its files were removed) or
 * `opfs-options`. It never gives an empty filesystem in place of one that is there or was.
 */
export async function openOpfs(options: OpenOpfsOptions): Promise<OpfsBackend> {
  // Loaded when it is needed: a page that only passes the recipe on does not carry the store.
  const store = await import('./open-opfs.ts')
  return await store.openOpfs(options)
}

/**
 * Removes the stored filesystem of `name` for good, wherever it is kept; what is not there is fine. On a page too. The real files of a
 * mirror stay. Throws `VfsError` EBUSY while a tab has it open, EIO, and `AnchorageError` `opfs-options`.
 */
export async function deleteStore(name: string): Promise<void> {
  const store = await import('./delete-store.ts')
  await store.deleteStore(name)
}
