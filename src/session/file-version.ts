// A string that identifies the version of a file, also after a reload if the filesystem supports that (`VfsBackend.derived`).

import type { FileVersion } from '../search/index/records.ts'
import type { Stat } from '../vfs/backend.ts'

/**
 * Changes whenever the bytes of the file change. After a crash, a filesystem may assign its last numbers again; the modification
 * time then distinguishes the versions.
 */
export function versionOf({ ino, rev, sizeBytes, ctimeMs }: Stat): FileVersion {
  return `${ino}:${rev}:${sizeBytes}:${ctimeMs}`
}
