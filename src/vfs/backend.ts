// The port that a filesystem implements: twelve primitives and a record of what it can do. docs/filesystem.md describes the contract,
// port.ts lists the primitives as a table, and the facade derives everything else.

import type { DerivedStorage } from '../core/derived-storage.ts'
import type { Attribution } from '../core/actor.ts'
import type { VfsPath } from '../core/path.ts'

/** The kinds of entries. There are no devices, sockets or pipes. */
export type EntryKind = 'file' | 'directory' | 'symlink'

/** What a filesystem knows about a node. */
export interface Stat {
  readonly kind: EntryKind
  /** Bytes of content; of a symlink, the bytes of its target. */
  readonly sizeBytes: number
  /** Permission bits (`0o7777`). Stored, never enforced. */
  readonly mode: number
  /** Integer milliseconds, strictly increasing per node: two changes never share one. */
  readonly mtimeMs: number
  /** When content, attributes or names last changed, in integer milliseconds. */
  readonly ctimeMs: number
  /** Stable for a node, new when its content is replaced: programs that compare stats, such as git, see every change. */
  readonly ino: number
  /** Where in the filesystem's sequence of changes this node last changed: the token for compare-and-swap. */
  readonly rev: number
  /** Names of the file: more than 1 with hard links. */
  readonly nlink: number
  /** Number of the user that it belongs to. Absent for 0, and where owners are not kept. */
  readonly uid?: number
  /** Number of the group that it belongs to. Absent for 0, and where owners are not kept. */
  readonly gid?: number
  /** When it was last read, if a program has set that; reading does not change it. */
  readonly atimeMs?: number
}

/** One name in a directory, always with its kind, so that no listing needs a stat for each entry. */
export interface Dirent {
  readonly name: string
  readonly kind: EntryKind
}

/** What a backend can do. Callers branch on this record; they never find out by catching. */
export interface VfsCaps {
  /** `backend.sync` is there. */
  readonly sync: boolean
  readonly persistent: boolean
  readonly readonly: boolean
  readonly symlinks: 'native' | 'emulated' | 'none'
  readonly hardlinks: boolean
  readonly mode: boolean
  /** `setattr` keeps owners and the time of the last read. Absent means no: then these are ignored. */
  readonly owners?: boolean
  readonly mtime: 'exact' | 'approximate' | 'none'
  readonly atomicWrite: boolean
  readonly atomicRename: boolean
  /** `backend.batch` is there. */
  readonly transactions: boolean
  /** `backend.snapshot` is there. */
  readonly snapshots: boolean
  readonly watch: 'exact' | 'hint' | 'none'
  readonly ranges: boolean
  readonly caseSensitive: boolean
  readonly maxNameBytes: number
  readonly maxFileBytes: number
  /** What a host should show the person about these files, such as that they go with the page. A sentence or two. */
  readonly notice?: string
}

/** A range of bytes of a file. */
export interface ReadRange {
  /** First byte, 0-based; default 0. */
  readonly start?: number | undefined
  /** One past the last byte; default the end. Beyond the end is the end. */
  readonly end?: number | undefined
}

/** Options of `writeFile`. */
export interface WriteOptions {
  /** Permission bits of a file that is made; an existing file keeps its own. */
  readonly mode?: number | undefined
  /** Default `if-missing`. `exclusive`: EEXIST when there. `never`: ENOENT when missing. */
  readonly create?: 'if-missing' | 'exclusive' | 'never' | undefined
  /** Write only if the file still has this `rev`, else ESTALE; 0 means "only if missing". */
  readonly ifRev?: number | undefined
  readonly append?: boolean | undefined
  /** Make missing parent directories. */
  readonly parents?: boolean | undefined
}

/** Attributes to set. What is absent stays. */
export interface Attributes {
  readonly mode?: number
  readonly mtimeMs?: number
  /** When it was last read. Kept where `VfsCaps.owners` says so. */
  readonly atimeMs?: number
  /** Number of a user. Kept where `VfsCaps.owners` says so. */
  readonly uid?: number
  /** Number of a group. Kept where `VfsCaps.owners` says so. */
  readonly gid?: number
  /** Default true: change what a symlink points at, not the link. */
  readonly follow?: boolean
}

