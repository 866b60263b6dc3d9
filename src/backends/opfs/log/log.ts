// The journal of a tree: every commit is appended here before it is visible. There is one writer and one order, and a written record is
// never changed. So a crash always leaves a prefix of what was committed.

import type { VfsError } from '../../../vfs/error.ts'
import type { Edit } from '../../../vfs/tree/edit.ts'
import type { Journal } from '../../../vfs/tree/journal.ts'
import type { FileContent } from '../../../vfs/tree/node.ts'
import type { Tree } from '../../../vfs/tree/tree.ts'
import { encodeCheckpoint } from './checkpoint.ts'
import { forgetReplaced } from './replaced.ts'
import { Checkpoints, type TreeState } from './checkpoints.ts'
import type { ClientTable, Mark } from './clients.ts'
import { type CommitHead, CommitWriter } from './commit-writer.ts'
import { type ContentCache, largeBytes, StoredContent } from './content.ts'
import { extended, isContent, patched, replaced } from './pieced-content.ts'
import { isQuotaError, storageError } from './failure.ts'
import type { StoreFiles } from './files.ts'
import type { NumberedFile } from './header.ts'
import type { Mounted } from './mount.ts'
import { Reserve } from './reserve.ts'
import { Tail } from './tail.ts'

/** A commit smaller than this may use the reserve, if it adds no content. */
const smallCommitBytes = 256 * 1024

export interface LogOptions {
  readonly segmentBytes?: number
  /** Larger content goes to a separate file. */
  readonly sideBytes?: number
  /** Flushes every commit before it is acknowledged. */
  readonly flushEach?: boolean
}

export class Log implements Journal {
  readonly files: StoreFiles
  readonly cache: ContentCache
  /** The requests that were carried out for other tabs. */
  readonly clients: ClientTable
  readonly epoch: number
  /** Files that compaction must not move, because they hold damaged data, or data that a crash left unfinished. */
  readonly unmovable: Set<NumberedFile> = new Set()
  onCommit: (() => void) | undefined
  /** Receives the edits of every commit before they are visible in the tree. */
  onAdmitted: ((edits: readonly Edit[], origin: string | undefined) => void) | undefined
  #transaction: number
  readonly #tail: Tail
  readonly #checkpoints: Checkpoints
  readonly #reserve: Reserve
  readonly #writer: CommitWriter
  readonly #flushEach: boolean
  readonly #isAtomic: boolean
  readonly #tree: Tree

  constructor(mounted: Mounted, cache: ContentCache, options: LogOptions = {}) {
    const { files } = mounted
    this.files = files
    this.#tree = mounted.tree
    this.cache = cache
    this.clients = mounted.clients
    this.epoch = mounted.epoch
    this.#transaction = mounted.transaction
    this.#isAtomic = files.storage.isAtomic === true
    // Where a commit that does not fit fails together with everything that waits, a deletion must not begin a file on a full disk.
    const contentBytes = this.#isAtomic ? () => Infinity : () => this.#tree.contentBytes
    this.#tail = new Tail(files, mounted.tail, () => this.#transaction, contentBytes, options.segmentBytes)
    this.#checkpoints = new Checkpoints(mounted)
    this.#reserve = new Reserve(files)
    this.#writer = new CommitWriter(files, this.#tail, options.sideBytes ?? largeBytes)
    this.#flushEach = options.flushEach ?? false
    for (const file of files.of('segment')) if (file.number === mounted.cut?.segment) this.unmovable.add(file)
  }

  get bytesSinceCheckpoint(): number {
    return this.#checkpoints.bytesSince
  }

  get commitsSinceCheckpoint(): number {
    return this.#checkpoints.commitsSince
  }

  get transaction(): number {
    return this.#transaction
  }

  /** Whether a loss of power could take a committed change. */
  get isDirty(): boolean {
    return this.#tail.isDirty
  }

  /** The segment that is appended to. */
  get tail(): NumberedFile {
    return this.#tail.segment
  }

  get failure(): VfsError | undefined {
    return this.#tail.failure
  }

  hold(data: Uint8Array, before?: FileContent, isAppended = false, isGiven = false): FileContent {
    if (before === undefined || !isContent(before)) {
      if (isAppended) throw new Error('a file of the stored tree was made without its log')
      return StoredContent.unsaved(data, this.cache, isGiven)
    }
    return isAppended ? extended(before, data, this.cache) : replaced(before, data, this.cache, isGiven)
  }

  patch(before: FileContent, data: Uint8Array, at: number): FileContent {
    if (!isContent(before)) throw new Error('a file of the stored tree was made without its log')
    return patched(before, data, at, this.cache)
  }

