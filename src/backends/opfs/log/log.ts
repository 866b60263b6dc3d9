// The journal of a tree: every commit is appended here before it shows. One writer, one order; a record is never changed once it is
// written, so that whatever a crash leaves is a beginning of what was committed.

import { VfsError } from '../../../vfs/error.ts'
import type { Edit } from '../../../vfs/tree/edit.ts'
import type { Journal } from '../../../vfs/tree/journal.ts'
import type { FileContent } from '../../../vfs/tree/node.ts'
import type { Version } from '../../../vfs/tree/tree.ts'
import { ByteWriter } from './bytes.ts'
import { encodeCheckpoint } from './checkpoint.ts'
import { type ClientTable, type Mark, writeMark } from './clients.ts'
import { type ContentCache, largeBytes, type Location, StoredContent } from './content.ts'
import { type Reference, recordType, writeEdit } from './edit-codec.ts'
import { isQuotaError, storageError } from './failure.ts'
import type { StoreFiles } from './files.ts'
import { headerBytes, type NumberedFile } from './header.ts'
import type { Mounted } from './mount.ts'
import { recordTypes, writeRecord } from './record.ts'

/** A segment that is longer is followed by a new one. */
const defaultSegmentBytes = 32 * 1024 * 1024
/** What a commit may hold in memory before a part of it is appended. */
const pieceBytes = 4 * 1024 * 1024
const reserveBytes = 1024 * 1024
/** A commit that is smaller may use the reserve, if it adds no content. */
const smallCommitBytes = 256 * 1024

