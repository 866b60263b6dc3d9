// The end of the log: the segment that is appended to. An append is done as a whole or not at all, and a segment is flushed before the
// next one begins. If that cannot be guaranteed any more, the state of the file is unknown, and the whole log ends.

import { VfsError } from '../../../vfs/error.ts'
import { storageError } from './failure.ts'
import type { StoreFiles } from './files.ts'
import type { NumberedFile } from './header.ts'

/** A new segment follows a segment that is longer than this. */
const defaultSegmentBytes = 32 * 1024 * 1024
/** A small store has small segments, so that compaction needs little space for what it moves at a time. */
const leastSegmentBytes = 1024 * 1024
const segmentShare = 0.25

export class Tail {
  readonly #files: StoreFiles
  readonly #segmentBytes: number
  readonly #lastTransaction: () => number
  readonly #contentBytes: () => number
  #segment: NumberedFile
  /** No spare file was there when the segment was full: then it continues up to here. */
  #rollAtBytes: number | undefined
  #isDirty = false
  #flushed: number
  #flushedBytes: number
  #failure: VfsError | undefined

  /** `lastTransaction` is the last one that was appended as a whole. `contentBytes`: what is in use. */
  constructor(
    files: StoreFiles,
    segment: NumberedFile,
    lastTransaction: () => number,
    contentBytes: () => number,
    segmentBytes: number = defaultSegmentBytes,
  ) {
    this.#files = files
    this.#lastTransaction = lastTransaction
    this.#contentBytes = contentBytes
    this.#flushed = lastTransaction()
    this.#flushedBytes = segment.sizeBytes
    this.#segment = segment
    this.#segmentBytes = segmentBytes
  }

  get segment(): NumberedFile {
    return this.#segment
  }

  /** Whether a loss of power could take an appended record. */
  get isDirty(): boolean {
    return this.#isDirty
  }

  /** The last transaction that was flushed. */
  get flushed(): number {
    return this.#flushed
  }

  /** The segment was flushed up to here. */
  get flushedBytes(): number {
    return this.#flushedBytes
  }

  /** Why nothing can be stored any more: the state of the disk is unknown. */
  get failure(): VfsError | undefined {
    return this.#failure
  }

  checkUsable(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  /** From now on every operation is refused with `failure`. */
  end(failure: VfsError): void {
    this.#failure ??= failure
  }

  /**
   * Appends everything that `write` writes, or nothing. If `write` throws, it calls `alsoUndo` and throws the same error. If that is not
   * possible, it throws `VfsError` EIO, now and on every later call.
   */
  append(write: (append: (bytes: Uint8Array) => void) => void, alsoUndo: () => void = () => {}): void {
    const segment = this.#segment
    let appendedBytes = 0
    try {
      write(bytes => {
        segment.file.append(bytes)
        appendedBytes += bytes.length
      })
    } catch (error) {
      try {
        segment.file.truncate(segment.sizeBytes)
        alsoUndo()
      } catch (undoError) {
        throw this.#fail(undoError)
      }
      throw error
    }
    segment.sizeBytes += appendedBytes
    this.#isDirty = true
  }

  /** Every append so far survives a loss of power, once the storage has settled. Throws `VfsError` EIO, then also on every later call. */
  flush(): void {
    this.checkUsable()
    if (!this.#isDirty) return
    try {
      this.#segment.file.flush()
    } catch (error) {
      throw this.#fail(error)
    }
    this.#isDirty = false
    this.#flushed = this.#lastTransaction()
    this.#flushedBytes = this.#segment.sizeBytes
  }

  /** Appends data that may be lost again: it is not flushed, and a lack of space is not reported. */
  appendIfPossible(write: (append: (bytes: Uint8Array) => void) => void): void {
    const wasDirty = this.#isDirty
    try {
      this.append(write)
    } catch {
      // The append was undone. If it could not be undone, the next operation fails.
    }
    this.#isDirty = wasDirty
  }

  /** Ends the segment, so that it can be compacted like any other. Throws `VfsError`. */
  roll(): void {
    this.checkUsable()
    try {
      this.rollIfFull(0)
    } catch (error) {
      throw storageError(error, 'compact')
    }
  }

  /** Throws what the platform throws; then the segment continues. */
  rollIfFull(fullBytes: number = this.#rollAtBytes ?? this.#fullBytes()): void {
    if (this.#segment.sizeBytes < fullBytes) return
    const next = this.#files.begin('segment')
    if (next === undefined) {
      // No spare file could be opened meanwhile, because such a large write lets nothing else run. Do not ask at every commit.
      this.#rollAtBytes = this.#segment.sizeBytes + this.#fullBytes() / 4
      return
    }
    // The data in a segment must be on the disk before anything is in the next one.
    this.flush()
    this.#segment = next
    this.#flushedBytes = next.sizeBytes
    this.#rollAtBytes = undefined
  }

  #fullBytes(): number {
    return Math.min(this.#segmentBytes, Math.max(leastSegmentBytes, this.#contentBytes() * segmentShare))
  }

  #fail(error: unknown): VfsError {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    this.#failure ??= new VfsError('EIO', 'write', {
      hint: `the store failed (${reason}), and it is not known whether the last change is stored; open it again`,
      cause: error,
    })
    return this.#failure
  }
}