  /** `mark` names the tab that the change is made for, if it is another one. `origin` is not stored; it is passed to current watchers. */
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
    forgetReplaced(this.#tree, edits)
    this.onAdmitted?.(edits, origin)
    this.onCommit?.()
  }

  as(origin: string): Journal {
    return {
      hold: (...args) => this.hold(...args),
      patch: (...args) => this.patch(...args),
      admit: edits => this.admit(edits, undefined, origin),
      as: name => this.as(name),
    }
  }

  /** Stores `mark` without a commit, when only numbers were given away. Throws `VfsError` as `admit` does. */
  note(mark: Mark): void {
    this.#tail.checkUsable()
    try {
      this.#writer.writeNote(this.#head, mark)
    } catch (error) {
      throw storageError(error, 'write')
    }
  }

  /** Every commit so far survives a loss of power, once the storage has settled. Refused after {@link end}, also with nothing to flush. */
  flush(): void {
    this.#tail.checkUsable()
    if (!this.isDirty) return
    this.#tail.flush()
    this.#noteFlush()
  }

  /**
   * Makes the next mount begin from `state`. Throws `VfsError`; then the previous checkpoint remains valid. Files without contents in use
   * can be discarded only after {@link checkpointTwice}.
   */
  checkpoint({ tree, lastRev, lastIno, lastSeq }: TreeState): void {
    this.flush()
    // Start before the notes that were written since the last flush, because they may be lost.
    const place = { segmentNumber: this.tail.number, segmentOffset: this.#tail.flushedBytes, nextNumber: this.files.nextNumber }
    const numbers = { generation: this.#checkpoints.nextGeneration, lastRev, lastIno, lastSeq }
    const { transaction, epoch } = this.#head
    const bytes = encodeCheckpoint({ transaction, epoch, ...place, ...numbers }, tree, this.clients)
    try {
      this.#checkpoints.write(bytes, this.files)
    } catch (error) {
      throw storageError(error, 'checkpoint')
    }
  }

  /** Writes the same state to both checkpoints, so that files that only the older one needed can go, and damage to one costs nothing. */
  checkpointTwice(state: TreeState): void {
    this.checkpoint(state)
    this.checkpoint(state)
  }

  /** Stores `bytes` again for a content whose file will be removed. Throws `VfsError` as `admit` does. */
  storeAgain(bytes: Uint8Array): StoredContent {
    this.#tail.checkUsable()
    try {
      const copy = StoredContent.unsaved(bytes, this.cache)
      this.#tail.rollIfFull()
      this.#writer.writeContent(this.#head, copy)
      return copy
    } catch (error) {
      throw storageError(error, 'compact')
    }
  }

  /** Keeps some space for deletions when the disk is full. */
  keepReserve(): void {
    this.#reserve.keep()
  }

  /** The disk was full when the last room was asked for: the space of the reserve is given away. */
  get isShortOfRoom(): boolean {
    return !this.#isAtomic && this.#reserve.isOpen
  }

  /** Gives the space of the reserve to compaction, which frees more than it uses. Returns whether there was any. */
  openReserve(): boolean {
    return !this.#isAtomic && this.#reserve.open()
  }

  /** Ends the current segment, so that it can be compacted like any other. */
  roll(): void {
    this.#tail.roll()
  }

  /** From now on every operation is refused with `failure`. */
  end(failure: VfsError): void {
    this.#tail.end(failure)
  }

  get #head(): CommitHead {
    return { transaction: this.#transaction, flushed: this.#tail.flushed, epoch: this.epoch }
  }

  /** Records the flush, so that the next mount knows that nothing before it may be missing. */
  #noteFlush(): void {
    if (!this.#isAtomic) this.#tail.appendIfPossible(() => this.#writer.writeNote(this.#head))
  }

  #commit(edits: readonly Edit[], mark: Mark | undefined): void {
    this.#tail.rollIfFull()
    const segment = this.tail
    const startBytes = segment.sizeBytes
    const transaction = this.#transaction + 1
    const placed = this.#writer.write(edits, mark, { ...this.#head, transaction }, this.#tree)
    this.#transaction = transaction
    if (this.#flushEach) this.flush()
    this.#checkpoints.bytesSince += segment.sizeBytes - startBytes
    this.#checkpoints.commitsSince++
    for (const [content, location] of placed) content.place(location)
    if (mark !== undefined) this.clients.note(mark)
  }

  #isSmall(edits: readonly Edit[]): boolean {
    return this.#writer.partBytes < smallCommitBytes && edits.every(edit => edit.kind !== 'put' || edit.node.kind !== 'file')
  }
}
