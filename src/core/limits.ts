// Every bound on outside data, in one record, so that a host can tighten it and a description can quote it.

/** Sizes in bytes, times in milliseconds, counts in items. Sources: the five seed documents and atomic §6, §9, §11, §12. */
export interface Limits {
  /** Head truncation of a text read. */
  readonly readMaxLines: number
  readonly readMaxBytes: number
  /** A selection larger than this, in UTF-16 units, is refused with guidance rather than cut. */
  readonly readMaxCharacters: number
  /** Files larger than this are not decoded as text. */
  readonly textMaxBytes: number
  /** Entries shown of a child directory in a tree before the middle is elided. */
  readonly treeMaxEntries: number
  /** Entries shown of the tree's own directory, and lines of a whole tree. */
  readonly treeMaxLines: number
  readonly findMaxResults: number
  readonly findTimeoutMs: number
  readonly searchFilesPerPage: number
  readonly searchMatchesPerFile: number
  readonly searchMatchesInSingleFile: number
  readonly searchMaxMatches: number
  readonly searchMaxFileBytes: number
  readonly searchMaxLineCharacters: number
  readonly searchMaxOutputBytes: number
  readonly searchTimeoutMs: number
  /** Entries that one walk visits before it stops and says so. */
  readonly walkMaxEntries: number
  readonly bashTimeoutMs: number
  readonly bashMaxTimeoutMs: number
  readonly bashMaxLines: number
  readonly bashMaxBytes: number
  /** The end of one command's output, held to be shown; the whole is kept as an `artifact://`. */
  readonly bashCaptureBytes: number
  /** Texts of files that tags stand for, kept in memory per session. */
  readonly snapshotMaxBytes: number
  /** Full outputs kept in memory per session for `artifact://`. */
  readonly outputMaxBytes: number
  /** What is put away of them, on a disk or in the browser's database, when they do not fit into memory. */
  readonly outputStoredMaxBytes: number
  /** UTF-8 bytes of texts that `Toolset.state()` holds, the newest first; with 0 it holds paths and hashes only. */
  readonly stateMaxBytes: number
}

export const defaultLimits: Limits = Object.freeze({
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
