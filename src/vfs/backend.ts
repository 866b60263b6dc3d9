// The port that a filesystem implements: twelve primitives and a record of what it can do. docs/filesystem.md describes the contract,
// port.ts lists the primitives as a table, and the facade derives everything else.

import type { DerivedStorage } from '../core/derived-storage.ts'
import type { RecordStorage } from '../core/record-storage.ts'
import type { Attribution } from '../core/actor.ts'
import type { VfsPath } from '../core/path.ts'

/** The kinds of entries. There are no devices, sockets or pipes. */
export type EntryKind = 'file' | 'directory' | 'symlink'

/** The stat of a node. */
export interface Stat {
  readonly kind: EntryKind
  /** Size of the content in bytes; for a symlink, the size of its target. */
  readonly sizeBytes: number
  /** Permission bits (`0o7777`). Stored, never enforced. */
  readonly mode: number
  /** Milliseconds, strictly increasing per node: two changes never share one. They have a fraction only where a program has set one. */
  readonly mtimeMs: number
  /** When content, attributes or names last changed, in milliseconds. */
  readonly ctimeMs: number
  /** Stable for a node, new when its content is replaced: programs that compare stats, such as git, see every change. */
  readonly ino: number
  /** Where in the filesystem's sequence of changes this node last changed: the token for compare-and-swap. */
  readonly rev: number
  /** Names of the file: more than 1 with hard links. */
  readonly nlink: number
  /** User ID of the owner. Absent for 0, and if owners are not stored. */
  readonly uid?: number
  /** Group ID of the owner. Absent for 0, and if owners are not stored. */
  readonly gid?: number
  /** Time of the last read, if a program has set it; reading does not change it. */
  readonly atimeMs?: number
}

/** One name in a directory, always with its kind, so that no listing needs a stat for each entry. */
export interface Dirent {
  readonly name: string
  readonly kind: EntryKind
}

/** The capabilities of a backend. Callers check this record; they never find out by catching errors. */
export interface VfsCaps {
  /** `backend.sync` exists. */
  readonly sync: boolean
  readonly persistent: boolean
  readonly readonly: boolean
  readonly symlinks: 'native' | 'emulated' | 'none'
  readonly hardlinks: boolean
  readonly mode: boolean
  /** `setattr` stores owners. If absent, they are ignored. */
  readonly owners?: boolean
  readonly mtime: 'exact' | 'approximate' | 'none'
  readonly atomicWrite: boolean
  readonly atomicRename: boolean
  /** `backend.batch` exists. */
  readonly transactions: boolean
  /** `backend.snapshot` exists. */
  readonly snapshots: boolean
  readonly watch: 'exact' | 'hint' | 'none'
  readonly ranges: boolean
  readonly caseSensitive: boolean
  readonly maxNameBytes: number
  readonly maxFileBytes: number
  /** What a host should tell the user about these files, such as that they are lost with the page. A sentence or two. */
  readonly notice?: string
}

/** A range of bytes of a file. */
export interface ReadRange {
  /** First byte, 0-based; default 0. */
  readonly start?: number | undefined
  /** End of the range, exclusive; default the end of the file. A larger number means the end of the file. */
  readonly end?: number | undefined
}

/** Options of `writeFile`. */
export interface WriteOptions {
  /** Permission bits for a new file; an existing file keeps its mode. */
  readonly mode?: number | undefined
  /** Default `if-missing`. `exclusive`: EEXIST if the file exists. `never`: ENOENT if it is missing. */
  readonly create?: 'if-missing' | 'exclusive' | 'never' | undefined
  /** Write only if the file still has this `rev`, else ESTALE; 0 means "only if missing". */
  readonly ifRev?: number | undefined
  readonly append?: boolean | undefined
  /**
   * The filesystem may take the array of `data` instead of copying it, which leaves it empty: do not use it afterwards, even if the write
   * fails. In memory, in OPFS and IndexedDB, and on the way to a worker, this saves a copy. Still copied are a part of a larger buffer,
   * shared memory, memory of WebAssembly, appended data, and a small change of a large file.
   */
  readonly transfer?: boolean | undefined
  /** Create missing parent directories. */
  readonly parents?: boolean | undefined
}

