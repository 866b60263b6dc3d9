// The rows of a checkpoint as a tree whose nodes are created on access. Opening a store with a hundred thousand files needs only a few of
// its directories, and creating an object for each name would take most of the time of opening.

import { Entries } from '../../../vfs/tree/entries.ts'
import type { DirectoryNode, Entry, Extra, FileNode, LinkableNode, Owner, SymlinkNode } from '../../../vfs/tree/node.ts'
import { type ContentCache, StoredContent } from './content.ts'
import { extraColumns, extraFrom, type StoredPiece } from './edit-codec.ts'
import type { NumberedFile } from './header.ts'
import { type Content, contentFrom } from './pieced-content.ts'

export const doubleColumns = 6
export const wordColumns = 5

export const pieceWordColumns = 5

/** `pieced`: a file whose content has several pieces. Not in version 1. */
export const kindOf = { file: 0, directory: 1, symlink: 2, shared: 3, pieced: 4 } as const

/** In a row's first word, above the mode: the row has owners or the time of the last read. Since version 4. */
export const extraFlag: number = 1 << 20

export interface RowTable {
  readonly rowCount: number
  readonly sharedCount: number
  readonly doubles: Float64Array
  readonly words: Uint32Array
  /** For each piece: the offset of its content, then the content's place, length and checksum, and the part of it that is used. */
  readonly pieceDoubles: Float64Array
  readonly pieceWords: Uint32Array
  /** For each row with {@link extraFlag}, in the order of the rows. */
  readonly extras: Float64Array
  /** The names of all rows, each symlink's name followed by its target; shared nodes have no name. The text after them belongs to the clients. */
  readonly names: string
}

/** The table was written by `encodeCheckpoint` and its checksum was verified, so every number in it is valid. */
export class StoredRows {
  /** Where the names end in the text. */
  readonly namesEnd: number
  readonly #table: RowTable
  readonly #cache: ContentCache
  readonly #owner: Owner = Symbol('checkpoint')
  /** For each row, the next row that is not below it. */
  readonly #next: Uint32Array
  /** For each row, also of shared nodes, where its name begins. */
  readonly #nameAt: Uint32Array
  /** Files that hold contents. Collected at the start: a later access must use the files of that time. */
  readonly #holders = new Map<number, NumberedFile>()
  /** Where the row's part of the table's `extras` begins. */
  readonly #extraAt = new Map<number, number>()
  /** The number of names of each shared node. */
  readonly #links = new Map<number, number>()

