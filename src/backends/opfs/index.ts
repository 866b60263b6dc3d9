// A filesystem that survives a reload: the same tree as `memory()`, stored as a log in the origin private file system (OPFS).

import { checkOptions } from '../../core/argument.ts'
import type { VfsBackend } from '../../vfs/backend.ts'
import { lazyBackend } from './lazy-backend.ts'
import { storedCaps } from './caps.ts'
import type { OpfsBackend } from './mirror/attach.ts'
import { type OpenOpfsOptions, type OpfsOptions, optionNames, parseOptions } from './options.ts'

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
 * The store opens with the first operation, not here. Until it can be opened, each operation fails as {@link openOpfs} does. Every tab may
 * open it; see `tabs` in the options. Throws `AnchorageError` `opfs-options`.
 */
export function opfs(options: OpfsOptions): VfsBackend {
  checkOptions('opfs', options, optionNames)
  const settings = parseOptions({ ...options })
  return lazyBackend(storedCaps, { kind: 'opfs', ...settings }, () => openOpfs(settings))
}

/**
 * Opens the stored filesystem of `name`, with its synchronous side. Works only in a dedicated worker. If nothing is stored under that name
 * yet, it creates an empty store.
 *
 * Without OPFS or its synchronous handles, the files are kept in IndexedDB. Such a store has no synchronous side, answers each operation
 * when it is stored, and holds all files in memory while it is open. Without IndexedDB, the files are in memory only, and a warning is
 * reported.
 *
 * The first tab that opens a store holds its files. The other tabs work through that tab: they have no synchronous side, and each change
 * takes one message in each direction. When that tab ends for any reason, the next tab takes over within a second. If it does not answer,
 * changes fail with EAGAIN after ten seconds. Then `details.reason` is `leader-unresponsive`, and `details.fate` is `not-done` if the
 * change was certainly not made, or `unknown` if it may have been made (it is decided once a tab with the files answers). Watchers also
 * receive the changes of other tabs, with `origin`.
 *
 * Throws `VfsError` EBUSY (another tab has the store open and does not share it, or does not answer), ENOTSUP (not in a dedicated worker,
 * or the requested `storage` is not available), ENOSPC or EIO, and `AnchorageError` `store-damaged`, `store-newer`, `store-elsewhere`,
 * `store-missing` (the store was created once, and its files were removed) or `opfs-options`. It never returns an empty filesystem in
 * place of a store that exists or existed.
 */
export async function openOpfs(options: OpenOpfsOptions): Promise<OpfsBackend> {
  // Loaded on demand: a page that only passes the recipe on should not load the store.
  const store = await import('./open-opfs.ts')
  return await store.openOpfs(options)
}

/**
 * Removes the stored filesystem of `name` for good, wherever it is kept. Works on a page too. Does nothing if there is no such store. The
 * real files of a mirror stay. Throws `VfsError` EBUSY while a tab has the store open, EIO, and `AnchorageError` `opfs-options`.
 */
export async function deleteStore(name: string): Promise<void> {
  const store = await import('./delete-store.ts')
  await store.deleteStore(name)
}
