// The end of the log: the segment that is written to. What is appended is there as a whole or not at all, and a segment is on the disk
// before the next one begins. Where that cannot be held any more nothing is known of the file, and the whole log is at its end.

import { VfsError } from '../../../vfs/error.ts'
import { storageError } from './failure.ts'
import type { StoreFiles } from './files.ts'
import type { NumberedFile } from './header.ts'

/** A segment that is longer is followed by a new one. */
const defaultSegmentBytes = 32 * 1024 * 1024

export class Tail {
  readonly #files: StoreFiles
  readonly #segmentBytes: number
  readonly #lastTransaction: () => number
  #segment: NumberedFile
  /** From here on a new segment is begun. */
  #rollAtBytes: number
  #isDirty = false
  #flushed: number
  #flushedBytes: number
  #failure: VfsError | undefined

  /** `lastTransaction`: of those that were appended as a whole. */
  constructor(
    files: StoreFiles,
    segment: NumberedFile,
    lastTransaction: () => number,
    segmentBytes: number = defaultSegmentBytes,
  ) {
    this.#files = files
    this.#lastTransaction = lastTransaction
    this.#flushed = lastTransaction()
    this.#flushedBytes = segment.sizeBytes
    this.#segment = segment
    this.#segmentBytes = segmentBytes
    this.#rollAtBytes = segmentBytes
  }

  get segment(): NumberedFile {
    return this.#segment
  }

  /** Something was appended that a loss of power could take. */
  get isDirty(): boolean {
    return this.#isDirty
  }

  /** The last transaction that was flushed. */
  get flushed(): number {
    return this.#flushed
  }

  /** Up to here the segment was flushed. */
  get flushedBytes(): number {
    return this.#flushedBytes
  }

  /** Why nothing can be stored any more: what lies on the disk is no longer known. */
  get failure(): VfsError | undefined {
    return this.#failure
  }

  checkUsable(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  /** From now on everything is refused with `failure`. */
  end(failure: VfsError): void {
    this.#failure ??= failure
  }

  /**
   * All that `write` appends, or nothing: then throws what it threw, with `alsoUndo` done. Where not even that can be done throws
   * `VfsError` EIO, then and ever after.
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

  /** Everything that was appended survives the loss of power, once the storage has settled. Throws `VfsError` EIO, then and ever after. */
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

  /** Appends what may be lost again: it is not flushed, and nobody hears that there was no room. */
  appendIfPossible(write: (append: (bytes: Uint8Array) => void) => void): void {
    const wasDirty = this.#isDirty
    try {
      this.append(write)
    } catch {
      // The segment is as it was. If it is not, whatever comes next fails.
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

  /** Throws what the platform throws; then the segment goes on. */
  rollIfFull(fullBytes: number = this.#rollAtBytes): void {
    if (this.#segment.sizeBytes < fullBytes) return
    const next = this.#files.begin('segment')
    if (next === undefined) {
      // Nobody could open a file meanwhile: whoever writes so much at once does not let anything else run. Not asked for every commit.
      this.#rollAtBytes = this.#segment.sizeBytes + this.#segmentBytes / 4
      return
    }
    // What lies in a segment must be on the disk before anything in the next one is.
    this.flush()
    this.#segment = next
    this.#flushedBytes = next.sizeBytes
    this.#rollAtBytes = this.#segmentBytes
  }

  #fail(error: unknown): VfsError {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    this.#failure ??= new VfsError('EIO', 'write', {
      hint: `the store failed (${reason}), and what it holds of the last change is not known; open it again`,
      cause: error,
    })
    return this.#failure
  }
}
