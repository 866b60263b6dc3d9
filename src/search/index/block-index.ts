// Tells which files, and which parts of them, cannot hold a literal, without reading them. It only ever removes what cannot match:
// what it does not know, or knows in another version, is a candidate. Pure data over bytes; who keeps it current is not its business.

import { countByte, viewOf } from '../byte-scan.ts'
import type { Region } from '../lines.ts'
import { lineEndingsOf } from '../lines.ts'
import { holdsForeignLetters, needsForeignCheck } from '../literal.ts'
import { isBinary } from '../matcher.ts'
import type { Pattern } from '../pattern.ts'
import { eachBlock, blockBytes, maxBlockBytes } from './blocks.ts'
import { type Ask, askFor, meets } from './ask.ts'
import { createGramCounter } from './grams.ts'
import { textsOf } from '../required.ts'
import { createWordStore } from './word-store.ts'

/** What tells one version of a file from another: where it is the same, so are the bytes. */
export type FileVersion = string

export type Candidate =
  /** It is not known, or the pattern has nothing to ask for: search all of it. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'binary' }
  /** No line of it can match. */
  | { readonly kind: 'none' }
  /** Only these parts of it can match; whole lines, in order, none twice. */
  | { readonly kind: 'regions'; readonly regions: readonly Region[] }

export interface IndexQuery {
  /** Without a version, the file is the one that was added last: only for who knows that it has not changed. */
  readonly candidate: (path: string, version?: FileVersion) => Candidate
}

export interface BlockIndex {
  /** False when there is no room for it; what was known of the path is forgotten either way. */
  readonly addFile: (path: string, version: FileVersion, bytes: Uint8Array) => boolean
  /** Whether something was known of it. */
  readonly removeFile: (path: string) => boolean
  readonly removeBelow: (directory: string) => void
  readonly has: (path: string, version: FileVersion) => boolean
  readonly clear: () => void
  readonly query: (pattern: Pattern) => IndexQuery
  /** Memory taken, in bytes, about. */
  readonly sizeBytes: () => number
  readonly fileCount: () => number
}

interface IndexedFile {
  readonly version: FileVersion
  readonly isBinary: boolean
  readonly holdsForeignLetters: boolean
  /** Five numbers for each block, see {@link fields}. */
  readonly blocks: Int32Array
  /** Lines are counted as the search counts them only where all end in a line feed. */
  readonly hasLineNumbers: boolean
}

/** What a block's numbers are: where its set is, how many words it has, its region, and the number of the region's first line. */
const fields = 5
/** For the path, the record and the map. */
const fileOverheadBytes = 200

export const defaultMaxIndexBytes: number = 128 * 1024 * 1024

export function createBlockIndex({ maxBytes = defaultMaxIndexBytes }: { readonly maxBytes?: number } = {}): BlockIndex {
  const files = new Map<string, IndexedFile>()
  const counter = createGramCounter(maxBlockBytes, blockBytes)
  let store = createWordStore()
  let blockNumbers = 0

  const sizeBytes = (): number => store.usedWords() * 4 + blockNumbers * 4 + files.size * fileOverheadBytes

  function removeFile(path: string): boolean {
    const file = files.get(path)
    if (file === undefined) return false
    files.delete(path)
    blockNumbers -= file.blocks.length
    for (let index = 0; index < file.blocks.length; index += fields) {
      store.free(file.blocks[index] ?? 0, file.blocks[index + 1] ?? 0)
    }
    return true
  }

  return {
    removeFile,
    removeBelow(directory) {
      const prefix = directory.endsWith('/') ? directory : `${directory}/`
      for (const path of [...files.keys()]) if (path.startsWith(prefix)) removeFile(path)
    },
    addFile(path, version, bytes) {
      removeFile(path)
      if (sizeBytes() >= maxBytes) return false
      const file = isBinary(bytes) ? binaryFile(version) : indexFile(version, bytes)
      files.set(path, file)
      blockNumbers += file.blocks.length
      return true
    },
    has: (path, version) => files.get(path)?.version === version,
    clear() {
      files.clear()
      store = createWordStore()
      blockNumbers = 0
    },
    query(pattern) {
      const ask = pattern.need && askFor(pattern.need.need)
      const seesForeign =
        pattern.need !== undefined && needsForeignCheck({ isFolded: pattern.need.isFolded, texts: textsOf(pattern.need.need) })
      return {
        candidate(path, version) {
          const file = files.get(path)
          if (file === undefined || (version !== undefined && file.version !== version)) return unknown
          if (file.isBinary) return { kind: 'binary' }
          if (ask === undefined || (seesForeign && file.holdsForeignLetters)) return unknown
          return candidateOf(file, ask, pattern.scope)
        },
      }
    },
    sizeBytes,
    fileCount: () => files.size,
  }

  function indexFile(version: FileVersion, bytes: Uint8Array): IndexedFile {
    const endings = lineEndingsOf(bytes)
    const view = viewOf(bytes)
    const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
    const blocks: number[] = []
    let lineNumber = 1
    let regionStart = start
    eachBlock(bytes, start, endings, block => {
      if (block.regionStart !== regionStart) {
        lineNumber += countByte(view, 10, regionStart, block.regionStart)
        regionStart = block.regionStart
      }
      const set = counter.setOf(bytes, block.start, block.end)
      blocks.push(store.put(set), set.length, block.regionStart, block.regionEnd, lineNumber)
    })
    return {
      version,
      isBinary: false,
      holdsForeignLetters: holdsForeignLetters(bytes),
      blocks: Int32Array.from(blocks),
      hasLineNumbers: endings !== 'any',
    }
  }

  function candidateOf({ blocks, hasLineNumbers }: IndexedFile, ask: Ask, scope: Pattern['scope']): Candidate {
    const { words } = store
    if (scope === 'text' || !hasLineNumbers) {
      return meets(ask, words, blocks, fields, 0, blocks.length) ? unknown : none
    }
    let regions: Region[] | undefined
    for (let from = 0; from < blocks.length;) {
      const start = blocks[from + 2] ?? 0
      // The parts of a long line: each may hold what the others lack.
      let to = from + fields
      while (to < blocks.length && blocks[to + 2] === start) to += fields
      if (meets(ask, words, blocks, fields, from, to)) {
        const end = blocks[from + 3] ?? 0
        regions ??= []
        const last = regions.at(-1)
        if (last?.end === start) regions[regions.length - 1] = { ...last, end }
        else regions.push({ start, end, lineNumber: blocks[from + 4] ?? 1 })
      }
      from = to
    }
    return regions === undefined ? none : { kind: 'regions', regions }
  }
}

const unknown: Candidate = { kind: 'unknown' }
const none: Candidate = { kind: 'none' }

function binaryFile(version: FileVersion): IndexedFile {
  return { version, isBinary: true, holdsForeignLetters: false, blocks: new Int32Array(0), hasLineNumbers: false }
}
