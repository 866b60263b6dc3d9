// What the primitives work on: nodes at real paths, with stats as the port means them. There are two: the host itself, with the ledger
// beside it (live-disk.ts), and a transaction's private view of it (draft.ts).

import type { VfsPath } from '../../core/path.ts'
import type { Dirent, Stat } from '../backend.ts'

export interface DiskStat extends Stat {
  /** See `HostStat`. */
  readonly isSpecial?: boolean
}

export interface DiskWrite {
  /** Of a file that is made. */
  readonly mode: number
  readonly append: boolean
  /** One of the file's names was given only to put it back later, and is to keep the old content. */
  readonly isAside?: boolean
}

/** Everything is allowed that gets here: the primitives have checked it. */
export interface Disk {
  isPlainDirectory(path: VfsPath): boolean
  lstat(path: VfsPath): DiskStat | undefined
  /** Sorted. */
  list(path: VfsPath): Dirent[]
  read(path: VfsPath, start: number, end: number): Uint8Array
  readlink(path: VfsPath): string
  write(path: VfsPath, bytes: Uint8Array, options: DiskWrite): Stat
  mkdir(path: VfsPath, mode: number): Stat
  symlink(target: string, path: VfsPath): Stat
  link(existing: VfsPath, path: VfsPath): Stat
  unlink(path: VfsPath): void
  rmdir(path: VfsPath): void
  rename(from: VfsPath, to: VfsPath): void
  setattr(path: VfsPath, attributes: { readonly mode?: number; readonly mtimeMs?: number }): Stat
}
