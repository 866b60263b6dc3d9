// What tools, hosts and pages use: familiar verbs over the port. Paths are absolute POSIX text, checked once on the way in.
// The same interface is implemented over a Worker (worker/client.ts), so nothing here may need a shared object.

import type {
  ChangeBatch,
  Difference,
  Dirent,
  ReadRange,
  Stat,
  Unsubscribe,
  Usage,
  VfsCaps,
  VfsSync,
  WatchOptions,
  WriteOptions,
} from './backend.ts'

export interface WalkEntry extends Dirent {
  readonly path: string
  /** 1 for the root's own children. */
  readonly depth: number
}

export interface WalkOptions {
  /** Stops below this depth; default unlimited. */
  readonly maxDepth?: number | undefined
  /** After this many entries the walk throws an `AnchorageError` with code `walk-limit`; default 500,000. */
  readonly maxEntries?: number | undefined
  /** Directory names that are neither entered nor reported, such as `node_modules`. */
  readonly prune?: readonly string[] | undefined
  readonly signal?: AbortSignal | undefined
}

export interface RemoveOptions {
  /** Take a directory with all that is in it; else a directory is EISDIR. */
  readonly recursive?: boolean | undefined
  /** What is missing is fine. */
  readonly force?: boolean | undefined
  /** Take an empty directory and nothing else, as `rmdir` does: ENOTEMPTY, or ENOTDIR for what is no directory. */
  readonly emptyDirectory?: boolean | undefined
}

export interface TextAtRev {
  readonly text: string
  /** The file's `rev` when the text was read. */
  readonly rev: number
}

/** What the work of a batch may do; the same verbs as {@link Vfs}, on a private view that becomes real all at once. */
export interface BatchFs {
  readFile(path: string, range?: ReadRange): Promise<Uint8Array>
  readText(path: string): Promise<string>
  /** A text and the revision that it has, for a later `writeFile` with `ifRev`. */
  read(path: string): Promise<TextAtRev>
  writeFile(path: string, data: Uint8Array | string, options?: WriteOptions): Promise<Stat>
  stat(path: string): Promise<Stat>
  lstat(path: string): Promise<Stat>
  exists(path: string): Promise<boolean>
  readdir(path: string): Promise<Dirent[]>
  mkdir(path: string, options?: { readonly recursive?: boolean; readonly mode?: number }): Promise<void>
  rm(path: string, options?: RemoveOptions): Promise<void>
  rename(from: string, to: string): Promise<void>
  symlink(target: string, path: string): Promise<void>
  readlink(path: string): Promise<string>
  realpath(path: string): Promise<string>
  chmod(path: string, mode: number): Promise<void>
  utimes(path: string, mtimeMs: number): Promise<void>
}

export interface VfsBatchOptions {
  /** path → `rev` that the work is based on, 0 for "must not exist". A mismatch is ESTALE and nothing is changed. */
  readonly expect?: Readonly<Record<string, number>> | undefined
}

/** A filesystem as it was at one moment; reading it never sees later changes. */
export interface VfsSnapshot {
  readonly seq: number
  readFile(path: string, range?: ReadRange): Promise<Uint8Array>
  readText(path: string): Promise<string>
  /** A text and the revision that it had. */
  read(path: string): Promise<TextAtRev>
  stat(path: string): Promise<Stat>
  lstat(path: string): Promise<Stat>
  readdir(path: string): Promise<Dirent[]>
  exists(path: string): Promise<boolean>
  readlink(path: string): Promise<string>
  /**
   * What turned these files into those of `to`, a later snapshot, or by default into what they are now: by path, in time in proportion to
   * what changed. ENOTSUP where the filesystem cannot compare, EINVAL for a snapshot of another filesystem.
   */
  diff(to?: VfsSnapshot): Promise<readonly Difference[]>
  /** The fast path beside the filesystem; see {@link Vfs.sync}. */
  readonly sync?: Pick<VfsSync, 'lookup' | 'list' | 'read'>
  dispose(): Promise<void>
}

export interface Vfs extends BatchFs {
  /** What the filesystem that holds `path` can do. */
  caps(path?: string): Promise<VfsCaps>
  /** Files and directory trees; symlinks are copied as links. */
  copy(from: string, to: string, options?: { readonly recursive?: boolean; readonly force?: boolean }): Promise<void>
  link(existing: string, path: string): Promise<void>
  /** Every entry below `root` in one call, parents before children, siblings by name. Symlinks are reported, never followed. */
  walk(root: string, options?: WalkOptions): AsyncIterable<WalkEntry>
  /** Resolves once the watch is set. */
  watch(path: string, listener: (batch: ChangeBatch) => void, options?: WatchOptions): Promise<Unsubscribe>
  /** Commits all of `work` or none of it. */
  batch<T>(work: (fs: BatchFs) => T | Promise<T>, options?: VfsBatchOptions): Promise<T>
  snapshot(): Promise<VfsSnapshot>
  usage(): Promise<Usage>
  /** Everything acknowledged before is durable. */
  flush(): Promise<void>
  /** The fast path beside the filesystem. Absent over a Worker and where a backend has none. */
  readonly sync?: VfsSync
}
