// What is needed to turn an existing filesystem (a directory on disk, a memfs volume) into a backend. A host only acts: paths are resolved
// and permission is checked before, so that a host's rules about these never apply.

import type { VfsPath } from '../../core/path.ts'
import type { Attributes, Dirent, EntryKind } from '../backend.ts'

export interface HostStat {
  readonly kind: EntryKind
  readonly sizeBytes: number
  readonly mode: number
  readonly atimeMs: number
  readonly mtimeMs: number
  readonly ctimeMs: number
  readonly nlink: number
  /** Absent if the host's numbers are unusable; then the ledger assigns one. */
  readonly ino?: number
  /** Identifies the node while it exists. Another node may get the same key afterwards. */
  readonly key: string
  /** Changes whenever the content or the attributes change, as far as the host can tell. */
  readonly print: string
  /** Changes also when only the node's names changed. */
  readonly namePrint: string
  /** A device, a socket or a pipe: it can only be listed, renamed and removed. */
  readonly isSpecial?: boolean
}

/** What a host can set. */
export type HostAttributes = Pick<Attributes, 'mode' | 'mtimeMs' | 'atimeMs'>

export interface HostWrite {
  /** The mode of the file afterwards, also if it existed. */
  readonly mode: number
  readonly mtimeMs: number
  readonly append: boolean
  /** The file that is replaced. If it has several names, all of them must remain names of it. */
  readonly existing: HostStat | undefined
}

/** Operations on nodes. Paths are real: no '..', and no symlink before the last name, which is not followed. */
export interface NodeOperations<Found, Write, Made> {
  /** Whether `path` is a directory, and no name in it is a symlink. */
  isPlainDirectory(path: VfsPath): boolean
  /** `undefined` if nothing is there. Its parent is a plain directory. */
  lstat(path: VfsPath): Found | undefined
  list(path: VfsPath): Dirent[]
  /** A copy of the bytes from `start` to `end`, both clamped to the size. */
  read(path: VfsPath, start: number, end: number): Uint8Array
  readlink(path: VfsPath): string
  write(path: VfsPath, bytes: Uint8Array, options: Write): Made
  mkdir(path: VfsPath, mode: number): Made
  symlink(target: string, path: VfsPath): Made
  link(existing: VfsPath, path: VfsPath): Made
  unlink(path: VfsPath): void
  rmdir(path: VfsPath): void
  /** The caller has checked that `to` may be replaced. */
  rename(from: VfsPath, to: VfsPath): void
  setattr(path: VfsPath, attributes: HostAttributes): Made
}

/** Lists in any order. Errors have a `code`. */
export interface HostFs extends NodeOperations<HostStat, HostWrite, void> {
  /** Whether writing replaces the node with a new one, so that an earlier second name keeps the old content. */
  readonly replacesFiles: boolean
  /** Runs around each operation. A host may cache data during it, and drops the data at the end. */
  within<T>(act: () => T): T
  /**
   * Reports where something may have changed, until the returned function is called. The reports may be late, and may be about our changes.
   * `undefined` means anywhere, for example after the notices failed.
   */
  notices?(listener: (path: VfsPath | undefined) => void): () => void
  /** Writes over a part of an existing file in place, from byte `at` on. False: it cannot, and nothing is written. */
  patch?(path: VfsPath, bytes: Uint8Array, options: { readonly at: number; readonly mtimeMs: number }): boolean
  /** Makes what was patched below `path` durable, if `patch` does not wait for the disk. */
  settle?(path: VfsPath): void
  flush(): void
  close(): void
}
