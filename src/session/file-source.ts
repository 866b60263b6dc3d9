// The files that one call reads. If the filesystem has snapshots, all reads of a call use one snapshot, so that the result is
// consistent although other writers continue.

import type { Vfs } from '../vfs/vfs.ts'
import type { FileReader } from './if-there.ts'

export interface FileSource extends FileReader {
  /** The sequence number of the snapshot. `undefined` if files may change during the call. */
  readonly seq: number | undefined
  /** May be called twice. */
  readonly dispose: () => Promise<void>
}

export async function openFileSource(vfs: Vfs): Promise<FileSource> {
  if ((await vfs.caps()).snapshots) return vfs.snapshot()
  return {
    seq: undefined,
    lstat: path => vfs.lstat(path),
    readFile: (path, range) => vfs.readFile(path, range),
    readdir: path => vfs.readdir(path),
    ...(vfs.sync === undefined ? {} : { sync: vfs.sync }),
    dispose: () => Promise.resolve(),
  }
}
