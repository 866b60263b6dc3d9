// What it takes to make a filesystem that exists already (a directory of the machine, a memfs volume) into a backend. A host only
// acts: which paths mean what, and what is allowed, was decided before, so a host's own rules about it never come to bear.

import type { VfsPath } from '../../core/path.ts'
import type { Dirent, EntryKind } from '../backend.ts'

export interface HostStat {
  readonly kind: EntryKind
  readonly sizeBytes: number
  readonly mode: number
  readonly mtimeMs: number
  readonly ctimeMs: number
  readonly nlink: number
  /** Left out where the host's numbers are of no use; the ledger then gives one. */
  readonly ino?: number
  /** What the node is called as long as it lives. Another one may have it afterwards. */
  readonly key: string
  /** Differs whenever the content or the attributes do, as far as the host can tell. */
  readonly print: string
  /** Differs too when only the node's names changed. */
  readonly namePrint: string
  /** A device, a socket or a pipe: it can be seen, renamed and removed, and nothing else. */
  readonly isSpecial?: boolean
}

export interface HostWrite {
  /** Of the file afterwards, also if it was there. */
  readonly mode: number
  readonly mtimeMs: number
  readonly append: boolean
  /** What is replaced. One that has several names must keep them all. */
  readonly existing: HostStat | undefined
}

/** Paths are real: no '..', and no symlink before the last name. No method follows one in the last place. Errors have a `code`. */
export interface HostFs {
  /** Whether writing replaces the node by a new one, so that a second name given before keeps the old content. */
  readonly replacesFiles: boolean
  /** Whether `path` is a directory, and no name in it is a symlink. */
  isPlainDirectory(path: VfsPath): boolean
  /** `undefined` for nothing. The directory that it would lie in is a plain one. */
  lstat(path: VfsPath): HostStat | undefined
  /** In any order. */
  list(path: VfsPath): Dirent[]
  /** Fresh bytes from `start` up to `end`, both clamped to the size. */
  read(path: VfsPath, start: number, end: number): Uint8Array
  readlink(path: VfsPath): string
  write(path: VfsPath, bytes: Uint8Array, options: HostWrite): void
  mkdir(path: VfsPath, mode: number): void
  symlink(target: string, path: VfsPath): void
  link(existing: VfsPath, path: VfsPath): void
  unlink(path: VfsPath): void
  rmdir(path: VfsPath): void
  /** Whatever lies at `to` is known to be replaceable. */
  rename(from: VfsPath, to: VfsPath): void
  setattr(path: VfsPath, attributes: { readonly mode?: number; readonly mtimeMs?: number }): void
  /** Runs around each operation: what a host holds on to meanwhile it lets go of at the end. */
  within<T>(act: () => T): T
  /**
   * Tells, until it is ended, where something may have changed: late, perhaps, and perhaps by our own doing. `undefined` for anywhere,
   * such as after it failed.
   */
  notices?(listener: (path: VfsPath | undefined) => void): () => void
  flush(): void
  close(): void
}
