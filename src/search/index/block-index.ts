// Decides which files, and which parts of them, cannot contain a literal, without reading them. It only excludes what cannot match: an
// unknown file, or another version of a known one, is a candidate. It works on bytes only; its user keeps it up to date.

import { countByte, viewOf } from '../byte-scan.ts'
import type { Region } from '../lines.ts'
import { type LineEndings, lineEndingsOf } from '../lines.ts'
import { needsForeignCheck } from '../literal.ts'
import { isBinary } from '../matcher.ts'
import type { Pattern } from '../pattern.ts'
import { searchableText } from '../searchable.ts'
import { type Block, blockBytes, eachBlock, isPart, longestLineIn, maxBlockBytes } from './blocks.ts'
import { type Ask, askFor, marksFor, meets } from './ask.ts'
import { createGramCounter } from './grams.ts'
import { textsOf } from '../required.ts'
import { blockFields as fields, type FileVersion, type IndexContents, type IndexedFile, roomFor, traits } from './records.ts'
import { createSetStore, type SetStore } from './set-store.ts'
import { createWordStore, type WordStore } from './word-store.ts'

export type Candidate =
  /** The file is unknown, or the pattern has no condition: search all of it. */
  | { readonly kind: 'unknown'; readonly regions?: undefined }
  | { readonly kind: 'binary'; readonly regions?: undefined }
  /** No line of it can match. */
  | { readonly kind: 'none'; readonly regions?: undefined }
  /** Only these parts of the searchable text can match: whole lines, in order, without duplicates. */
  | { readonly kind: 'regions'; readonly regions: readonly Region[] }

/** The candidates of a list, by position. */
export interface Candidates {
  readonly at: (position: number) => Candidate
  /** At least so many files in a row from a position on are `none`. If it is 0, {@link Candidates.at} decides. */
  readonly noneFrom: (position: number) => number
}

export interface IndexQuery {
  /** The pattern has no condition, so nothing but binary files is excluded. */
  readonly isOpen: boolean
  /** Without a version, the file is taken as the one that was added last: only for callers that know that it has not changed. */
  readonly candidate: (path: string, version?: FileVersion) => Candidate
  /**
   * {@link IndexQuery.candidate} without a version, by position in `files`. What the index knows about the files is cached for the list,
   * so asking about the same list again, while the index is unchanged, looks up no path.
   */
  readonly candidateIn: (files: FileList) => Candidates
}

/** Must not be changed. */
export type FileList = readonly { readonly path: string }[]

/** For the path, the record and the map entry. */
const fileOverheadBytes = 200

/** What the index knows about the files of a list. */
interface KnownList {
  /** For each file, where its blocks begin and end, and its {@link traits}: three numbers. */
  readonly places: Int32Array
  /** By the number of a file, one more than its position in the list; 0 if it is not there. */
  readonly positions: Int32Array
  readonly unknown: readonly number[]
  /** Files with more {@link traits} than most. */
  readonly special: readonly number[]
  /** Later positions of files that are in the list several times. */
  readonly repeated: readonly number[]
}

const placeFields = 3

/** What was read of a file: how many numbers its blocks have, and what is in any of them. */
interface ReadBlocks {
  readonly count: number
  readonly hasReturns: boolean
  readonly hasForeignLetters: boolean
}

const defaultMaxIndexBytes: number = 128 * 1024 * 1024

export class BlockIndex {
  readonly #maxBytes: number
  readonly #counter = createGramCounter(maxBlockBytes, blockBytes)
  /** The numbers of the blocks of one file. */
  readonly #scratch: { fields: Uint32Array } = { fields: new Uint32Array(1 << 8) }
  #files = new Map<string, IndexedFile>()
  #sets = createSetStore()
  /** Six numbers for each block. */
  #blocks = createWordStore()
  #numberCount = 0
  /** Of removed files. */
  #freeNumbers: number[] = []
  #knownLists = new WeakMap<FileList, KnownList>()
  #knowsLists = false
  /** Increases when `#knownLists` become invalid. */
  #generation = 0

  constructor({ maxBytes = defaultMaxIndexBytes }: { readonly maxBytes?: number } = {}) {
    this.#maxBytes = maxBytes
  }

  get fileCount(): number {
    return this.#files.size
  }

  /** The approximate memory in bytes. */
  get sizeBytes(): number {
    return this.#sets.usedWords() * 4 + this.#blocks.usedWords() * 4 + this.#files.size * fileOverheadBytes
  }

