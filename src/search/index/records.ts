// What the index holds, apart from how it is asked: a record for each file, five numbers for each block, and one row of words with all
// sets. The index itself, and the pack that it is kept in, agree on nothing else.

/** What tells one version of a file from another: where it is the same, so are the bytes. */
export type FileVersion = string

export interface IndexedFile {
  readonly version: FileVersion
  /** Bits, see {@link traits}; never 0. */
  readonly traits: number
  /** Where its blocks are among those of all files, see {@link blockFields}; `from` equals `to` when it has none. */
  readonly from: number
  readonly to: number
}

export const traits = {
  known: 1,
  binary: 2,
  /** It holds letters that stand for ASCII ones where case is ignored. */
  foreignLetters: 4,
  /** Lines are counted as the search counts them only where all end in a line feed. */
  lineNumbers: 8,
} as const

/** A block's numbers: where its set is, how many words it has, its region's start and end, and the number of the region's first line. */
export const blockFields = 5

/** Few lengths, so that what one file leaves is of use to another. */
export function roomFor(count: number): number {
  return count === 0 ? 0 : 1 << (32 - Math.clz32(count - 1))
}

/** All that an index knows. */
export interface IndexContents {
  readonly files: Map<string, IndexedFile>
  /** The numbers of all blocks, each file's at its `from`, with {@link roomFor} them. */
  readonly blocks: Uint32Array
  /** The sets of all blocks. */
  readonly words: Uint32Array
}
