// A filesystem that is still there after a reload: the tree of memory(), stored as a log in the origin private file system.

import type { VfsBackend } from '../../vfs/backend.ts'
import { lazyBackend } from './lazy-backend.ts'
import { openOpfs, type OpfsOptions, parseOptions } from './open-opfs.ts'
import { storedCaps } from './stored-backend.ts'

export { openOpfs, type OpenOpfsOptions, type OpfsOptions, parseOptions } from './open-opfs.ts'
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
