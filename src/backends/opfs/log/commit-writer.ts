// Edits as records at the end of the log. A content is written once: with the first edit that has it, or before, or to a file of its own.

import type { Edit } from '../../../vfs/tree/edit.ts'
import { ByteWriter } from './bytes.ts'
import { type Mark, writeMark } from './clients.ts'
import type { Location, StoredContent } from './content.ts'
import { contentOf, referenceTo } from './content-places.ts'
import { recordType, writeEdit } from './edit-codec.ts'
import type { StoreFiles } from './files.ts'
import { headerBytes, type NumberedFile } from './header.ts'
import { recordTypes, writeRecord } from './record.ts'
import type { Tail } from './tail.ts'

/** What a commit may hold in memory before a part of it is appended. */
const pieceBytes = 4 * 1024 * 1024

/** Whose records these are. */
export interface CommitHead {
  readonly transaction: number
  readonly epoch: number
}

export class CommitWriter {
  readonly #files: StoreFiles
  readonly #tail: Tail
  readonly #sideBytes: number
  readonly #writer = new ByteWriter(64 * 1024)

  constructor(files: StoreFiles, tail: Tail, sideBytes: number) {
    this.#files = files
    this.#tail = tail
    this.#sideBytes = sideBytes
  }

  /** Of the last piece that was to be appended. */
  get pieceBytes(): number {
    return this.#writer.length
  }

  /** All of `edits` and `mark`, or nothing. Gives where the contents that were new lie now. Throws what the platform throws. */
  write(edits: readonly Edit[], mark: Mark | undefined, head: CommitHead): ReadonlyMap<StoredContent, Location> {
    const { segment } = this.#tail
    const writer = this.#writer
    const placed = new Map<StoredContent, Location>()
    const begun: NumberedFile[] = []
    let pieceAt = segment.sizeBytes
    const record = (edit: Edit, isLast: boolean): void => {
      const content = contentOf(edit)
      if (content !== undefined) this.#placeLarge(content, placed, begun)
      const reference = content === undefined ? undefined : referenceTo(content, placed)
      const isInline = content !== undefined && reference === undefined
      const bytes = isInline ? content.unsavedBytes : undefined
      const at = writeRecord(
        writer,
        { ...head, type: recordType(edit, isInline), isLast },
        to => {
          writeEdit(to, edit, reference)
          if (isLast && mark !== undefined) writeMark(to, mark)
        },
        isInline && bytes !== undefined ? { bytes, checksum: content.checksum } : undefined,
      )
      if (isInline) placed.set(content, { holder: segment, offset: pieceAt + at })
    }
    writer.clear()
    this.#tail.append(
      append => {
        for (const [index, edit] of edits.entries()) {
          if (writer.length > pieceBytes) {
            append(writer.written)
            pieceAt += writer.length
            writer.clear()
          }
          record(edit, index === edits.length - 1)
        }
        append(writer.written)
      },
      () => {
        for (const file of begun) this.#files.discard(file)
      },
    )
    return placed
  }

  /** A record that changes nothing: no part of a transaction, and known to every release. With `content` it is there once more. */
  writeCopy(head: CommitHead, mark: Mark | undefined, content?: StoredContent): void {
    const { segment } = this.#tail
    const writer = this.#writer
    writer.clear()
    const at = writeRecord(
      writer,
      { ...head, type: recordTypes.copy, isLast: true },
      to => {
        if (mark !== undefined) writeMark(to, mark)
      },
      content === undefined ? undefined : { bytes: content.slice(), checksum: content.checksum },
    )
    const offset = segment.sizeBytes + at
    this.#tail.append(append => append(writer.written))
    content?.place({ holder: segment, offset })
  }

  /** A large content goes to a file of its own, which is flushed before any record names it. Without a spare file it stays inline. */
  #placeLarge(content: StoredContent, placed: Map<StoredContent, Location>, begun: NumberedFile[]): void {
    const bytes = content.unsavedBytes
    if (bytes === undefined || bytes.length <= this.#sideBytes || placed.has(content)) return
    const side = this.#files.begin('side')
    if (side === undefined) return
    begun.push(side)
    side.file.append(bytes)
    side.file.flush()
    side.sizeBytes += bytes.length
    placed.set(content, { holder: side, offset: headerBytes })
  }
}
