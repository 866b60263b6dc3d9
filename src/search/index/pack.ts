// The index as one array of bytes, to be stored until the files are opened again. It is not trusted when it is loaded: a pack that is
// damaged, or from another release or kind of machine, is rejected. The caller checks whether the files are still the same.
//   header | 5 words a file | 5 words a block | the sets of all blocks | paths and versions as one text, filled up to a whole word

import type { BlockIndex } from './block-index.ts'
import { blockBytes, maxBlockBytes } from './blocks.ts'
import { checksumOf, newChecksum, updateChecksum } from './checksum.ts'
import { maxSetWords, minSetWords } from './grams.ts'
import { createSetStore } from './set-store.ts'
import { blockFields, type IndexContents, type IndexedFile, roomFor, traits } from './records.ts'

/** In this machine's byte order: on another machine the number differs. */
const magic = 0x4b504941
/** The version of the layout. The fingerprint covers how the index processes texts. */
const formatVersion = 1
const headerWords = 8
const fileWords = 5
const blockWords = blockFields - 1
const largestSet = maxSetWords(maxBlockBytes, blockBytes)
/** The number of files per step in either direction: a few tenths of a millisecond. */
const stepFiles = 256
const stepWords = 1 << 16

/** Work that is divided into steps, so that other work can run in between. */
export type Steps<T> = Generator<undefined, T, undefined>

interface Chosen {
  readonly path: string
  readonly file: IndexedFile
  readonly setWords: number
}

/**
 * The contents of `index` are read again after every step: files that change or are removed meanwhile are left out. `fingerprint` identifies how texts
 * become sets; a pack with another one is rejected.
 */
export function* encodePack(index: Pick<BlockIndex, 'contents'>, fingerprint: number): Steps<Uint8Array<ArrayBuffer>> {
  const chosen: Chosen[] = []
  const texts: Uint8Array[] = []
  let [blockCount, setWords, textBytes] = [0, 0, 0]
  let text = ''
  const endText = (): void => {
    const encoded = new TextEncoder().encode(text)
    texts.push(encoded)
    textBytes += encoded.length
    text = ''
  }
  // Files that change meanwhile are visited again at the end of the map, so there must be a limit.
  const maxFiles = index.contents.files.size
  for (const [path, file] of index.contents.files) {
    if (chosen.length === maxFiles) break
    const ofFile = setWordsOf(index.contents.blocks, file)
    chosen.push({ path, file, setWords: ofFile })
    blockCount += (file.to - file.from) / blockFields
    setWords += ofFile
    text += path + file.version
    if (chosen.length % stepFiles !== 0) continue
    endText()
    yield
  }
  endText()

  const filesAt = headerWords
  const blocksAt = filesAt + chosen.length * fileWords
  const setsAt = blocksAt + blockCount * blockWords
  const textAt = setsAt + setWords
  const words = new Uint32Array(textAt + Math.ceil(textBytes / 4))
  const bytes = new Uint8Array(words.buffer)
  words.set([magic, formatVersion, fingerprint, chosen.length, blockCount, setWords, textBytes])
  let byteOffset = textAt * 4
  for (const part of texts) {
    bytes.set(part, byteOffset)
    byteOffset += part.length
  }

  let [row, blockAt, setAt, sinceStep] = [filesAt, blocksAt, setsAt, 0]
  for (const { path, file, setWords: ofFile } of chosen) {
    const { files, blocks, sets } = index.contents
    const blocksOfFile = (file.to - file.from) / blockFields
    // If the record has changed, its place stays empty.
    const isThere = files.get(path) === file
    words.set([path.length, file.version.length, isThere ? file.traits : 0, blocksOfFile, ofFile], row)
    let to = setAt
    for (let from = file.from, at = blockAt; isThere && from < file.to; from += blockFields, at += blockWords) {
      const length = blocks[from + 1] ?? 0
      words[at] = length
      words.set(blocks.subarray(from + 2, from + blockFields), at + 1)
      sets.copyTo(words, to, length, blocks[from] ?? 0)
      to += length
    }
    row += fileWords
    blockAt += blocksOfFile * blockWords
    setAt += ofFile
    sinceStep += ofFile + stepWords / stepFiles
    if (sinceStep < stepWords) continue
    sinceStep = 0
    yield
  }
  words[headerWords - 1] = yield* checksumSteps(words)
  return bytes
}

