// The data of the index, separate from its queries: a record for each file, six numbers for each block, and one array of words with all
// sets. The index and its pack share only this format.

import type { SetStore } from './set-store.ts'

/** Identifies a version of a file: equal versions have equal bytes. */
export type FileVersion = string

export interface IndexedFile {
  readonly version: FileVersion
  /** The owner of its sets: small, and no other file's. */
  readonly number: number
  /** Bits, see {@link traits}; never 0. */
  readonly traits: number
  /** The position of its blocks in the array of all blocks, see {@link blockFields}; `from` equals `to` if it has none. */
  readonly from: number
  readonly to: number
}

export const traits = {
  known: 1,
  binary: 2,
  /** It contains non-ASCII letters that equal ASCII ones if case is ignored. */
  foreignLetters: 4,
  /** Lines are counted as the search counts them only if all end in a line feed. */
  lineNumbers: 8,
} as const

/**
 * A block's numbers: its set's slot and length in words, its region's start and end, the number of the region's first line, and the
 * most bytes that one of its lines may have.
 */
export const blockFields = 6

/** Only a few different lengths, so that space that one file frees fits another. */
export function roomFor(count: number): number {
  return count === 0 ? 0 : 1 << (32 - Math.clz32(count - 1))
}

/** All data of an index. */
export interface IndexContents {
  readonly files: Map<string, IndexedFile>
  /** The numbers of all blocks; each file's are at its `from`, with {@link roomFor} them. */
  readonly blocks: Uint32Array
  /** The sets of all blocks. */
  readonly sets: SetStore
}