/** The primitives, each once as a plain function. A backend that has them synchronously offers this as `sync`. */
export interface VfsSync {
  /** `follow` (default true) resolves a symlink in the last place too. */
  lookup(path: VfsPath, options?: { readonly follow?: boolean }): Stat
  /** Sorted by UTF-16 code unit. */
  list(path: VfsPath): Dirent[]
  /** The caller owns the bytes. */
  read(path: VfsPath, range?: ReadRange): Uint8Array
  /** Replaces the whole content at once or not at all. `data` is copied. */
  write(path: VfsPath, data: Uint8Array, options?: WriteOptions): Stat
  /** One level: EEXIST, ENOENT, ENOTDIR. */
  mkdir(path: VfsPath, options?: { readonly mode?: number }): void
  /** `file` removes a file or a symlink (EISDIR for a directory), `directory` an empty directory (ENOTDIR, ENOTEMPTY). */
  remove(path: VfsPath, kind: 'file' | 'directory'): void
  /** What may replace what: docs/filesystem.md#rename. */
  rename(from: VfsPath, to: VfsPath, options?: { readonly noReplace?: boolean }): void
  /** A second name for the same file; EPERM for a directory. Only where `caps.hardlinks`. */
  link(existing: VfsPath, path: VfsPath): void
  /** `target` is kept as given. */
  symlink(target: string, path: VfsPath): void
  /** The target as it was given. EINVAL for anything but a symlink. */
  readlink(path: VfsPath): string
  /** The path with every symlink and '..' resolved. */
  realpath(path: VfsPath): VfsPath
  /** Sets mode and times. */
  setattr(path: VfsPath, attributes: Attributes): void
}

type Asynchronous<T> = {
  readonly [K in keyof T]: T[K] extends (...args: infer A) => infer R ? (...args: A) => Promise<R> : never
}

/** What a transaction may do: the primitives, seeing its own changes, invisible to everyone else until it commits. */
export type VfsTransaction = VfsSync

/** Options of `batch`. */
export interface BatchOptions {
  /** Revisions that the caller's work is based on; 0 means "must not exist". A mismatch is ESTALE and nothing is changed. */
  readonly expect?: ReadonlyMap<VfsPath, number> | undefined
}

/** One change, after it happened. Exactly one per logical operation; the changes of a batch come together. */
export interface Change {
  readonly seq: number
  readonly type: 'create' | 'modify' | 'attributes' | 'move' | 'delete'
  readonly path: VfsPath
  /** For `move`: where it was. */
  readonly oldPath?: VfsPath
  readonly kind: EntryKind
  readonly rev: number
  /**
   * Where it was made: `shell` by a command, the other tab's name for what was done in one, and `name/shell` by a command there. Absent
   * for the tools and the host of this tab, and where nobody can say, as with what other programs do to a directory on disk.
   */
  readonly origin?: string
  /** Who made it. Absent for the host's own `workspace.fs`, and where nobody can say. */
  readonly by?: Attribution
}

/**
 * How two moments differ. `delete` of a directory means all that was in it, and its path is the one that it had; of a new directory
 * each entry is a `create`. A `move` takes along what is in a directory.
 */
export type Difference = Omit<Change, 'seq' | 'origin' | 'by'>

/** Changes that were committed together. */
export interface ChangeBatch {
  readonly changes: readonly Change[]
  /** Some changes before these are no longer known: list again instead of patching what you hold. */
  readonly overflow: boolean
}

/** Options of `watch`. */
export interface WatchOptions {
  /** Default true. */
  readonly recursive?: boolean | undefined
  /** Replay what came after this sequence number first. */
  readonly sinceSeq?: number | undefined
  /**
   * Called within the commit itself, before the operation returns, so that a snapshot taken then holds this change and none after it. The
   * listener must be short, and must not change files.
   */
  readonly immediate?: boolean | undefined
}

/** Ends something. Calling it twice is fine. */
export type Unsubscribe = () => void

