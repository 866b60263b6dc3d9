// A whole tree as a table, so that a store opens with one read: columns of numbers, and one text that holds every name. Parents precede
// their children, and each directory records its number of children.
//   length f64 | checksum u32 | zero u32 | fixed numbers | columns of nodes | columns of pieces | names | requests of other tabs that
//   were carried out, as JSON
// See docs/store-format.md.

import type { DirectoryNode, Entry } from '../../../vfs/tree/node.ts'
import type { Version } from '../../../vfs/tree/tree.ts'
import { ClientTable } from './clients.ts'
import type { ContentCache } from './content.ts'
import { crc32c } from './crc32c.ts'
import { extraColumns, extraNumbers } from './edit-codec.ts'
import type { NumberedFile } from './header.ts'
import { isContent, type Piece, piecesOf } from './pieced-content.ts'
import { doubleColumns, extraFlag, kindOf, pieceWordColumns, StoredRows, wordColumns } from './stored-rows.ts'
import { pushAll } from '../../../core/many.ts'

export interface CheckpointFacts {
  /** Of two checkpoints, the one with the higher generation is newer. */
  readonly generation: number
  readonly epoch: number
  readonly transaction: number
  /** Where the first record after the checkpoint is. */
  readonly segmentNumber: number
  readonly segmentOffset: number
  readonly lastRev: number
  readonly lastIno: number
  readonly lastSeq: number
  readonly nextNumber: number
}

export interface Checkpoint extends CheckpointFacts {
  readonly clients: ClientTable
  readonly tree: Version
}

const factNames = [
  'generation',
  'epoch',
  'transaction',
  'segmentNumber',
  'segmentOffset',
  'lastRev',
  'lastIno',
  'lastSeq',
  'nextNumber',
] as const satisfies readonly (keyof CheckpointFacts)[]

const prefixBytes = 16
/** The facts, and then the numbers of rows, of shared nodes, of bytes of contents, of nodes, of pieces and of rows with an extra. */
const fixedCount = factNames.length + 6
/** Pieces came with version 2, and rows with an extra with version 4. */
const fixedCountOf = (version: number): number => fixedCount - (version < 2 ? 1 : 0) - (version < 4 ? 1 : 0)

interface Row {
  readonly name: string
  readonly entry: Entry
}

/** Encodes the nodes of `tree` as rows, followed by its shared nodes, whose rows have no names. */
export function encodeCheckpoint(
  facts: CheckpointFacts,
  tree: Version,
  clients: ClientTable = new ClientTable(),
): Uint8Array<ArrayBuffer> {
  const rows = rowsOf(tree.root)
  const shared = [...tree.shared]
  const count = rows.length + shared.length
  const texts: string[] = []
  const pieces: Piece[] = []
  const extraRows: number[] = []

  const doubles = new Float64Array(count * doubleColumns)
  const words = new Uint32Array(count * wordColumns)
  const fill = (index: number, name: string, entry: Entry, key: number): void => {
    texts.push(name)
    const [at, word] = [index * doubleColumns, index * wordColumns]
    words[word + 1] = name.length
    if (entry.key !== undefined) {
      words[word] = kindOf.shared
      words[word + 2] = kindOf[entry.kind]
      doubles[at] = entry.key
      return
    }
    if (entry.extra !== undefined) extraRows.push(...extraNumbers(entry.extra))
    const bits = (entry.mode << 4) | (entry.extra === undefined ? 0 : extraFlag)
    words[word] = kindOf[entry.kind] | bits
    doubles[at] = entry.ino
    doubles[at + 1] = entry.rev
    doubles[at + 2] = entry.mtimeMs
    doubles[at + 3] = entry.ctimeMs
    doubles[at + 5] = key
    if (entry.kind === 'directory') {
      words[word + 2] = entry.entries.size
    } else if (entry.kind === 'symlink') {
      texts.push(entry.target)
      words[word + 2] = entry.target.length
      words[word + 3] = entry.sizeBytes
    } else {
      const { bytes } = entry
      if (!isContent(bytes)) throw new Error('a file of the stored tree is not in its log')
      const parts = piecesOf(bytes)
      const [first] = parts
      words[word + 2] = bytes.length
      if (first === undefined) return
      if (parts.length > 1 || first.length !== first.content.length) {
        words[word] = kindOf.pieced | bits
        words[word + 3] = pieces.length
        words[word + 4] = parts.length
        pushAll(pieces, parts)
        return
      }
      words[word + 3] = first.content.checksum
      words[word + 4] = first.content.location?.holder.number ?? 0
      doubles[at + 4] = first.content.location?.offset ?? 0
    }
  }
  for (const [index, { name, entry }] of rows.entries()) fill(index, name, entry, 0)
  for (const [index, [key, node]] of shared.entries()) fill(rows.length + index, '', node, key)

  const pieceDoubles = Float64Array.from(pieces, ({ content }) => content.location?.offset ?? 0)
  const pieceWords = Uint32Array.from(
    pieces.flatMap(({ content, start, length }) => [
      content.location?.holder.number ?? 0,
      content.length,
      content.checksum,
      start,
      length,
    ]),
  )

  // After the last name.
  if (clients.entries.length > 0) texts.push(JSON.stringify(clients.entries))
  const names = new TextEncoder().encode(texts.join(''))
  const fixed = new Float64Array(fixedCount)
  for (const [index, name] of factNames.entries()) fixed[index] = facts[name]
  const extras = Float64Array.from(extraRows)
  const counts = [rows.length, shared.length, tree.contentBytes, tree.nodeCount, pieces.length, extras.length / extraColumns]
  fixed.set(counts, factNames.length)
  const parts = [fixed, doubles, pieceDoubles, extras, words, pieceWords, names]
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, prefixBytes))
  let offset = prefixBytes
  for (const part of parts) {
    bytes.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), offset)
    offset += part.byteLength
  }
  const view = new DataView(bytes.buffer)
  view.setFloat64(0, bytes.length, true)
  view.setUint32(8, crc32c(bytes, prefixBytes), true)
  return bytes
}

