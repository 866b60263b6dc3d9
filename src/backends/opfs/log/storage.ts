// The operations that the log needs from its storage. They are synchronous, because a commit must not be interrupted. A platform does its
// asynchronous work (opening and removing files) before or after.

/** One open file. Its methods throw what the platform throws; a failed write may have been done in part. */
export interface LogFile {
  sizeBytes(): number
  /** Fills `target` from `offset` and returns the number of bytes read. */
  read(target: Uint8Array, offset: number): number
  append(bytes: Uint8Array): void
  truncate(sizeBytes: number): void
  /** Earlier writes survive a loss of power, at the latest when {@link LogStorage.settle} resolves. */
  flush(): void
}

/**
 * When a discarded file is removed. `gradually`: a crash may leave the first part of it, so it is allowed only if the next mount also finds
 * that nothing refers to the file. Then a large file does not delay later writes.
 */
export type Discarding = 'at once' | 'gradually'

export interface LogStorage {
  /** Every existing file, open, in no particular order. Empty ones are spare. */
  readonly files: readonly LogFile[]
  /** Data that is written together is stored together or not at all, so that a crash never leaves a part of it. */
  readonly isAtomic?: boolean
  /** An empty file, or `undefined` if none is available yet: try again later. */
  take(): LogFile | undefined
  /** The file is no longer needed: it is emptied now, and used again or removed. Default `at once`. */
  discard(file: LogFile, when?: Discarding): void
  /** Resolves when everything that was flushed has reached the disk. */
  settle(): Promise<void>
  /** Closes all files. May be called twice. */
  close(): Promise<void>
}