  constructor(table: RowTable, holderOf: (fileNumber: number) => NumberedFile, cache: ContentCache) {
    this.#table = table
    this.#cache = cache
    const { rowCount, sharedCount } = table
    this.#next = new Uint32Array(rowCount)
    this.#nameAt = new Uint32Array(rowCount + sharedCount)
    const open: { readonly row: number; left: number }[] = []
    let [nameAt, lastHolder] = [0, -1]
    for (let row = 0; row < rowCount + sharedCount; row++) {
      const kind = this.#word(row, 0) & 15
      const number = this.#word(row, 4)
      if (kind === kindOf.file && number !== lastHolder) {
        this.#holders.set(number, holderOf(number))
        lastHolder = number
      }
      if ((this.#word(row, 0) & extraFlag) !== 0) this.#extraAt.set(row, this.#extraAt.size * extraColumns)
      this.#nameAt[row] = nameAt
      nameAt += this.#word(row, 1) + (kind === kindOf.symlink ? this.#word(row, 2) : 0)
      if (row >= rowCount) continue
      if (kind === kindOf.shared) {
        const key = this.#double(row, 0)
        this.#links.set(key, (this.#links.get(key) ?? 0) + 1)
      }
      const parent = open.at(-1)
      if (parent !== undefined) parent.left--
      const size = kind === kindOf.directory ? this.#word(row, 2) : 0
      if (size > 0) open.push({ row, left: size })
      else this.#next[row] = row + 1
      for (let top = open.at(-1); top?.left === 0; top = open.at(-1)) {
        this.#next[top.row] = row + 1
        open.pop()
      }
    }
    this.namesEnd = nameAt
    for (let piece = 0; piece < table.pieceDoubles.length; piece++) {
      const number = table.pieceWords[piece * pieceWordColumns] ?? 0
      if (!this.#holders.has(number)) this.#holders.set(number, holderOf(number))
    }
  }

  /** `undefined` if the first row is not a directory. */
  root(): DirectoryNode | undefined {
    const isRoot = this.#table.rowCount > 0 && (this.#word(0, 0) & 15) === kindOf.directory
    return isRoot ? this.#directory(0) : undefined
  }

  shared(): ReadonlyMap<number, LinkableNode> {
    const { rowCount, sharedCount } = this.#table
    const shared = new Map<number, LinkableNode>()
    for (let row = rowCount; row < rowCount + sharedCount; row++) {
      const key = this.#double(row, 5)
      const nlink = this.#links.get(key) ?? 1
      const isSymlink = (this.#word(row, 0) & 15) === kindOf.symlink
      shared.set(key, isSymlink ? this.#symlink(row, nlink) : this.#file(row, nlink))
    }
    return shared
  }

  entriesOf(row: number): Entries<Entry> {
    const entries = new Entries<Entry>(this.#owner)
    const end = this.#next[row] ?? 0
    for (let child = row + 1; child < end; child = this.#next[child] ?? end) {
      const start = this.#nameAt[child] ?? 0
      entries.set(this.#table.names.slice(start, start + this.#word(child, 1)), this.#entry(child))
    }
    return entries
  }

  #entry(row: number): Entry {
    switch (this.#word(row, 0) & 15) {
      case kindOf.directory:
        return this.#directory(row)
      case kindOf.file:
      case kindOf.pieced:
        return this.#file(row, 1)
      case kindOf.symlink:
        return this.#symlink(row, 1)
      default: {
        const kind = this.#word(row, 2) === kindOf.symlink ? 'symlink' : 'file'
        return { kind, key: this.#double(row, 0) }
      }
    }
  }

  #symlink(row: number, nlink: number): SymlinkNode {
    const start = (this.#nameAt[row] ?? 0) + this.#word(row, 1)
    const target = this.#table.names.slice(start, start + this.#word(row, 2))
    return { kind: 'symlink', target, sizeBytes: this.#word(row, 3), nlink, ...this.#facts(row) }
  }

  #directory(row: number): DirectoryNode {
    return new StoredDirectory(this.#facts(row), this.#owner, this, row)
  }

  #file(row: number, nlink: number): FileNode {
    return { kind: 'file', bytes: this.#content(row), nlink, ...this.#facts(row) }
  }

  #content(row: number): Content {
    if ((this.#word(row, 0) & 15) === kindOf.pieced) return this.#pieced(this.#word(row, 3), this.#word(row, 4))
    return this.#stored(this.#word(row, 4), this.#double(row, 4), this.#word(row, 2), this.#word(row, 3))
  }

  #stored(fileNumber: number, offset: number, length: number, checksum: number): StoredContent {
    const holder = this.#holders.get(fileNumber)
    if (holder === undefined) throw new Error('a content of the checkpoint lies in no file')
    return StoredContent.at(holder, offset, length, checksum, this.#cache)
  }

  #pieced(from: number, count: number): Content {
    const { pieceDoubles, pieceWords } = this.#table
    const pieces: StoredPiece[] = []
    for (let piece = from; piece < from + count; piece++) {
      const [fileNumber = 0, contentLength = 0, checksum = 0, start = 0, length = 0] = pieceWords.subarray(
        piece * pieceWordColumns,
      )
      pieces.push({ fileNumber, offset: pieceDoubles[piece] ?? 0, contentLength, checksum, start, length })
    }
    return contentFrom(pieces, this.#cache, ({ fileNumber, offset, contentLength, checksum }) =>
      this.#stored(fileNumber, offset, contentLength, checksum),
    )
  }

  #facts(row: number): Facts {
    const facts = {
      mode: (this.#word(row, 0) >>> 4) & 0xffff,
      mtimeMs: this.#double(row, 2),
      ctimeMs: this.#double(row, 3),
      ino: this.#double(row, 0),
      rev: this.#double(row, 1),
    }
    const at = this.#extraAt.get(row)
    // Few rows have more, and a spread is slow.
    return at === undefined ? facts : { ...facts, extra: extraFrom(this.#table.extras.subarray(at, at + extraColumns)) }
  }

  #word(row: number, column: number): number {
    return this.#table.words[row * wordColumns + column] ?? 0
  }

  #double(row: number, column: number): number {
    return this.#table.doubles[row * doubleColumns + column] ?? 0
  }
}

type Facts = Pick<DirectoryNode, 'mode' | 'mtimeMs' | 'ctimeMs' | 'ino' | 'rev' | 'extra'>

/** It has no owner, so it is never changed in place: a changed tree copies it. */
class StoredDirectory implements DirectoryNode {
  readonly kind = 'directory'
  readonly owner: Owner
  readonly ino: number
  mode: number
  mtimeMs: number
  ctimeMs: number
  rev: number
  extra?: Extra | undefined
  readonly #row: number
  /** Set until the entries are created. */
  #rows: StoredRows | undefined
  #entries: Entries<Entry> | undefined

  constructor({ mode, mtimeMs, ctimeMs, ino, rev, extra }: Facts, owner: Owner, rows: StoredRows, row: number) {
    this.owner = owner
    this.ino = ino
    this.mode = mode
    this.mtimeMs = mtimeMs
    this.ctimeMs = ctimeMs
    this.rev = rev
    this.extra = extra
    this.#rows = rows
    this.#row = row
  }

  get entries(): Entries<Entry> {
    this.#entries ??= this.#rows?.entriesOf(this.#row) ?? new Entries<Entry>(this.owner)
    this.#rows = undefined
    return this.#entries
  }
}