  /** The current contents, which the index owns: do not change them, and ask again after any other call. */
  get contents(): IndexContents {
    return { files: this.#files, blocks: this.#blocks.words, sets: this.#sets }
  }

  has(path: string, version: FileVersion): boolean {
    return this.#files.get(path)?.version === version
  }

  /** The positions of the `files` that it does not have in any version, in order. Cached as in {@link IndexQuery.candidateIn}. */
  unknownIn(files: FileList): readonly number[] {
    return this.#knownIn(files).unknown
  }

  /** False if there is no room for it; earlier information about the path is removed in either case. */
  addFile(path: string, version: FileVersion, stored: Uint8Array): boolean {
    this.removeFile(path)
    if (this.sizeBytes >= this.#maxBytes) return false
    const bytes = searchableText(stored)
    const number = this.#freeNumbers.pop() ?? this.#numberCount++
    this.#files.set(path, isBinary(bytes) ? binaryFile(version, number) : this.#indexFile(version, number, bytes))
    this.#forgetLists()
    return true
  }

  /** Whether the index contained it. */
  removeFile(path: string): boolean {
    const file = this.#files.get(path)
    if (file === undefined) return false
    this.#forgetLists()
    this.#files.delete(path)
    this.#freeSets(this.#blocks.words, file.from, file.to)
    if (file.to > file.from) this.#blocks.free(file.from, roomFor(file.to - file.from))
    this.#freeNumbers.push(file.number)
    return true
  }

  removeBelow(directory: string): void {
    const prefix = directory.endsWith('/') ? directory : `${directory}/`
    for (const path of [...this.#files.keys()]) if (path.startsWith(prefix)) this.removeFile(path)
  }

  clear(): void {
    this.#replace(new Map(), createSetStore(), createWordStore())
  }

  /** Replaces the contents of the index. It becomes the owner of the arrays and the map. */
  adopt({ files, sets, blocks }: IndexContents): void {
    this.#replace(files, sets, createWordStore(blocks))
  }

  query(pattern: Pattern): IndexQuery {
    const ask = pattern.need && askFor(pattern.need.need)
    const seesForeign =
      pattern.need !== undefined && needsForeignCheck({ isFolded: pattern.need.isFolded, texts: textsOf(pattern.need.need) })
    const candidateAt = (from: number, to: number, known: number): Candidate => {
      if ((known & traits.binary) !== 0) return binary
      if (ask === undefined || (seesForeign && (known & traits.foreignLetters) !== 0)) return unknown
      return this.#candidateOf(from, to, (known & traits.lineNumbers) !== 0 && pattern.scope === 'line', ask)
    }
    const candidate = (path: string, version?: FileVersion): Candidate => {
      const file = this.#files.get(path)
      if (file === undefined || (version !== undefined && file.version !== version)) return unknown
      return candidateAt(file.from, file.to, file.traits)
    }
    return {
      isOpen: ask === undefined,
      candidate,
      candidateIn: list => {
        const known = this.#knownIn(list)
        const knownAt = this.#generation
        const openTraits = traits.binary | (seesForeign ? traits.foreignLetters : 0)
        const mayMatch = ask && this.#marked(known, ask, openTraits)
        return {
          at: position => {
            if (knownAt !== this.#generation) {
              const path = list[position]?.path
              return path === undefined ? unknown : candidate(path)
            }
            const at = position * placeFields
            const traitBits = known.places[at + 2] ?? 0
            return traitBits === 0 ? unknown : candidateAt(known.places[at] ?? 0, known.places[at + 1] ?? 0, traitBits)
          },
          noneFrom: position => {
            if (knownAt !== this.#generation || mayMatch === undefined) return 0
            const next = mayMatch.indexOf(1, position)
            return (next === -1 ? mayMatch.length : next) - position
          },
        }
      },
    }
  }

  #replace(files: Map<string, IndexedFile>, sets: SetStore, blocks: WordStore): void {
    this.#files = files
    this.#sets = sets
    this.#blocks = blocks
    this.#numberCount = files.size
    this.#freeNumbers = []
    this.#forgetLists()
  }

  #forgetLists(): void {
    this.#generation++
    // Indexing many files would otherwise make a map for each.
    if (this.#knowsLists) this.#knownLists = new WeakMap()
    this.#knowsLists = false
  }

  #knownIn(list: FileList): KnownList {
    let found = this.#knownLists.get(list)
    if (found === undefined) {
      const places = new Int32Array(list.length * placeFields)
      const positions = new Int32Array(this.#numberCount)
      const unknown: number[] = []
      const special: number[] = []
      const repeated: number[] = []
      // Without an iterator and an array for each file, which take longer than the rest.
      for (let position = 0; position < list.length; position++) {
        const file = this.#files.get(list[position]?.path ?? '')
        if (file === undefined) unknown.push(position)
        else {
          const at = position * placeFields
          places[at] = file.from
          places[at + 1] = file.to
          places[at + 2] = file.traits
          if ((positions[file.number] ?? 0) > 0) repeated.push(position)
          else positions[file.number] = position + 1
          if ((file.traits & (traits.binary | traits.foreignLetters)) !== 0) special.push(position)
        }
      }
      found = { places, positions, unknown, special, repeated }
      this.#knownLists.set(list, found)
      this.#knowsLists = true
    }
    return found
  }

  /** Marks the positions of the files that a query cannot exclude at once. */
  #marked({ places, positions, unknown, special, repeated }: KnownList, ask: Ask, openTraits: number): Uint8Array {
    const mayMatch = new Uint8Array(places.length / placeFields)
    const owners = this.#sets.ownersOf(marksFor(ask, this.#sets))
    for (let index = 0; index < owners.length; index++) {
      const position = positions[owners[index] ?? 0] ?? 0
      if (position > 0) mayMatch[position - 1] = 1
    }
    for (const position of unknown) mayMatch[position] = 1
    for (const position of repeated) mayMatch[position] = 1
    for (const position of special) if (((places[position * placeFields + 2] ?? 0) & openTraits) !== 0) mayMatch[position] = 1
    return mayMatch
  }

  #indexFile(version: FileVersion, number: number, bytes: Uint8Array): IndexedFile {
    const first = this.#readBlocks(number, bytes, 'lf')
    const isAny = first.hasReturns && lineEndingsOf(bytes) === 'any'
    if (isAny) this.#freeSets(this.#scratch.fields, 0, first.count)
    const { count, hasForeignLetters } = isAny ? this.#readBlocks(number, bytes, 'any') : first
    const from = count === 0 ? 0 : this.#blocks.put(this.#scratch.fields.subarray(0, roomFor(count)))
    const more = (hasForeignLetters ? traits.foreignLetters : 0) | (isAny ? 0 : traits.lineNumbers)
    return { version, number, traits: traits.known | more, from, to: from + count }
  }

  #freeSets(blocks: Uint32Array, from: number, to: number): void {
    for (let index = from; index < to; index += fields) this.#sets.free(blocks[index + 1] ?? 0, blocks[index] ?? 0)
  }

  /** Adds the sets, and notes the numbers of the blocks in the scratch. */
  #readBlocks(number: number, bytes: Uint8Array, endings: LineEndings): ReadBlocks {
    const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
    const scratch = this.#scratch
    let last: Block | undefined
    let [count, lineNumber, lineFeeds] = [0, 1, 0]
    let [hasReturns, hasForeignLetters] = [false, false]
    eachBlock(bytes, start, endings, block => {
      const set = this.#counter.setOf(bytes, block.start, block.end)
      const lines = this.#counter.linesOf()
      // After what is asked of the text, because both may use the same memory.
      const slot = this.#sets.put(set, number)
      hasReturns ||= lines.hasReturns
      hasForeignLetters ||= lines.hasForeignLetters
      // The parts of a region overlap, and the first may begin with short lines.
      if (last !== undefined && block.regionStart !== last.regionStart)
        lineNumber += isPart(last) ? countByte(viewOf(bytes), 10, last.regionStart, last.regionEnd) : lineFeeds
      last = block
      lineFeeds = lines.lineFeeds
      if (count + fields > scratch.fields.length) scratch.fields = grown(scratch.fields)
      const { fields: to } = scratch
      to[count] = slot
      to[count + 1] = set.length
      to[count + 2] = block.regionStart
      to[count + 3] = block.regionEnd
      to[count + 4] = lineNumber
      to[count + 5] = longestLineIn(block, lines.longestBytes)
      count += fields
    })
    return { count, hasReturns, hasForeignLetters }
  }