/** Attributes to set. Absent ones do not change. */
export interface Attributes {
  readonly mode?: number
  readonly mtimeMs?: number
  /** Time of the last read. OPFS and IndexedDB do not store it. */
  readonly atimeMs?: number
  /** User ID. Stored if `VfsCaps.owners` is set. */
  readonly uid?: number
  /** Group ID. Stored if `VfsCaps.owners` is set. */
  readonly gid?: number
  /** Default true: change the target of a symlink, not the link. */
  readonly follow?: boolean
}

/** The primitives as plain functions. A backend that can answer synchronously offers this as `sync`. */
export interface VfsSync {
  /** `follow` (default true) also resolves a symlink as the last name. */
  lookup(path: VfsPath, options?: { readonly follow?: boolean }): Stat
  /** Sorted by UTF-16 code unit. */
  list(path: VfsPath): Dirent[]
  /** The caller owns the bytes. */
  read(path: VfsPath, range?: ReadRange): Uint8Array
  /** Replaces the whole content in one step, or changes nothing. `data` is copied, unless it is given away. */
  write(path: VfsPath, data: Uint8Array, options?: WriteOptions): Stat
  /** Creates one directory: EEXIST, ENOENT, ENOTDIR. */
  mkdir(path: VfsPath, options?: { readonly mode?: number }): void
  /** `file` removes a file or a symlink (EISDIR for a directory), `directory` an empty directory (ENOTDIR, ENOTEMPTY). */
  remove(path: VfsPath, kind: 'file' | 'directory'): void
  /** docs/filesystem.md#rename lists which kinds of entry may replace each other. */
  rename(from: VfsPath, to: VfsPath, options?: { readonly noReplace?: boolean }): void
  /** A second name for the same file; EPERM for a directory. Only where `caps.hardlinks`. */
  link(existing: VfsPath, path: VfsPath): void
  /** `target` is stored as given. */
  symlink(target: string, path: VfsPath): void
  /** The target as it was given. EINVAL if `path` is not a symlink. */
  readlink(path: VfsPath): string
  /** The path with every symlink and '..' resolved. */
  realpath(path: VfsPath): VfsPath
  /** Sets mode and times. */
  setattr(path: VfsPath, attributes: Attributes): void
}

type Asynchronous<T> = {
  readonly [K in keyof T]: T[K] extends (...args: infer A) => infer R ? (...args: A) => Promise<R> : never
}

/** What a transaction may use: the primitives, on a private view that shows its changes before they are committed. */
export type VfsTransaction = VfsSync

/** Options of `batch`. */
export interface BatchOptions {
  /** Revisions that the caller's work is based on; 0 means "must not exist". On a mismatch it fails with ESTALE and changes nothing. */
  readonly expect?: ReadonlyMap<VfsPath, number> | undefined
}

/** One change, after it happened. There is exactly one per logical operation; the changes of a batch are reported together. */
export interface Change {
  readonly seq: number
  readonly type: 'create' | 'modify' | 'attributes' | 'move' | 'delete'
  readonly path: VfsPath
  /** For `move`: the old path. */
  readonly oldPath?: VfsPath
  readonly kind: EntryKind
  readonly rev: number
  /**
   * Where the change was made: `shell` for a command, the other tab's name for a change in another tab, and `name/shell` for a command
   * there. Absent for the tools and the host of this tab, and if it is unknown, for example when another program changes a directory on
   * disk.
   */
  readonly origin?: string
  /** Who made the change. Absent for the host's `workspace.fs`, and if it is unknown. */
  readonly by?: Attribution
}

/**
 * A difference between two states. `delete` of a directory includes everything in it, and gives its old path. For a new directory, each
 * entry is a `create`. A `move` of a directory includes its entries.
 */
export type Difference = Omit<Change, 'seq' | 'origin' | 'by'>

/** Changes that were committed together. */
export interface ChangeBatch {
  readonly changes: readonly Change[]
  /** Some earlier changes are no longer known: list the files again instead of updating a copy. */
  readonly overflow: boolean
}

/** Options of `watch`. */
export interface WatchOptions {
  /** Default true. */
  readonly recursive?: boolean | undefined
  /** First replay the changes after this sequence number. */
  readonly sinceSeq?: number | undefined
  /**
   * Call the listener during the commit, before the operation returns, so that a snapshot taken there includes this change and no later
   * one. The listener must be fast and must not change files.
   */
  readonly immediate?: boolean | undefined
}

/** Ends a subscription. May be called twice. */
export type Unsubscribe = () => void

