// The files that one call looks at. Where the filesystem can, all of the call sees one moment, so that its answer fits together
// although others write meanwhile.

import type { Vfs } from '../vfs/vfs.ts'
import type { FileReader } from './if-there.ts'

export interface FileSource extends FileReader {
  /** The moment, as the filesystem counts changes; `undefined` where files may change during the call. */
  readonly seq: number | undefined
  /** Calling it twice is fine. */
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
