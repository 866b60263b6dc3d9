// Writes edits as records at the end of the log. A content is written once: with the first edit that uses it, before it, or to a file for
// large contents.

import type { Edit } from '../../../vfs/tree/edit.ts'
import type { Version } from '../../../vfs/tree/tree.ts'
import { ByteWriter } from './bytes.ts'
import { type Mark, writeMark } from './clients.ts'
import type { Location, StoredContent } from './content.ts'
import { recordType, writeEdit } from './edit-codec.ts'
import { changeIn } from './stored-change.ts'
import type { StoreFiles } from './files.ts'
import { headerBytes, type NumberedFile } from './header.ts'
import { isContent, type Piece, PiecedContent, piecesOf } from './pieced-content.ts'
import { recordTypes, writeRecord } from './record.ts'
import type { Tail } from './tail.ts'

/** How much of a commit may be in memory before that part is appended. */
const partBytes = 4 * 1024 * 1024

/** What the records of one commit have in common. */
export interface CommitHead {
  readonly transaction: number
  /** All transactions up to this one are on the disk. */
  readonly flushed: number
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

  /** The size of the part that was appended last, or whose append failed. */
  get partBytes(): number {
    return this.#writer.length
  }

  /**
   * Writes all of `edits` and `mark`, or nothing. `tree` is the tree before. Returns where the new contents are now. Throws what the platform
   * throws.
   */
  write(edits: readonly Edit[], mark: Mark | undefined, head: CommitHead, tree: Version): ReadonlyMap<StoredContent, Location> {
    const { segment } = this.#tail
    const writer = this.#writer
    const placed = new Map<StoredContent, Location>()
    const begun: NumberedFile[] = []
    const place = { fileNumber: segment.number, baseOffset: segment.sizeBytes }
    let changedContent: PiecedContent | undefined
    const noted = (content: StoredContent): void => {
      const at = writeRecord(writer, place, { ...head, transaction: head.transaction - 1, ...note }, () => {}, content.unsaved)
      placed.set(content, { holder: segment, offset: place.baseOffset + at })
    }
    const record = (edit: Edit, index: number): void => {
      const isLast = index === edits.length - 1
      // The tree before is known only for the first.
      const change = index === 0 ? changeIn(edit, tree) : undefined
      if (change !== undefined) changedContent = change.content
      const pieces = change?.pieces ?? piecesIn(edit) ?? []
      const unplaced = new Set<StoredContent>()
      for (const { content } of pieces) if (!content.isPlaced) unplaced.add(content)
      const fresh = [...unplaced].filter(content => !this.#isPlaced(content, placed, begun))
      // One content is stored inside the record. A record with two is rare.
      const [inline, ...others] = fresh
      others.forEach(noted)
      const at = writeRecord(
        writer,
        place,
        { ...head, type: change === undefined ? recordType(edit) : recordTypes.change, index, isLast },
        to => {
          writeEdit(to, edit, pieces, placed, change)
          if (isLast && mark !== undefined) writeMark(to, mark)
        },
        inline?.unsaved,
      )
      if (inline !== undefined) placed.set(inline, { holder: segment, offset: place.baseOffset + at })
    }
    writer.clear()
    this.#tail.append(
      append => {
        for (const [index, edit] of edits.entries()) {
          if (writer.length > partBytes) {
            append(writer.written)
            place.baseOffset += writer.length
            writer.clear()
          }
          record(edit, index)
        }
        append(writer.written)
      },
      () => {
        for (const file of begun) this.#files.discard(file)
      },
    )
    for (const edit of edits) {
      if (edit.kind !== 'put' || edit.node.kind !== 'file' || !(edit.node.bytes instanceof PiecedContent)) continue
      edit.node.bytes.stored(edit.node.bytes !== changedContent)
    }
    return placed
  }

  /** Writes a record that changes nothing and belongs to no transaction. `content` is stored with it. */
  writeNote(head: CommitHead, mark?: Mark, content?: StoredContent): void {
    const { segment } = this.#tail
    const writer = this.#writer
    writer.clear()
    const place = { fileNumber: segment.number, baseOffset: segment.sizeBytes }
    const facts = (to: ByteWriter): void => {
      if (mark !== undefined) writeMark(to, mark)
    }
    const at = writeRecord(writer, place, { ...head, ...note }, facts, content?.unsaved)
    this.#tail.append(append => append(writer.written))
    content?.place({ holder: segment, offset: place.baseOffset + at })
  }

  /** Stores a content that nothing refers to yet: in a separate file if it is large, otherwise with a note. */
  writeContent(head: CommitHead, content: StoredContent): void {
    const placed = new Map<StoredContent, Location>()
    const begun: NumberedFile[] = []
    try {
      this.#placeLarge(content, placed, begun)
    } catch (error) {
      for (const file of begun) this.#files.discard(file)
      throw error
    }
    const location = placed.get(content)
    if (location === undefined) this.writeNote(head, undefined, content)
    else content.place(location)
  }

  #isPlaced(content: StoredContent, placed: Map<StoredContent, Location>, begun: NumberedFile[]): boolean {
    if (placed.has(content)) return true
    this.#placeLarge(content, placed, begun)
    return placed.has(content)
  }

  /** A large content goes to a separate file, which is flushed before any record names it. Without a spare file it is stored inline. */
  #placeLarge(content: StoredContent, placed: Map<StoredContent, Location>, begun: NumberedFile[]): void {
    const { unsaved } = content
    if (unsaved === undefined || unsaved.bytes.length <= this.#sideBytes) return
    const side = this.#files.begin('side')
    if (side === undefined) return
    begun.push(side)
    for (const bytes of [unsaved.bytes, unsaved.table ?? new Uint8Array()]) {
      side.file.append(bytes)
      side.sizeBytes += bytes.length
    }
    side.file.flush()
    placed.set(content, { holder: side, offset: headerBytes })
  }
}

const note = { type: recordTypes.note, index: 0, isLast: true } as const

/** The pieces of the content that a file will have; `undefined` for an edit of something else. */
function piecesIn(edit: Edit): readonly Piece[] | undefined {
  if (edit.kind !== 'put' || edit.node.kind !== 'file') return undefined
  if (isContent(edit.node.bytes)) return piecesOf(edit.node.bytes)
  throw new Error('a file of the stored tree was made without its log')
}
