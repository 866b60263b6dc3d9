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

/** An entry of a walk. */
export interface WalkEntry extends Dirent {
  readonly path: string
  /** 1 for the root's own children. */
  readonly depth: number
}

/** Options of `walk`. */
export interface WalkOptions {
  /** Stops below this depth; default unlimited. */
  readonly maxDepth?: number | undefined
  /** After this many entries the walk throws an `AnchorageError` with code `walk-limit`; default 500,000. */
  readonly maxEntries?: number | undefined
  /** Directory names that are neither entered nor reported, such as `node_modules`. */
  readonly prune?: readonly string[] | undefined
  readonly signal?: AbortSignal | undefined
}

/** Options of `rm`. */
export interface RemoveOptions {
  /** Take a directory with all that is in it; else a directory is EISDIR. */
  readonly recursive?: boolean | undefined
  /** What is missing is fine. */
  readonly force?: boolean | undefined
  /** Take an empty directory and nothing else, as `rmdir` does: ENOTEMPTY, or ENOTDIR for what is no directory. */
  readonly emptyDirectory?: boolean | undefined
}

/** A text and the revision that it was read at. */
export interface TextAtRev {
  readonly text: string
  /** The file's `rev` when the text was read. */
  readonly rev: number
}

/** What the work of a batch may do; the same verbs as {@link Vfs}, on a private view that becomes real all at once. */
export interface BatchFs {
  /** The bytes of a file, or a range of them. The caller owns them. */
  readFile(path: string, range?: ReadRange): Promise<Uint8Array>
  /** The content as UTF-8. Throws `VfsError` EINVAL for other bytes. */
  readText(path: string): Promise<string>
  /** A text and the revision that it has, for a later `writeFile` with `ifRev`. */
  read(path: string): Promise<TextAtRev>
  /** Replaces the whole content in one step. Text is written as UTF-8. */
  writeFile(path: string, data: Uint8Array | string, options?: WriteOptions): Promise<Stat>
  /** Follows symlinks. */
  stat(path: string): Promise<Stat>
  /** Does not follow a symlink in the last place. */
  lstat(path: string): Promise<Stat>
  /** False for a symlink that leads nowhere. */
  exists(path: string): Promise<boolean>
  /** The entries of a directory, sorted by UTF-16 code unit. */
  readdir(path: string): Promise<Dirent[]>
  /** With `recursive` missing parents are made, and an existing directory is no error. */
  mkdir(path: string, options?: { readonly recursive?: boolean; readonly mode?: number }): Promise<void>
  /** Removes a file or, with `recursive`, a directory with all its entries. */
  rm(path: string, options?: RemoveOptions): Promise<void>
  /** Replaces what POSIX allows to replace: docs/filesystem.md#rename. */
  rename(from: string, to: string): Promise<void>
  /** Makes a symlink. `target` is kept as given and need not exist. */
  symlink(target: string, path: string): Promise<void>
  /** The target of a symlink as it was given. */
  readlink(path: string): Promise<string>
  /** The path with every symlink resolved. */
  realpath(path: string): Promise<string>
  /** Sets the permission bits, which are stored and not enforced. */
  chmod(path: string, mode: number): Promise<void>
  /** Sets the modification time, in milliseconds. */
  utimes(path: string, mtimeMs: number): Promise<void>
}

/** Options of `batch`. */
export interface VfsBatchOptions {
  /** path → `rev` that the work is based on, 0 for "must not exist". A mismatch is ESTALE and nothing is changed. */
  readonly expect?: Readonly<Record<string, number>> | undefined
}

/** A filesystem as it was at one moment; reading it never sees later changes. */
export interface VfsSnapshot {
  readonly seq: number
  /** The bytes of a file, or a range of them. The caller owns them. */
  readFile(path: string, range?: ReadRange): Promise<Uint8Array>
  /** The content as UTF-8. Throws `VfsError` EINVAL for other bytes. */
  readText(path: string): Promise<string>
  /** A text and the revision that it had. */
  read(path: string): Promise<TextAtRev>
  /** Follows symlinks. */
  stat(path: string): Promise<Stat>
  /** Does not follow a symlink in the last place. */
  lstat(path: string): Promise<Stat>
  /** The entries of a directory, sorted by UTF-16 code unit. */
  readdir(path: string): Promise<Dirent[]>
  /** False for a symlink that leads nowhere. */
  exists(path: string): Promise<boolean>
  /** The target of a symlink as it was given. */
  readlink(path: string): Promise<string>
  /**
   * What turned these files into those of `to`, a later snapshot, or by default into what they are now: by path, in time in proportion to
   * what changed. ENOTSUP where the filesystem cannot compare, EINVAL for a snapshot of another filesystem.
   */
  diff(to?: VfsSnapshot): Promise<readonly Difference[]>
  /** The fast path beside the filesystem; see {@link Vfs.sync}. */
  readonly sync?: Pick<VfsSync, 'lookup' | 'list' | 'read'>
  /** Releases the snapshot. Calling it twice has no effect. */
  dispose(): Promise<void>
}

/**
 * The filesystem as hosts and tools use it. Paths are absolute POSIX paths. Errors are `VfsError` with `code`, `path` and `syscall`, and
 * Node's message format.
 */
export interface Vfs extends BatchFs {
  /** What the filesystem that holds `path` can do. */
  caps(path?: string): Promise<VfsCaps>
  /** Files and directory trees; symlinks are copied as links. */
  copy(from: string, to: string, options?: { readonly recursive?: boolean; readonly force?: boolean }): Promise<void>
  /** Gives a file a second name. */
  link(existing: string, path: string): Promise<void>
  /** Every entry below `root` in one call, parents before children, siblings by name. Symlinks are reported, never followed. */
  walk(root: string, options?: WalkOptions): AsyncIterable<WalkEntry>
  /** Resolves once the watch is set. */
  watch(path: string, listener: (batch: ChangeBatch) => void, options?: WatchOptions): Promise<Unsubscribe>
  /** Commits all of `work` or none of it. */
  batch<T>(work: (fs: BatchFs) => T | Promise<T>, options?: VfsBatchOptions): Promise<T>
  /** The files as they are now. Dispose of it when it is no longer needed. */
  snapshot(): Promise<VfsSnapshot>
  /** How much room the files take, where the backend knows it. */
  usage(): Promise<Usage>
  /** Everything acknowledged before is durable. */
  flush(): Promise<void>
  /** The fast path beside the filesystem. Absent over a Worker and where a backend has none. */
  readonly sync?: VfsSync
}