/** A filesystem as it was at one time. */
export interface Snapshot {
  readonly seq: number
  readonly fs: Pick<VfsSync, 'lookup' | 'list' | 'read' | 'readlink' | 'realpath'>
  /** The size of the file at a real path, or 0 for another entry; throws as `lookup`. Costs less than `fs` if that is not used otherwise. */
  readonly sizeBytesAt?: (path: VfsPath) => number
}

/** How much space the files take. */
export interface Usage {
  readonly bytes: number
  readonly nodes: number
  readonly quotaBytes?: number
}

/**
 * How to create a backend on the other side of a Worker, as plain data. `kind` names a factory that the worker knows.
 * A backend without a recipe (because it wraps a live object) can only be created inside the worker.
 */
export interface BackendRecipe {
  readonly kind: string
  /** For a filesystem made of others: the recipe of each part. */
  readonly parts?: Readonly<Record<string, BackendRecipe>>
  readonly [option: string]: unknown
}

/**
 * The port that a filesystem implements: twelve primitives, a record of capabilities, and optional accelerators. Errors are
 * `VfsError` with a POSIX code. docs/filesystem.md describes the contract, and `anchorage/testing` has it as test cases.
 */
export interface VfsBackend extends Asynchronous<VfsSync> {
  readonly caps: VfsCaps
  /** For a backend made of several: the capabilities of the one that holds `path`. */
  readonly capsAt?: (path: VfsPath) => VfsCaps
  /** Directories where other filesystems are mounted. They and their parent directories cannot be removed or renamed. */
  readonly mountPoints?: readonly VfsPath[]
  /** Resolves when everything that was acknowledged is durable. */
  flush(): Promise<void>
  /** May be called twice. */
  close(): Promise<void>

  readonly recipe?: BackendRecipe
  /**
   * Creates the files that were given by relative path below `root`. The workspace calls it once, before anything else, with its root as
   * this backend sees it. Without a call, the first operation creates them below '/'.
   */
  readonly placeFiles?: (root: VfsPath) => void
  readonly sync?: VfsSync
  /**
   * Commits everything or nothing. `work` sees its changes on a private view. The commit fails with ESTALE, and nothing changes, if a path
   * that `work` read for writing or wrote, or that `expect` names, has changed meanwhile.
   */
  readonly batch?: <T>(work: (transaction: VfsTransaction) => T | Promise<T>, options?: BatchOptions) => Promise<T>
  readonly snapshot?: () => Snapshot
  /** A separate filesystem that starts with the state of `snapshot`. Takes constant time. EINVAL for a snapshot of another filesystem. */
  readonly fork?: (snapshot: Snapshot) => FullBackend
  /** The differences from `from` to `to`, by path, in time proportional to their number. Also between a snapshot and one of its forks. */
  readonly diff?: (from: Snapshot, to: Snapshot | 'now') => Promise<readonly Difference[]>
  readonly watch?: (path: VfsPath, listener: (batch: ChangeBatch) => void, options?: WatchOptions) => Unsubscribe
  readonly usage?: () => Promise<Usage>
  /**
   * Stores data that is computed from these files until they are opened again. It exists only if a file with the same `ino`, `rev`,
   * `sizeBytes` and `ctimeMs` as in an earlier session has the same content, provided that the filesystem was flushed in between.
   */
  readonly derived?: DerivedStorage
  /** Stores records beside these files until they are opened again, such as a history. Absent if another tab stores them. */
  readonly records?: RecordStorage
  /** For a filesystem that opens with its first operation: opens it now, and returns it with all that it can do. */
  readonly opened?: () => Promise<VfsBackend>
  /** This filesystem for another user: changes made through it are reported with `origin`, see {@link Change}. */
  readonly as?: (origin: string) => VfsBackend
}

/** A backend with all optional features. Code that forwards to one has nothing to check and nothing to leave out. */
export interface FullBackend extends VfsBackend {
  readonly batch: NonNullable<VfsBackend['batch']>
  readonly snapshot: NonNullable<VfsBackend['snapshot']>
  readonly fork: (snapshot: Snapshot) => FullBackend
  readonly diff: NonNullable<VfsBackend['diff']>
  readonly watch: NonNullable<VfsBackend['watch']>
  readonly usage: NonNullable<VfsBackend['usage']>
  readonly as: (origin: string) => FullBackend
}

/** A {@link FullBackend} with a synchronous side. */
export interface FullSyncBackend extends FullBackend {
  readonly sync: VfsSync
  readonly fork: (snapshot: Snapshot) => FullSyncBackend
  readonly as: (origin: string) => FullSyncBackend
}
