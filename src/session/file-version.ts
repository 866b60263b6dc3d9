// Distinguishes versions of a file in one string, also after a reload if the filesystem supports it (`VfsBackend.derived`).

import type { FileVersion } from '../search/index/records.ts'
import type { Stat } from '../vfs/backend.ts'

/**
 * The same as long as the file's bytes are. After a crash, a filesystem may assign its last numbers again; then the time of the change
 * distinguishes the versions.
 */
export function versionOf({ ino, rev, sizeBytes, ctimeMs }: Stat): FileVersion {
  return `${ino}:${rev}:${sizeBytes}:${ctimeMs}`
}
