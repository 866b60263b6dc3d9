// The request and the result of a search in one text.

import type { Block, MatchSpan } from './found.ts'
import type { RgPattern } from './rg-pattern.ts'

/** `quit`: stop at binary data. `convert`: null bytes end lines, and a match is reported but not shown. */
export type BinaryMode = 'quit' | 'convert' | 'none'

export interface TextSearch {
  readonly pattern: RgPattern
  readonly isMultiline: boolean
  readonly isCrlf: boolean
  readonly isNullData: boolean
  readonly invert: boolean
  readonly limit: number
  readonly stopsOnNonmatch: boolean
  /**
   * ripgrep searches for the next match in all lines that it has, not line by line. With -v it then leaves a line that matches out before it
   * stops at the next, and reads on after a line that is enough.
   */
  readonly searchesAhead: boolean
  readonly binary: BinaryMode
  /** Null bytes are looked for at the beginning and in matches, as in a memory map, and end no lines. */
  readonly isMapped: boolean
  /** The first line in binary data ends the search: as a match it counts, as context it does not. */
  readonly stopsInBinary: boolean
  /** Context is shown before a match. */
  readonly hasLinesBefore: boolean
  readonly isPassthru: boolean
  readonly after: number
  /** How many lines are shown before a match. */
  readonly before: number
  /** Only the first matching block is needed. */
  readonly isOneEnough: boolean
  /** Behind a block that is enough, null bytes are not looked for. */
  readonly quitsEarly: boolean
  readonly needsSpans: boolean
}

export interface FoundBlock {
  readonly block: Block
  readonly spans: readonly MatchSpan[]
}

export interface SearchedText {
  /** Blocks to show; block offsets and spans are positions in `text`. */
  readonly found: readonly FoundBlock[]
  /** The number of blocks that count for `limit`; the other blocks are in the context of the last one. */
  readonly counted: number
  readonly text: Uint8Array
  /** Blocks and context may be shown up to here. */
  readonly shownEnd: number
  readonly binaryOffset: number | undefined
  /** Matches after the shown part, in binary data. */
  readonly hidden: readonly FoundBlock[]
  /** See {@link FoundBlocks}. */
  readonly matchesEnd: boolean
  /** Lines of context before a match that is not shown. */
  readonly hiddenContext?: { readonly start: number; readonly end: number } | undefined
  /** There is a gap before what is not shown. */
  readonly breaksBeforeHidden?: boolean
  readonly bytesSearched: number
}

/** The offset after the line that starts at `start`, or the end of the text. */
export function endOfLine(text: Uint8Array, start: number): number {
  const at = text.indexOf(10, start)
  return at === -1 ? text.length : at + 1
}