/** What a checkpoint is made of besides the log's own numbers. */
export interface TreeState {
  readonly tree: Version
  readonly lastRev: number
  readonly lastIno: number
  readonly lastSeq: number
}

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
  #tail: NumberedFile
  #transaction: number
  #generation: number
  #active: NumberedFile
  #spare: NumberedFile
  #reserve: NumberedFile | undefined
  #isDirty = false
  #bytesSinceCheckpoint: number
  #commitsSinceCheckpoint: number
  /** Why nothing can be stored any more: what lies on the disk is no longer known. */
  #failure: VfsError | undefined
  /** Hears of every commit. */
  onCommit: (() => void) | undefined
  /** Hears what every commit consists of, before it shows in the tree. */
  onAdmitted: ((edits: readonly Edit[], origin: string | undefined) => void) | undefined
  /** What was carried out for other tabs. */
  readonly clients: ClientTable
  readonly epoch: number
  readonly #segmentBytes: number
  /** From here on a new segment is begun. */
  #rollAtBytes: number
  readonly #sideBytes: number
  readonly #flushEach: boolean
  readonly #writer = new ByteWriter(64 * 1024)

  constructor(mounted: Mounted, cache: ContentCache, options: LogOptions = {}) {
    this.files = mounted.files
    this.cache = cache
    this.#tail = mounted.tail
    this.#transaction = mounted.transaction
    this.epoch = mounted.epoch
    this.clients = mounted.clients
    this.#generation = mounted.generation
    this.#active = mounted.activeCheckpoint
    this.#spare = mounted.spareCheckpoint
    this.#bytesSinceCheckpoint = mounted.replayedBytes
    this.#commitsSinceCheckpoint = mounted.replayedCount
    this.#segmentBytes = options.segmentBytes ?? defaultSegmentBytes
    this.#rollAtBytes = this.#segmentBytes
    this.#sideBytes = options.sideBytes ?? largeBytes
    this.#flushEach = options.flushEach ?? false
    const [reserve, ...extra] = this.files.of('reserve')
    this.#reserve = reserve
    for (const file of extra) this.files.discard(file)
  }

  get bytesSinceCheckpoint(): number {
    return this.#bytesSinceCheckpoint
  }

  get commitsSinceCheckpoint(): number {
    return this.#commitsSinceCheckpoint
  }

  /** The number of the last one. */
  get transaction(): number {
    return this.#transaction
  }

  /** Something was committed that a loss of power could take. */
  get isDirty(): boolean {
    return this.#isDirty
  }

  get tail(): NumberedFile {
    return this.#tail
  }

  get failure(): VfsError | undefined {
    return this.#failure
  }

  hold(data: Uint8Array): FileContent {
    return StoredContent.unsaved(data, this.cache)
  }

  /** `mark`: for whom it is done, if not for ourselves. `origin` is not stored: it is for who hears of it now. */
  admit(edits: readonly Edit[], mark?: Mark, origin?: string): void {
    this.#checkUsable()
    try {
      this.#commit(edits, mark)
    } catch (error) {
      if (!isQuotaError(error) || !this.#isSmall(edits) || !this.#openReserve()) throw storageError(error, 'write')
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
    this.#checkUsable()
    try {
      const tail = this.#tail
      const writer = this.#writer
      writer.clear()
      // A copy of nothing: no part of a transaction, and known to every release.
      const head = { transaction: this.#transaction, epoch: this.epoch, type: recordTypes.copy, isLast: true }
      writeRecord(writer, head, to => writeMark(to, mark), undefined)
      this.#appendOrUndo(tail, () => tail.file.append(writer.written))
      tail.sizeBytes += writer.length
      this.#isDirty = true
    } catch (error) {
      throw storageError(error, 'write')
    }
  }

  /** Everything that was committed survives the loss of power, once the storage has settled. */
  flush(): void {
    this.#checkUsable()
    if (!this.#isDirty) return
    try {
      this.#tail.file.flush()
    } catch (error) {
      throw this.#fail(error)
    }
    this.#isDirty = false
  }

  /**
   * Makes the next mount begin from `state`. Throws `VfsError`; the checkpoint before it then still holds. Files without contents in
   * use can be discarded only after this.
   */
  checkpoint(state: TreeState): void {
    this.flush()
    const { tree, lastRev, lastIno, lastSeq } = state
    const bytes = encodeCheckpoint(
      {
        generation: this.#generation + 1,
        epoch: this.epoch,
        transaction: this.#transaction,
        segmentNumber: this.#tail.number,
        segmentOffset: this.#tail.sizeBytes,
        lastRev,
        lastIno,
        lastSeq,
        nextNumber: this.files.nextNumber,
      },
      tree,
      this.clients,
    )
    const { file } = this.#spare
    try {
      file.truncate(headerBytes)
      file.append(bytes)
      file.flush()
    } catch (error) {
      throw storageError(error, 'checkpoint')
    }
    ;[this.#active, this.#spare] = [this.#spare, this.#active]
    this.#generation++
    this.#bytesSinceCheckpoint = 0
    this.#commitsSinceCheckpoint = 0
  }

  /** Stores `content` once more at the end of the log, so that the file it lies in can go. Throws `VfsError` as `admit` does. */
  moveToEnd(content: StoredContent): void {
    this.#checkUsable()
    try {
      this.#rollIfFull()
      const tail = this.#tail
      const writer = this.#writer
      writer.clear()
      const head = { transaction: this.#transaction, epoch: this.epoch, type: recordTypes.copy, isLast: true }
      const bytes = content.slice()
      const at = writeRecord(writer, head, () => {}, { bytes, checksum: content.checksum })
      this.#appendOrUndo(tail, () => tail.file.append(writer.written))
      content.place({ holder: tail, offset: tail.sizeBytes + at })
      tail.sizeBytes += writer.length
      this.#isDirty = true
    } catch (error) {
      throw storageError(error, 'compact')
    }
  }

  /** Keeps some room for deletions when everything else is full. Best effort: without room there is no reserve. */
  keepReserve(): void {
    if (this.#reserve !== undefined && this.#reserve.sizeBytes > reserveBytes) return
    let begun: NumberedFile | undefined
    try {
      begun = this.#reserve ?? this.files.begin('reserve')
      if (begun === undefined) return
      this.#reserve = begun
      begun.file.append(new Uint8Array(reserveBytes))
      begun.sizeBytes += reserveBytes
    } catch (error) {
      if (!isQuotaError(error)) throw storageError(error, 'write')
      begun?.file.truncate(headerBytes)
    }
  }

  /** From now on everything is refused with `failure`. */
  end(failure: VfsError): void {
    this.#failure ??= failure
  }

  #checkUsable(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  #commit(edits: readonly Edit[], mark: Mark | undefined): void {
    this.#rollIfFull()
    const tail = this.#tail
    const writer = this.#writer
    writer.clear()
    const placed = new Map<StoredContent, Location>()
    const begun: NumberedFile[] = []
    const transaction = this.#transaction + 1
    let appendedBytes = 0
    this.#appendOrUndo(
      tail,
      () => {
        for (const [index, edit] of edits.entries()) {
          if (writer.length > pieceBytes) {
            tail.file.append(writer.written)
            appendedBytes += writer.length
            writer.clear()
          }
          const content = contentOf(edit)
          if (content !== undefined) this.#placeLarge(content, placed, begun)
          const reference = content === undefined ? undefined : referenceTo(content, placed)
          const isInline = content !== undefined && reference === undefined
          const head = {
            transaction,
            epoch: this.epoch,
            type: recordType(edit, isInline),
            isLast: index === edits.length - 1,
          }
          const bytes = isInline ? content.unsavedBytes : undefined
          const at = writeRecord(
            writer,
            head,
            to => {
              writeEdit(to, edit, reference)
              if (head.isLast && mark !== undefined) writeMark(to, mark)
            },
            isInline && bytes !== undefined ? { bytes, checksum: content.checksum } : undefined,
          )
          if (isInline) placed.set(content, { holder: tail, offset: tail.sizeBytes + appendedBytes + at })
        }
        tail.file.append(writer.written)
        appendedBytes += writer.length
      },
      () => {
        for (const file of begun) this.files.discard(file)
      },
    )
    this.#isDirty = true
    if (this.#flushEach) {
      try {
        tail.file.flush()
      } catch (error) {
        throw this.#fail(error)
      }
      this.#isDirty = false
    }
    tail.sizeBytes += appendedBytes
    this.#transaction = transaction
    this.#bytesSinceCheckpoint += appendedBytes
    this.#commitsSinceCheckpoint++
    for (const [content, location] of placed) content.place(location)
    if (mark !== undefined) this.clients.note(mark)
  }

  /** A large content goes to a file of its own, which is flushed before any record names it. Without a spare file it stays inline. */
  #placeLarge(content: StoredContent, placed: Map<StoredContent, Location>, begun: NumberedFile[]): void {
    const bytes = content.unsavedBytes
    if (bytes === undefined || bytes.length <= this.#sideBytes || placed.has(content)) return
    const side = this.files.begin('side')
    if (side === undefined) return
    begun.push(side)
    side.file.append(bytes)
    side.file.flush()
    side.sizeBytes += bytes.length
    placed.set(content, { holder: side, offset: headerBytes })
  }

  /** A failed append may have written a part. It is taken back; where even that fails, nothing is known of the file any more. */
  #appendOrUndo(tail: NumberedFile, append: () => void, alsoUndo: () => void = () => {}): void {
    try {
      append()
    } catch (error) {
      try {
        tail.file.truncate(tail.sizeBytes)
        alsoUndo()
      } catch (undoError) {
        throw this.#fail(undoError)
      }
      throw error
    }
  }

  /** Ends the segment that is written to, so that it can be compacted like any other. */
  roll(): void {
    this.#checkUsable()
    try {
      this.#rollIfFull(0)
    } catch (error) {
      throw storageError(error, 'compact')
    }
  }

  #rollIfFull(fullBytes: number = this.#rollAtBytes): void {
    if (this.#tail.sizeBytes < fullBytes) return
    const next = this.files.begin('segment')
    if (next === undefined) {
      // Nobody could open a file meanwhile: whoever writes so much at once does not let anything else run. Not asked for every commit.
      this.#rollAtBytes = this.#tail.sizeBytes + this.#segmentBytes / 4
      return
    }
    // What lies in a segment must be on the disk before anything in the next one is.
    try {
      this.#tail.file.flush()
    } catch (error) {
      throw this.#fail(error)
    }
    this.#isDirty = false
    this.#tail = next
    this.#rollAtBytes = this.#segmentBytes
  }

  #isSmall(edits: readonly Edit[]): boolean {
    return this.#writer.length < smallCommitBytes && edits.every(edit => edit.kind !== 'put' || edit.node.kind !== 'file')
  }

  #openReserve(): boolean {
    if (this.#reserve === undefined || this.#reserve.sizeBytes <= headerBytes) return false
    this.#reserve.file.truncate(headerBytes)
    this.#reserve.sizeBytes = headerBytes
    return true
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

function contentOf(edit: Edit): StoredContent | undefined {
  if (edit.kind !== 'put' || edit.node.kind !== 'file') return undefined
  if (edit.node.bytes instanceof StoredContent) return edit.node.bytes
  throw new Error('a file of the stored tree was made without its log')
}

/** Where a content lies that need not be written, because it is stored or is written in the same commit already. */
function referenceTo(content: StoredContent, placed: ReadonlyMap<StoredContent, Location>): Reference | undefined {
  const location = content.location ?? placed.get(content)
  if (location === undefined) return content.length === 0 ? emptyReference : undefined
  return { fileNumber: location.holder.number, offset: location.offset, length: content.length, checksum: content.checksum }
}

const emptyReference: Reference = { fileNumber: 0, offset: 0, length: 0, checksum: 0 }