/** Parents before children. Iterative, because a tree may be deeper than the call stack. */
function rowsOf(root: DirectoryNode): Row[] {
  const rows: Row[] = [{ name: '', entry: root }]
  const open = [root.entries[Symbol.iterator]()]
  for (let entries = open.at(-1); entries !== undefined; entries = open.at(-1)) {
    const next = entries.next()
    if (next.done === true) {
      open.pop()
      continue
    }
    const [name, entry] = next.value
    rows.push({ name, entry })
    if (entry.kind === 'directory') open.push(entry.entries[Symbol.iterator]())
  }
  return rows
}

/** The generation of a checkpoint that may be incomplete; -1 if it is too short to contain one. */
export function generationOf(bytes: Uint8Array): number {
  if (bytes.length < prefixBytes + fixedCountOf(1) * 8) return -1
  const generation = new DataView(bytes.buffer, bytes.byteOffset).getFloat64(prefixBytes, true)
  return Number.isSafeInteger(generation) ? generation : -1
}

/**
 * Decodes a checkpoint of {@link encodeCheckpoint}, or of a release that wrote `version`; `undefined` if it is incomplete or damaged.
 * `holderOf` finds the files of the store by their numbers.
 */
export function decodeCheckpoint(
  bytes: Uint8Array<ArrayBuffer>,
  version: number,
  holderOf: (fileNumber: number) => NumberedFile,
  cache: ContentCache,
): Checkpoint | undefined {
  const fixedBytes = fixedCountOf(version) * 8
  if (bytes.length < prefixBytes + fixedBytes) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const total = view.getFloat64(0, true)
  if (!(total <= bytes.length) || total < prefixBytes + fixedBytes) return undefined
  if (crc32c(bytes, prefixBytes, total) !== view.getUint32(8, true)) return undefined

  const fixed = new Float64Array(bytes.buffer, bytes.byteOffset + prefixBytes, fixedBytes / 8)
  const [rowCount = 0, sharedCount = 0, contentBytes = 0, nodeCount = 0, pieceCount = 0, extraCount = 0] = fixed.subarray(
    factNames.length,
  )
  const count = rowCount + sharedCount
  let at = bytes.byteOffset + prefixBytes + fixedBytes
  const doublesOf = (length: number): Float64Array => {
    at += length * 8
    return new Float64Array(bytes.buffer, at - length * 8, length)
  }
  const wordsOf = (length: number): Uint32Array => {
    at += length * 4
    return new Uint32Array(bytes.buffer, at - length * 4, length)
  }
  const columns = {
    doubles: doublesOf(count * doubleColumns),
    pieceDoubles: doublesOf(pieceCount),
    extras: doublesOf(extraCount * extraColumns),
    words: wordsOf(count * wordColumns),
    pieceWords: wordsOf(pieceCount * pieceWordColumns),
  }
  const names = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(at - bytes.byteOffset, total))

  const rows = new StoredRows({ rowCount, sharedCount, ...columns, names }, holderOf, cache)
  const root = rows.root()
  if (root === undefined) return undefined
  const [generation = 0, epoch = 0, transaction = 0, segmentNumber = 0, segmentOffset = 0] = fixed
  const [lastRev = 0, lastIno = 0, lastSeq = 0, nextNumber = 0] = fixed.subarray(5)
  const facts = { generation, epoch, transaction, segmentNumber, segmentOffset, lastRev, lastIno, lastSeq, nextNumber }
  return {
    ...facts,
    clients: clientsIn(names.slice(rows.namesEnd)),
    tree: { root, shared: rows.shared(), contentBytes, nodeCount, editCount: 0 },
  }
}

/** The checksum has been verified, so the text is exactly what was written. */
function clientsIn(text: string): ClientTable {
  return new ClientTable(text === '' ? [] : (JSON.parse(text) as [string, number][]))
}