function setWordsOf(blocks: Uint32Array, { from, to }: IndexedFile): number {
  let sum = 0
  for (let at = from; at < to; at += blockFields) sum += blocks[at + 1] ?? 0
  return sum
}

/** Covers everything but the checksum itself. */
function* checksumSteps(words: Uint32Array): Steps<number> {
  const checksum = newChecksum()
  updateChecksum(checksum, words, 0, headerWords - 1)
  for (let from = headerWords; from < words.length; from += stepWords) {
    updateChecksum(checksum, words, from, Math.min(from + stepWords, words.length))
    yield
  }
  return checksumOf(checksum)
}

/** `undefined` if `bytes` are not an unchanged result of {@link encodePack} with the same fingerprint. */
export function* decodePack(bytes: Uint8Array, fingerprint: number): Steps<IndexContents | undefined> {
  const words = wordsOf(bytes)
  if (words === undefined || words.length < headerWords) return undefined
  const [foundMagic, foundFormat, foundFingerprint, fileCount = 0, blockCount = 0, setWords = 0, textBytes = 0, checksum] = words
  if (foundMagic !== magic || foundFormat !== formatVersion || foundFingerprint !== fingerprint) return undefined
  const blocksAt = headerWords + fileCount * fileWords
  const setsAt = blocksAt + blockCount * blockWords
  const textAt = setsAt + setWords
  if (textAt + Math.ceil(textBytes / 4) !== words.length) return undefined
  if ((yield* checksumSteps(words)) !== checksum) return undefined

  const rows = words.subarray(headerWords, blocksAt)
  const packed = words.subarray(blocksAt, setsAt)
  const packedSets = words.subarray(setsAt, textAt)
  const sets = createSetStore()
  // A byte order mark at the beginning is part of a path.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(textAt * 4, textAt * 4 + textBytes))
  const files = new Map<string, IndexedFile>()
  const blocks = new Uint32Array(roomForAll(rows))
  let [textIndex, blockAt, setAt, placeAt] = [0, 0, 0, 0]
  for (let row = 0; row < rows.length; row += fileWords) {
    const [pathLength = 0, versionLength = 0, fileTraits = 0, count = 0, setWordsOfFile = 0] = rows.subarray(row, row + fileWords)
    const path = text.slice(textIndex, (textIndex += pathLength))
    const version = text.slice(textIndex, (textIndex += versionLength))
    const from = placeAt
    if (fileTraits !== 0) {
      const number = files.size
      if (files.has(path)) return undefined
      const packedSetsOfFile = packedSets.subarray(setAt, setAt + setWordsOfFile)
      if (!place(packed.subarray(blockAt, blockAt + count * blockWords), packedSetsOfFile, number, { sets, blocks }, from))
        return undefined
      files.set(path, { version, number, traits: fileTraits, from, to: from + count * blockFields })
      placeAt += roomFor(count * blockFields)
    }
    blockAt += count * blockWords
    setAt += setWordsOfFile
    if (row % (stepFiles * fileWords) === 0) yield
  }
  if (textIndex !== text.length || blockAt !== packed.length || setAt !== packedSets.length) return undefined
  return { files, blocks, sets }
}

function wordsOf(bytes: Uint8Array): Uint32Array | undefined {
  if (bytes.length % 4 !== 0) return undefined
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4)
}

function roomForAll(rows: Uint32Array): number {
  let sum = 0
  for (let row = 0; row < rows.length; row += fileWords) {
    if (((rows[row + 2] ?? 0) & traits.known) !== 0) sum += roomFor((rows[row + 3] ?? 0) * blockFields)
  }
  return sum
}

/** Adds one file's sets, and writes the numbers of its blocks from `at` on; false if a set is impossible. */
function place(
  packed: Uint32Array,
  packedSets: Uint32Array,
  owner: number,
  { sets, blocks }: Pick<IndexContents, 'sets' | 'blocks'>,
  at: number,
): boolean {
  let setAt = 0
  let to = at
  for (let from = 0; from < packed.length; from += blockWords, to += blockFields) {
    const length = packed[from] ?? 0
    const isPossible = length >= minSetWords && length <= largestSet && (length & (length - 1)) === 0
    if (!isPossible || setAt + length > packedSets.length) return false
    blocks[to] = sets.put(packedSets.subarray(setAt, setAt + length), owner)
    blocks.set(packed.subarray(from, from + blockWords), to + 1)
    setAt += length
  }
  return setAt === packedSets.length
}
