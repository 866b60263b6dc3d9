// A whole tree as a table, so that a store opens in one read: columns of numbers, and one text that holds every name. Nodes stand
// parents first, and a directory is followed by as many nodes as it says.
//   length f64 | checksum u32 | zero u32 | fixed numbers | columns | names | what was carried out for other tabs, as JSON

import type { DirectoryNode, Entry, FileNode } from '../../../vfs/tree/node.ts'
import type { Version } from '../../../vfs/tree/tree.ts'
import { ClientTable } from './clients.ts'
import { type ContentCache, StoredContent } from './content.ts'
import { crc32c } from './crc32c.ts'
import type { NumberedFile } from './header.ts'
import { doubleColumns, kindOf, StoredRows, wordColumns } from './stored-rows.ts'

export interface CheckpointFacts {
  /** The higher one of two is the newer. */
  readonly generation: number
  readonly epoch: number
  readonly transaction: number
  /** Where the first record after it lies. */
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
const fixedCount: number = factNames.length + 4
interface Row {
  readonly name: string
  readonly entry: Entry
}

/** The nodes of `tree` as rows, then its shared files, whose rows have no names. */
export function encodeCheckpoint(
  facts: CheckpointFacts,
  tree: Version,
  clients: ClientTable = new ClientTable(),
): Uint8Array<ArrayBuffer> {
  const rows: Row[] = [{ name: '', entry: tree.root }]
  addRows(tree.root, rows)
  const shared = [...tree.shared]
  const count = rows.length + shared.length
  const texts: string[] = []

  const doubles = new Float64Array(count * doubleColumns)
  const words = new Uint32Array(count * wordColumns)
  const fill = (index: number, name: string, entry: Entry, key: number): void => {
    texts.push(name)
    const [at, word] = [index * doubleColumns, index * wordColumns]
    words[word + 1] = name.length
    if (entry.kind === 'shared') {
      words[word] = kindOf.shared
      doubles[at] = entry.key
      return
    }
    words[word] = kindOf[entry.kind] | (entry.mode << 4)
    doubles[at] = entry.ino
    doubles[at + 1] = entry.rev
    doubles[at + 2] = entry.mtimeMs
    doubles[at + 3] = entry.ctimeMs
    if (entry.kind === 'directory') {
      words[word + 2] = entry.entries.size
    } else if (entry.kind === 'symlink') {
      texts.push(entry.target)
      words[word + 2] = entry.target.length
      words[word + 3] = entry.sizeBytes
    } else {
      const { bytes } = entry
      if (!(bytes instanceof StoredContent)) throw new Error('a file of the stored tree is not in its log')
      words[word + 2] = bytes.length
      words[word + 3] = bytes.checksum
      words[word + 4] = bytes.length === 0 ? 0 : (bytes.location?.holder.number ?? 0)
      doubles[at + 4] = bytes.location?.offset ?? 0
      doubles[at + 5] = key
    }
  }
  for (const [index, { name, entry }] of rows.entries()) fill(index, name, entry, 0)
  for (const [index, [key, file]] of shared.entries()) fill(rows.length + index, '', file, key)

  // Behind the last name: a release that does not know it does not look there.
  if (clients.entries.length > 0) texts.push(JSON.stringify(clients.entries))
  const names = new TextEncoder().encode(texts.join(''))
  const fixedBytes = fixedCount * 8
  const total = prefixBytes + fixedBytes + doubles.byteLength + words.byteLength + names.length
  const bytes = new Uint8Array(total)
  const fixed = new Float64Array(bytes.buffer, prefixBytes, fixedCount)
  for (const [index, name] of factNames.entries()) fixed[index] = facts[name]
  fixed.set([rows.length, shared.length, tree.contentBytes, tree.nodeCount], factNames.length)
  let offset = prefixBytes + fixedBytes
  for (const part of [new Uint8Array(doubles.buffer), new Uint8Array(words.buffer), names]) {
    bytes.set(part, offset)
    offset += part.length
  }
  const view = new DataView(bytes.buffer)
  view.setFloat64(0, total, true)
  view.setUint32(8, crc32c(bytes, prefixBytes), true)
  return bytes
}

function addRows(directory: DirectoryNode, rows: Row[]): void {
  for (const [name, entry] of directory.entries) {
    rows.push({ name, entry })
    if (entry.kind === 'directory') addRows(entry, rows)
  }
}

/** Of a checkpoint that may not be whole; -1 if it is too short to say. */
export function generationOf(bytes: Uint8Array): number {
  if (bytes.length < prefixBytes + fixedCount * 8) return -1
  const generation = new DataView(bytes.buffer, bytes.byteOffset).getFloat64(prefixBytes, true)
  return Number.isSafeInteger(generation) ? generation : -1
}

/** What {@link encodeCheckpoint} gave; `undefined` if it is not whole. `holderOf` knows the files of the store by their numbers. */
export function decodeCheckpoint(
  bytes: Uint8Array<ArrayBuffer>,
  holderOf: (fileNumber: number) => NumberedFile,
  cache: ContentCache,
): Checkpoint | undefined {
  if (bytes.length < prefixBytes + fixedCount * 8) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const total = view.getFloat64(0, true)
  if (!(total <= bytes.length) || total < prefixBytes + fixedCount * 8) return undefined
  if (crc32c(bytes, prefixBytes, total) !== view.getUint32(8, true)) return undefined

  const fixed = new Float64Array(bytes.buffer, bytes.byteOffset + prefixBytes, fixedCount)
  const [rowCount = 0, sharedCount = 0, contentBytes = 0, nodeCount = 0] = fixed.subarray(factNames.length)
  const count = rowCount + sharedCount
  const doublesAt = bytes.byteOffset + prefixBytes + fixedCount * 8
  const doubles = new Float64Array(bytes.buffer, doublesAt, count * doubleColumns)
  const words = new Uint32Array(bytes.buffer, doublesAt + doubles.byteLength, count * wordColumns)
  const namesAt = prefixBytes + fixedCount * 8 + doubles.byteLength + words.byteLength
  const names = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(namesAt, total))

  const rows = new StoredRows({ rowCount, sharedCount, doubles, words, names }, holderOf, cache)
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

/** Its checksum was right, so it is what was written. */
function clientsIn(text: string): ClientTable {
  return new ClientTable(text === '' ? [] : (JSON.parse(text) as [string, number][]))
}

/** Every stored content of `tree`, once per file. */
export function contentsOf(tree: Version): StoredContent[] {
  const found: StoredContent[] = []
  const add = ({ bytes }: FileNode): void => {
    if (bytes instanceof StoredContent) found.push(bytes)
  }
  const pending: DirectoryNode[] = [tree.root]
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    for (const [, entry] of directory.entries) {
      if (entry.kind === 'directory') pending.push(entry)
      else if (entry.kind === 'file') add(entry)
    }
  }
  for (const file of tree.shared.values()) add(file)
  return found
}
