// What tells one version of a file from another in one word, also after a reload where the filesystem promises it (`VfsBackend.derived`).

import type { FileVersion } from '../search/index/records.ts'
import type { Stat } from '../vfs/backend.ts'

/**
 * The same while the file's bytes are. A crash may take the last numbers of a filesystem with it, which are then given again: the time of
 * the change tells the two apart.
 */
export function versionOf({ ino, rev, sizeBytes, ctimeMs }: Stat): FileVersion {
  return `${ino}:${rev}:${sizeBytes}:${ctimeMs}`
}
