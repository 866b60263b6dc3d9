// The primitives work on this: nodes at real paths, with stats as the port defines them. There are two implementations: the host with its
// ledger (live-disk.ts), and a transaction's private view of it (draft.ts).

import type { VfsPath } from '../../core/path.ts'
import type { Dirent, Stat } from '../backend.ts'
import type { HostAttributes } from './host.ts'

export interface DiskStat extends Stat {
  /** See `HostStat`. */
  readonly isSpecial?: boolean
}

export interface DiskWrite {
  /** The mode of a new file. */
  readonly mode: number
  readonly append: boolean
  /** See `HostWrite`. */
  readonly at?: number | undefined
  /** One of the file's names is a backup for undo, and must keep the old content. */
  readonly isAside?: boolean
}

/** Performs every request without checking it: the primitives have checked it. */
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
  setattr(path: VfsPath, attributes: HostAttributes): Stat
}
