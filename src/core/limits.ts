// Every limit for outside data, in one record, so that a host can change it and a description can quote it.

import { AnchorageError } from './errors.ts'

/**
 * Sizes in bytes, times in milliseconds, counts in items; for a workspace or for one toolset. Limits that belong to a toolset's format
 * cannot be set and are defined in the toolset. docs/toolsets lists the limits of each.
 */
export interface Limits {
  /** Bytes of text in any result of any tool. The rest can still be read, if the toolset reads kept outputs. */
  readonly resultMaxBytes: number
  /** Lines of one read of atomic. */
  readonly readMaxLines: number
  /** Bytes of one read of atomic, and of a page of a kept output. */
  readonly readMaxBytes: number
  /** A selection larger than this, in UTF-16 units, is refused with advice instead of being cut. */
  readonly readMaxCharacters: number
  /** Files larger than this are not decoded as text. */
  readonly textMaxBytes: number
  /** Entries shown of a child directory in a tree before the middle is elided. */
  readonly treeMaxEntries: number
  /** Entries shown of the tree's own directory, and lines of a whole tree. */
  readonly treeMaxLines: number
  /** Results of one find of atomic. */
  readonly findMaxResults: number
  /** Time of one find of atomic. */
  readonly findTimeoutMs: number
  /** Files with matches on one page of atomic's search. */
  readonly searchFilesPerPage: number
  /** Matches shown of each file, if several are searched. */
  readonly searchMatchesPerFile: number
  /** Matches shown if one file is searched. */
  readonly searchMatchesInSingleFile: number
  /** Matches of one search, all files together. */
  readonly searchMaxMatches: number
  /** Larger files are not searched, but listed. */
  readonly searchMaxFileBytes: number
  /** Characters shown of a line of a search. */
  readonly searchMaxLineCharacters: number
  /** Bytes of one page of a search. */
  readonly searchMaxOutputBytes: number
  /** Time of one search, and how long a worker may be silent during a call without a time-out. */
  readonly searchTimeoutMs: number
  /** Entries that one walk visits before it stops and says so. */
  readonly walkMaxEntries: number
  /** Time of a command of atomic that does not set one. */
  readonly bashTimeoutMs: number
  /** The longest time-out that a command may set, in every toolset. */
  readonly bashMaxTimeoutMs: number
  /** Lines shown of a command's output, in atomic. */
  readonly bashMaxLines: number
  /** Bytes shown of a command's output, in atomic. */
  readonly bashMaxBytes: number
  /** The size of the end of a command's output that is kept for showing; the whole is kept as an `artifact://`. */
  readonly bashCaptureBytes: number
  /** Texts of files that tags refer to, kept in memory per session. */
  readonly snapshotMaxBytes: number
  /** Full outputs kept in memory per session for `artifact://`, and all of agsh's scratchpad. */
  readonly outputMaxBytes: number
  /** Outputs that are stored on disk or in the browser's database, if they do not fit into memory or outlive their session. */
  readonly outputStoredMaxBytes: number
  /** UTF-8 bytes of texts in a `Toolset.state()`, newest first; with 0 it contains only paths and hashes. */
  readonly stateMaxBytes: number
}

/** The limits that apply unless a host sets others. Sizes are bytes, times are milliseconds. */
export const defaultLimits: Limits = Object.freeze({
  resultMaxBytes: 64 * 1024,
  readMaxLines: 3000,
  readMaxBytes: 50 * 1024,
  readMaxCharacters: 50_000,
  textMaxBytes: 64 * 1024 * 1024,
  treeMaxEntries: 12,
  treeMaxLines: 2000,
  findMaxResults: 200,
  findTimeoutMs: 5_000,
  searchFilesPerPage: 20,
  searchMatchesPerFile: 20,
  searchMatchesInSingleFile: 200,
  searchMaxMatches: 2_000,
  searchMaxFileBytes: 4 * 1024 * 1024,
  searchMaxLineCharacters: 512,
  searchMaxOutputBytes: 50 * 1024,
  searchTimeoutMs: 30_000,
  walkMaxEntries: 500_000,
  bashTimeoutMs: 300_000,
  bashMaxTimeoutMs: 3_600_000,
  bashMaxLines: 3000,
  bashMaxBytes: 50 * 1024,
  bashCaptureBytes: 1024 * 1024,
  snapshotMaxBytes: 64 * 1024 * 1024,
  outputMaxBytes: 32 * 1024 * 1024,
  outputStoredMaxBytes: 1024 * 1024 * 1024,
  stateMaxBytes: 2 * 1024 * 1024,
})

/** Throws `AnchorageError` `toolset-options` for an unknown limit, or one that is not a number from 0 up; `Infinity` is allowed. */
export function checkLimits(limits: Limits): void {
  for (const [name, value] of Object.entries<unknown>({ ...limits })) {
    if (!Object.hasOwn(defaultLimits, name)) {
      const names = Object.keys(defaultLimits).join(', ')
      throw new AnchorageError('toolset-options', `There is no limit "${name}". Limits: ${names}.`)
    }
    if (typeof value !== 'number' || !(value >= 0))
      throw new AnchorageError('toolset-options', `The limit "${name}" must be a number of at least 0, not ${String(value)}.`)
  }
}
