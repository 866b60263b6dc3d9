// The little that the log needs of where its bytes lie. Everything is synchronous, because a commit must not be interrupted; what a
// platform can only do later (opening, removing) it does ahead of time or behind.

/** One open file. Its methods throw what the platform throws; a write that fails may have been done in part. */
export interface LogFile {
  sizeBytes(): number
  /** Fills `target` from `offset`; gives how many bytes there were. */
  read(target: Uint8Array, offset: number): number
  append(bytes: Uint8Array): void
  truncate(sizeBytes: number): void
  /** What was written before survives the loss of power, or will once {@link LogStorage.settle} is over. */
  flush(): void
}

/**
 * When a file goes that is discarded. `gradually`: a crash may leave a beginning of it, so only where the next mount finds that nothing
 * refers to it as well. A large one does not keep waiting what is written meanwhile.
 */
export type Discarding = 'at once' | 'gradually'

export interface LogStorage {
  /** Every file that was there, open, in no order. Empty ones are spare. */
  readonly files: readonly LogFile[]
  /** What is written together is stored together or not at all, so that a crash never leaves a part of it. */
  readonly isAtomic?: boolean
  /** An empty file, or `undefined` when none is at hand: ask again later. */
  take(): LogFile | undefined
  /** The file is no longer needed: it is empty from now on, and used again or removed. Default `at once`. */
  discard(file: LogFile, when?: Discarding): void
  /** Everything that was flushed has reached the disk. */
  settle(): Promise<void>
  /** Lets go of all files. Calling it twice is fine. */
  close(): Promise<void>
}
