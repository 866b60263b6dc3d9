// Excludes many files at once from a search. Most files do not contain a text that every match requires, and checking each file
// separately costs more than reading its bytes.

import type { VfsPath } from '../core/path.ts'
import type { HoldsText } from '../search/literal.ts'
import { utf16Label } from '../search/searchable.ts'
import { maxTextBytes } from '../search/simd/layout.ts'
import type { Dirent, VfsSync } from '../vfs/backend.ts'
import { borrowAllListed, borrowListed, borrowUpTo } from '../vfs/borrow.ts'
import { isVfsError } from '../vfs/error.ts'
import type { ReadAhead } from './read-ahead.ts'

const maxTextsAtOnce = 256
const nothing = new Uint8Array()
/** A text whose first byte is lower has no byte order mark of UTF-16. */
const firstOfUtf16Mark = 0xfe

export interface FileSweepOptions {
  readonly reader: Pick<VfsSync, 'read'>
  readonly files: readonly { readonly path: VfsPath }[]
  /** The entry of each file, from the same snapshot. */
  readonly dirents?: readonly Dirent[] | undefined
  readonly ahead?: ReadAhead | undefined
  readonly holdsText: HoldsText
  readonly maxFileBytes: number
  /** The number of files in a row from a position on that an index excludes. */
  readonly noneFrom?: ((position: number) => number) | undefined
  /** The parts of a file that an index does not exclude; `undefined` if the file must be swept as a whole. */
  readonly regionsAt?: ((position: number) => readonly { readonly start: number; readonly end: number }[] | undefined) | undefined
}

/** The files must not change during the sweep. Files that cannot be borrowed or are too large are never excluded. */
export class FileSweep {
  readonly #options: FileSweepOptions
  /** By position. */
  readonly #isRuledOut: Uint8Array
  #start = 0
  #end = 0

  constructor(options: FileSweepOptions) {
    this.#options = options
    this.#isRuledOut = new Uint8Array(options.files.length)
  }

  /** Whether the files at `position` and behind it were swept. */
  hasSeen(position: number): boolean {
    return position >= this.#start && position < this.#end
  }

  /**
   * The number of files in a row from `position` on that certainly have no match. If the file there may have one, it is 0. Where it
   * ends, the next file may have one, or was not swept.
   */
  ruledOutFrom(position: number): number {
    if (!this.hasSeen(position)) this.#sweepFrom(position)
    const mayMatch = this.#isRuledOut.indexOf(0, position)
    return (mayMatch === -1 ? this.#end : Math.min(mayMatch, this.#end)) - position
  }

  #sweepFrom(start: number): void {
    this.#options.ahead?.from(start)
    const texts: Uint8Array[] = []
    const positions: number[] = []
    this.#start = start
    this.#end = Math.max(this.#collect(start, texts, positions), start + 1)
    this.#mark(this.#options.holdsText(texts), positions)
  }

  // The engine compiles these loops during a first search, so each is small and has no iterator: compiling one function with both took
  // as long as searching thousands of files (2026).

  /**
   * Adds the texts to sweep from `start` on, and their positions. Returns the position after the last one. Files with texts
   * count as ruled out until {@link FileSweep.#mark}.
   */
  #collect(start: number, texts: Uint8Array[], positions: number[]): number {
    const end = this.#options.files.length
    const listed = this.#borrowFrom(start)
    let leftBytes = maxTextBytes
    let position = start
    while (position < end && texts.length < maxTextsAtOnce) {
      const sweptBytes = takeInRow(listed, position - start, leftBytes, texts)
      const taken = texts.length - positions.length
      for (let count = 0; count < taken; count++) positions.push(position + count)
      this.#isRuledOut.fill(1, position, position + taken)
      leftBytes -= sweptBytes
      position += taken + this.#skipNone(position + taken)
      if (position >= end || texts.length >= maxTextsAtOnce) break
      const sizeBytes = this.#add(position, leftBytes, texts, positions)
      if (sizeBytes > leftBytes) break
      leftBytes -= sizeBytes
      position++
    }
    return position
  }

  /** Returns the number of files from `position` on that an index excludes. */
  #skipNone(position: number): number {
    const none = this.#options.noneFrom?.(position) ?? 0
    this.#isRuledOut.fill(1, position, position + none)
    return none
  }

  /** The contents of files from `start` on that are in memory. With an index, files are borrowed one by one, because most are excluded. */
  #borrowFrom(start: number): readonly (Uint8Array | undefined)[] {
    const { reader, files, dirents, maxFileBytes, regionsAt } = this.#options
    if (dirents === undefined || regionsAt !== undefined) return []
    try {
      const to = Math.min(start + maxTextsAtOnce, files.length)
      const maxBytes = Math.min(maxFileBytes, maxTextBytes)
      return borrowAllListed(reader, dirents, { from: start, to, maxBytes, maxTotalBytes: maxTextBytes })
    } catch (error) {
      if (isVfsError(error)) return []
      throw error
    }
  }

  /** Returns the size. Nothing is added if that is more than `leftBytes`, or if the file must be checked separately. */
  #add(position: number, leftBytes: number, texts: Uint8Array[], positions: number[]): number {
    const regions = this.#options.regionsAt?.(position)
    const bytes = regions?.length === 0 ? nothing : this.#bytesOf(position, regions === undefined ? maxTextBytes : Infinity)
    if (bytes === undefined) return 0
    const parts = regions?.map(({ start, end }) => bytes.subarray(start, end)) ?? [bytes]
    let sizeBytes = 0
    for (let index = 0; index < parts.length; index++) sizeBytes += parts[index]?.length ?? 0
    if (sizeBytes > maxTextBytes) return 0
    if (sizeBytes > leftBytes) return sizeBytes
    this.#isRuledOut[position] = 1
    for (let index = 0; index < parts.length; index++) {
      texts.push(parts[index] ?? nothing)
      positions.push(position)
    }
    return sizeBytes
  }

  #mark(holds: ReturnType<HoldsText>, positions: readonly number[]): void {
    for (let index = 0; index < positions.length; index++) {
      if (holds[index] !== false) this.#isRuledOut[positions[index] ?? 0] = 0
    }
  }

  /** Returns `undefined` if the file must be checked separately. */
  #bytesOf(position: number, maxBytes: number): Uint8Array | undefined {
    const { reader, files, dirents, maxFileBytes } = this.#options
    const file = files[position]
    if (file === undefined) return undefined
    try {
      const largest = Math.min(maxFileBytes, maxBytes)
      const dirent = dirents?.[position]
      const bytes = (dirent && borrowListed(reader, dirent, largest)) ?? borrowUpTo(reader, file.path, largest)
      return bytes !== undefined && utf16Label(bytes) === undefined ? bytes : undefined
    } catch (error) {
      if (isVfsError(error)) return undefined
      throw error
    }
  }
}

/**
 * Adds the contents from `from` on, up to one that is not in memory, that may be UTF-16 or that does not fit into `leftBytes`. Returns their
 * size.
 */
function takeInRow(contents: readonly (Uint8Array | undefined)[], from: number, leftBytes: number, texts: Uint8Array[]): number {
  let sizeBytes = 0
  for (let index = from; index < contents.length; index++) {
    const bytes = contents[index]
    if (bytes === undefined || (bytes[0] ?? 0) >= firstOfUtf16Mark || sizeBytes + bytes.length > leftBytes) break
    sizeBytes += bytes.length
    texts.push(bytes)
  }
  return sizeBytes
}
