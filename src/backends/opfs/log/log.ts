// The journal of a tree: every commit is appended here before it shows. One writer, one order; a record is never changed once it is
// written, so that whatever a crash leaves is a beginning of what was committed.

import type { VfsError } from '../../../vfs/error.ts'
import type { Edit } from '../../../vfs/tree/edit.ts'
import type { Journal } from '../../../vfs/tree/journal.ts'
import type { FileContent } from '../../../vfs/tree/node.ts'
import { encodeCheckpoint } from './checkpoint.ts'
import { Checkpoints, type TreeState } from './checkpoints.ts'
import type { ClientTable, Mark } from './clients.ts'
import { type CommitHead, CommitWriter } from './commit-writer.ts'
import { type ContentCache, largeBytes, StoredContent } from './content.ts'
import { isQuotaError, storageError } from './failure.ts'
import type { StoreFiles } from './files.ts'
import type { NumberedFile } from './header.ts'
import type { Mounted } from './mount.ts'
import { Reserve } from './reserve.ts'
import { Tail } from './tail.ts'

/** A commit that is smaller may use the reserve, if it adds no content. */
const smallCommitBytes = 256 * 1024

export interface LogOptions {
  readonly segmentBytes?: number
  /** Content that is larger goes to a file of its own. */
  readonly sideBytes?: number
  /** Flush every commit before it is acknowledged. */
  readonly flushEach?: boolean
}

export class Log implements Journal {
  readonly files: StoreFiles
  readonly cache: ContentCache
  /** What was carried out for other tabs. */
  readonly clients: ClientTable
  readonly epoch: number
  /** Hears of every commit. */
  onCommit: (() => void) | undefined
  /** Hears what every commit consists of, before it shows in the tree. */
  onAdmitted: ((edits: readonly Edit[], origin: string | undefined) => void) | undefined
  #transaction: number
  readonly #tail: Tail
  readonly #checkpoints: Checkpoints
  readonly #reserve: Reserve
  readonly #writer: CommitWriter
  readonly #flushEach: boolean

  constructor(mounted: Mounted, cache: ContentCache, options: LogOptions = {}) {
    const { files } = mounted
    this.files = files
    this.cache = cache
    this.clients = mounted.clients
    this.epoch = mounted.epoch
    this.#transaction = mounted.transaction
    this.#tail = new Tail(files, mounted.tail, options.segmentBytes)
    this.#checkpoints = new Checkpoints(mounted)
    this.#reserve = new Reserve(files)
    this.#writer = new CommitWriter(files, this.#tail, options.sideBytes ?? largeBytes)
    this.#flushEach = options.flushEach ?? false
  }

  get bytesSinceCheckpoint(): number {
    return this.#checkpoints.bytesSince
  }

  get commitsSinceCheckpoint(): number {
    return this.#checkpoints.commitsSince
  }

  /** The number of the last one. */
  get transaction(): number {
    return this.#transaction
  }

  /** Something was committed that a loss of power could take. */
  get isDirty(): boolean {
    return this.#tail.isDirty
  }

  /** The segment that is written to. */
  get tail(): NumberedFile {
    return this.#tail.segment
  }

  get failure(): VfsError | undefined {
    return this.#tail.failure
  }

  hold(data: Uint8Array): FileContent {
    return StoredContent.unsaved(data, this.cache)
  }

  /** `mark`: for whom it is done, if not for ourselves. `origin` is not stored: it is for who hears of it now. */
  admit(edits: readonly Edit[], mark?: Mark, origin?: string): void {
    this.#tail.checkUsable()
    try {
      this.#commit(edits, mark)
    } catch (error) {
      if (!isQuotaError(error) || !this.#isSmall(edits) || !this.#reserve.open()) throw storageError(error, 'write')
      try {
        this.#commit(edits, mark)
      } catch (again) {
        throw storageError(again, 'write')
      }
    }
    this.onAdmitted?.(edits, origin)
    this.onCommit?.()
  }

  as(origin: string): Journal {
    return { hold: data => this.hold(data), admit: edits => this.admit(edits, undefined, origin), as: name => this.as(name) }
  }

  /** Stores `mark` where there is nothing to commit: numbers were given away. Throws `VfsError` as `admit` does. */
  note(mark: Mark): void {
    this.#tail.checkUsable()
    try {
      this.#writer.writeCopy(this.#head, mark)
    } catch (error) {
      throw storageError(error, 'write')
    }
  }

  /** Everything that was committed survives the loss of power, once the storage has settled. */
  flush(): void {
    this.#tail.flush()
  }

  /**
   * Makes the next mount begin from `state`. Throws `VfsError`; the checkpoint before it then still holds. Files without contents in
   * use can be discarded only after this.
   */
  checkpoint({ tree, lastRev, lastIno, lastSeq }: TreeState): void {
    this.flush()
    const { number, sizeBytes } = this.tail
    const place = { segmentNumber: number, segmentOffset: sizeBytes, nextNumber: this.files.nextNumber }
    const numbers = { generation: this.#checkpoints.nextGeneration, lastRev, lastIno, lastSeq }
    const bytes = encodeCheckpoint({ ...this.#head, ...place, ...numbers }, tree, this.clients)
    try {
      this.#checkpoints.write(bytes)
    } catch (error) {
      throw storageError(error, 'checkpoint')
    }
  }

  /** Stores `content` once more at the end of the log, so that the file it lies in can go. Throws `VfsError` as `admit` does. */
  moveToEnd(content: StoredContent): void {
    this.#tail.checkUsable()
    try {
      this.#tail.rollIfFull()
      this.#writer.writeCopy(this.#head, undefined, content)
    } catch (error) {
      throw storageError(error, 'compact')
    }
  }

  /** Keeps some room for deletions when everything else is full. */
  keepReserve(): void {
    this.#reserve.keep()
  }

  /** Ends the segment that is written to, so that it can be compacted like any other. */
  roll(): void {
    this.#tail.roll()
  }

  /** From now on everything is refused with `failure`. */
  end(failure: VfsError): void {
    this.#tail.end(failure)
  }

  get #head(): CommitHead {
    return { transaction: this.#transaction, epoch: this.epoch }
  }

  #commit(edits: readonly Edit[], mark: Mark | undefined): void {
    this.#tail.rollIfFull()
    const segment = this.tail
    const startBytes = segment.sizeBytes
    const transaction = this.#transaction + 1
    const placed = this.#writer.write(edits, mark, { transaction, epoch: this.epoch })
    if (this.#flushEach) this.#tail.flush()
    this.#transaction = transaction
    this.#checkpoints.bytesSince += segment.sizeBytes - startBytes
    this.#checkpoints.commitsSince++
    for (const [content, location] of placed) content.place(location)
    if (mark !== undefined) this.clients.note(mark)
  }

  #isSmall(edits: readonly Edit[]): boolean {
    return this.#writer.pieceBytes < smallCommitBytes && edits.every(edit => edit.kind !== 'put' || edit.node.kind !== 'file')
  }
}