/** A filesystem as it was at one moment. */
export interface Snapshot {
  readonly seq: number
  readonly fs: Pick<VfsSync, 'lookup' | 'list' | 'read' | 'readlink' | 'realpath'>
}

/** How much room the files take. */
export interface Usage {
  readonly bytes: number
  readonly nodes: number
  readonly quotaBytes?: number
}

/**
 * How to build a backend again on the other side of a Worker: plain data. `kind` names a factory that the worker knows.
 * A backend without one (it wraps a live object) can only be built inside the worker.
 */
export interface BackendRecipe {
  readonly kind: string
  /** Of a filesystem made of others: the recipe of each. */
  readonly parts?: Readonly<Record<string, BackendRecipe>>
  readonly [option: string]: unknown
}

/**
 * The port that a filesystem implements: twelve primitives, a record of capabilities, and optional accelerators. Errors are
 * `VfsError` with a POSIX code. docs/filesystem.md describes the contract, and `anchorage/testing` has it as test cases.
 */
export interface VfsBackend extends Asynchronous<VfsSync> {
  readonly caps: VfsCaps
  /** For a backend made of several: what the one that holds `path` can do. */
  readonly capsAt?: (path: VfsPath) => VfsCaps
  /** Directories where other filesystems begin: they, and those above them, can be neither removed nor renamed. */
  readonly mountPoints?: readonly VfsPath[]
  /** Everything that was acknowledged is durable. */
  flush(): Promise<void>
  /** Calling it twice is fine. */
  close(): Promise<void>

  readonly recipe?: BackendRecipe
  /**
   * Puts files that were given by relative path below `root`. The workspace calls it once, before anything else, with its own root
   * as this backend sees it; without a call the first operation puts them below '/'.
   */
  readonly placeFiles?: (root: VfsPath) => void
  readonly sync?: VfsSync
  /**
   * All of it or nothing. `work` sees its own changes on a private view; the commit is refused with ESTALE, and nothing changes,
   * when a path it read for writing, wrote, or was told to expect has changed meanwhile.
   */
  readonly batch?: <T>(work: (transaction: VfsTransaction) => T | Promise<T>, options?: BatchOptions) => Promise<T>
  readonly snapshot?: () => Snapshot
  /** A filesystem of its own that begins as `snapshot` is. Costs nothing, however large that is. EINVAL for a foreign snapshot. */
  readonly fork?: (snapshot: Snapshot) => VfsBackend
  /** What turned `from` into `to`, by path; takes time in proportion to that. Also between a snapshot and one of its forks. */
  readonly diff?: (from: Snapshot, to: Snapshot | 'now') => Promise<readonly Difference[]>
  readonly watch?: (path: VfsPath, listener: (batch: ChangeBatch) => void, options?: WatchOptions) => Unsubscribe
  readonly usage?: () => Promise<Usage>
  /**
   * Keeps what is computed from these files until they are opened again. Only there where a file that has the same `ino`, `rev`,
   * `sizeBytes` and `ctimeMs` as in an earlier life holds the same bytes, provided that the filesystem was flushed in between.
   */
  readonly derived?: DerivedStorage
  /** This same filesystem for someone else: what is changed through it is told with `origin`, see {@link Change}. */
  readonly as?: (origin: string) => VfsBackend
}

/** A backend with all that the port allows for. Whatever forwards to one of these has nothing to check and nothing to leave out. */
export interface FullBackend extends VfsBackend {
  readonly batch: NonNullable<VfsBackend['batch']>
  readonly snapshot: NonNullable<VfsBackend['snapshot']>
  readonly fork: (snapshot: Snapshot) => FullBackend
  readonly diff: NonNullable<VfsBackend['diff']>
  readonly watch: NonNullable<VfsBackend['watch']>
  readonly usage: NonNullable<VfsBackend['usage']>
  readonly as: (origin: string) => FullBackend
}

/** A {@link FullBackend} that answers at once. */
export interface FullSyncBackend extends FullBackend {
  readonly sync: VfsSync
  readonly fork: (snapshot: Snapshot) => FullSyncBackend
  readonly as: (origin: string) => FullSyncBackend
}