  #candidateOf(first: number, last: number, hasRegions: boolean, ask: Ask): Candidate {
    const { words: blocks } = this.#blocks
    if (!hasRegions) return meets(ask, this.#sets, blocks, first, last) ? unknown : none
    let regions: Region[] | undefined
    for (let from = first; from < last;) {
      const start = blocks[from + 2] ?? 0
      // The parts of a long line: together they may contain what each of them lacks.
      let to = from + fields
      while (to < last && blocks[to + 2] === start) to += fields
      if (meets(ask, this.#sets, blocks, from, to)) {
        const end = blocks[from + 3] ?? 0
        regions ??= []
        const previous = regions.at(-1)
        if (previous?.end === start) regions[regions.length - 1] = { ...previous, end }
        else regions.push({ start, end, lineNumber: blocks[from + 4] ?? 1 })
      }
      from = to
    }
    return regions === undefined ? none : { kind: 'regions', regions }
  }
}

// Objects with the same keys, so that the engine need not compile their readers again for each kind.
const unknown: Candidate = { kind: 'unknown', regions: undefined }
const none: Candidate = { kind: 'none', regions: undefined }
const binary: Candidate = { kind: 'binary', regions: undefined }

function binaryFile(version: FileVersion, number: number): IndexedFile {
  return { version, number, traits: traits.known | traits.binary, from: 0, to: 0 }
}

/** Its length stays a power of two, so that there is {@link roomFor} any number. */
function grown(numbers: Uint32Array): Uint32Array {
  const twice = new Uint32Array(numbers.length * 2)
  twice.set(numbers)
  return twice
}
