// What tools, hosts and pages use: familiar operations over the port. Paths are absolute POSIX text, checked once on entry. The same
// interface is implemented over a Worker (worker/client.ts), so nothing here may need a shared object.

import type { ActorName } from '../core/actor.ts'
import type { HashName } from '../core/hasher.ts'
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
  /** Remove a directory with all its entries; otherwise a directory fails with EISDIR. */
  readonly recursive?: boolean | undefined
  /** Ignore a missing path. */
  readonly force?: boolean | undefined
  /** Remove only an empty directory, as `rmdir` does: otherwise ENOTEMPTY, or ENOTDIR if it is not a directory. */
  readonly emptyDirectory?: boolean | undefined
}

/** A text and the revision that it was read at. */
export interface TextAtRev {
  readonly text: string
  /** The file's `rev` when the text was read. */
  readonly rev: number
}

/** The operations in a batch; the same as in {@link Vfs}, on a private view that is committed as a whole. */
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
  /** Does not follow a symlink as the last name. */
  lstat(path: string): Promise<Stat>
  /** False for a dangling symlink. */
  exists(path: string): Promise<boolean>
  /** The entries of a directory, sorted by UTF-16 code unit. */
  readdir(path: string): Promise<Dirent[]>
  /** With `recursive`, creates missing parents with the same mode, and an existing directory is not an error. */
  mkdir(path: string, options?: { readonly recursive?: boolean; readonly mode?: number }): Promise<void>
  /** Removes a file or, with `recursive`, a directory with all its entries. */
  rm(path: string, options?: RemoveOptions): Promise<void>
  /** Replaces an existing entry if POSIX allows it: docs/filesystem.md#rename. */
  rename(from: string, to: string): Promise<void>
  /** Creates a symlink. `target` is stored as given and need not exist. */
  symlink(target: string, path: string): Promise<void>
  /** The target of a symlink as it was given. */
  readlink(path: string): Promise<string>
  /** The path with every symlink resolved. */
  realpath(path: string): Promise<string>
  /** Sets the permission bits, which are stored and not enforced. */
  chmod(path: string, mode: number): Promise<void>
  /** Sets the modification time and, if it is given, the time of the last read, in milliseconds. */
  utimes(path: string, mtimeMs: number, atimeMs?: number): Promise<void>
}

/** Options of `hash`. */
export interface HashOptions {
  readonly signal?: AbortSignal | undefined
}

/** Options of `batch`. */
export interface VfsBatchOptions {
  /** path → `rev` that the work is based on, 0 for "must not exist". On a mismatch it fails with ESTALE and changes nothing. */
  readonly expect?: Readonly<Record<string, number>> | undefined
}

/** A filesystem as it was at one time; reading it never shows later changes. */
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
  /** Does not follow a symlink as the last name. */
  lstat(path: string): Promise<Stat>
  /** The entries of a directory, sorted by UTF-16 code unit. */
  readdir(path: string): Promise<Dirent[]>
  /** False for a dangling symlink. */
  exists(path: string): Promise<boolean>
  /** The target of a symlink as it was given. */
  readlink(path: string): Promise<string>
  /**
   * The differences to `to`, a later snapshot, or by default to the current files: by path, in time proportional to the differences.
   * ENOTSUP if the filesystem cannot compare, EINVAL for a snapshot of another filesystem.
   */
  diff(to?: VfsSnapshot): Promise<readonly Difference[]>
  /** Synchronous access in the same thread; see {@link Vfs.sync}. */
  readonly sync?: Pick<VfsSync, 'lookup' | 'list' | 'read'>
  /** Releases the snapshot. Calling it twice has no effect. */
  dispose(): Promise<void>
}

/**
 * The filesystem as hosts and tools use it. Paths are absolute POSIX paths. Errors are `VfsError` with `code`, `path` and `syscall`, and
 * Node's message format.
 */
export interface Vfs extends BatchFs {
  /** The capabilities of the filesystem that holds `path`. */
  caps(path?: string): Promise<VfsCaps>
  /** Files and directory trees; symlinks are copied as links. */
  copy(from: string, to: string, options?: { readonly recursive?: boolean; readonly force?: boolean }): Promise<void>
  /** Gives a file a second name. */
  link(existing: string, path: string): Promise<void>
  /** Every entry below `root` in one call, parents before children, siblings by name. Symlinks are reported, never followed. */
  walk(root: string, options?: WalkOptions): AsyncIterable<WalkEntry>
  /** Resolves once the watch is set. */
  watch(path: string, listener: (batch: ChangeBatch) => void, options?: WatchOptions): Promise<Unsubscribe>
  /** Commits all of `work` or nothing. */
  batch<T>(work: (fs: BatchFs) => T | Promise<T>, options?: VfsBatchOptions): Promise<T>
  /** The current files. Dispose of the snapshot when it is no longer needed. */
  snapshot(): Promise<VfsSnapshot>
  /**
   * The same files for someone whose changes are reported as its own (`Change.by`): an actor, its kind (`'person'`), or any other name,
   * which is a part of the host.
   *
   * ```ts
   * await workspace.fs.as('importer').writeFile('/data.csv', rows) // by: { actor: { kind: 'host', name: 'importer' } }
   * ```
   */
  as(actor: ActorName): Vfs
  /**
   * The hash of a file's content in lower-case hexadecimal digits. The file is read in pieces. `xxh128` is ENOTSUP where WebAssembly cannot
   * be compiled.
   */
  hash(path: string, algorithm: HashName, options?: HashOptions): Promise<string>
  /** How much space the files take, if the backend knows it. */
  usage(): Promise<Usage>
  /** Resolves when everything that was acknowledged before is durable. */
  flush(): Promise<void>
  /** Synchronous access in the same thread. Absent over a Worker and if the backend has none. */
  readonly sync?: VfsSync
}
