// The results of a search in one text: blocks of whole lines, and the positions of matches in them.

import { lineFeedCursor } from '../../search/lines.ts'
import { searchSteps } from '../../search/matcher.ts'
import { bufferBytes, lineBuffers } from './line-buffers.ts'
import type { RgPattern } from './rg-pattern.ts'

/** More than a look behind of 255 characters. */
const bytesSeenBefore = 2048

export interface MatchSpan {
  readonly start: number
  readonly end: number
  /** As returned by the span search. */
  readonly groups: readonly number[]
}

/** Whole lines, with their endings. Byte offsets in the text. */
export interface Block {
  readonly start: number
  readonly end: number
  /** The number of the first line, 1-based. */
  readonly lineNumber: number
  /** Set by a search across lines, which finds them anyway. */
  readonly spans?: readonly MatchSpan[]
}

interface LineOptions {
  readonly pattern: RgPattern
  /** `\r\n` ends a line, not `\n` alone. */
  readonly isCrlf: boolean
  /** See {@link TextSearch}. */
  readonly searchesAhead: boolean
}

export interface FindOptions extends LineOptions {
  readonly isMultiline: boolean
  readonly invert: boolean
  /** The maximum number of blocks, after `invert`, or of matches (before `invert`) if they may span lines. */
  readonly limit: number
}

export type Pauses<T> = Generator<undefined, T, undefined>

export interface FoundBlocks {
  readonly blocks: readonly Block[]
  /** There is an empty match after the last line feed. It is in no line, but it has lines before it. */
  readonly matchesEnd: boolean
}

/** The requested blocks of `text`. */
export function* findBlocks(text: Uint8Array, options: FindOptions): Pauses<FoundBlocks> {
  const limit = options.invert && !options.isMultiline ? Number.POSITIVE_INFINITY : options.limit
  const found = options.isMultiline
    ? yield* spannedBlocks(text, options, limit)
    : { blocks: yield* matchingLines(text, options, limit), matchesEnd: false }
  return options.invert
    ? {
        blocks: otherLines(text, found.blocks, options.isMultiline ? Number.POSITIVE_INFINITY : options.limit),
        matchesEnd: false,
      }
    : found
}

function* matchingLines(text: Uint8Array, options: FindOptions, limit: number): Pauses<readonly Block[]> {
  const { pattern, isCrlf } = options
  const blocks: Block[] = []
  if (limit === 0) return blocks
  if (isCrlf || pattern.linear === undefined) {
    for (const line of eachLine(text)) {
      if (blocks.length >= limit) break
      if (yield* isMatch(text, line, options)) blocks.push(line)
    }
    return blocks
  }
  yield* searchSteps(
    text,
    pattern.linear,
    ({ lineNumber, start, end }) => blocks.push({ start, end: Math.min(end + 1, text.length), lineNumber }) < limit,
    { isRaw: true },
  )
  return blocks
}

/**
 * Whether a line matches that is tried alone. Line by line, a line of --crlf keeps a `\n` that has no `\r` before it. A search ahead also
 * sees an empty match between both.
 */
export function* isMatch(text: Uint8Array, line: Block, { pattern, isCrlf, searchesAhead }: LineOptions): Pauses<boolean> {
  const textEnd = endOfText(text, line, isCrlf)
  const isOpen = isCrlf && !searchesAhead && text[line.end - 2] !== 13
  let found = false
  yield* pattern.each(text, line.start, isOpen ? line.end : textEnd, () => {
    found = true
    return false
  })
  if (found || !searchesAhead || line.end - textEnd < 2) return found
  yield* pattern.each(text, line.start, line.end, span => {
    found ||= span.start === span.end && span.start === line.end - 1
    return !found
  })
  return found
}

/** Blocks with adjacent lines are merged; with `invert`, the search for each match begins after the lines of the previous one. */
function* spannedBlocks(text: Uint8Array, { pattern, invert }: FindOptions, limit: number): Pauses<FoundBlocks> {
  const blocks: Block[] = []
  let matchesEnd = false
  if (text.length === 0) return { blocks, matchesEnd }
  const lines = lineFeedCursor(text, 0)
  let last: (Block & { readonly spans: MatchSpan[] }) | undefined
  let count = 0
  let restart: number | undefined = 0
  while (restart !== undefined) {
    const from: number = restart
    restart = undefined
    yield* pattern.each(text, from, text.length, span => {
      // There is no line after the last line break.
      if (span.start >= text.length && text.at(-1) === 10) {
        matchesEnd = count < limit && (last === undefined || last.end < text.length)
        return false
      }
      if (!invert && last !== undefined && span.start < last.end && span.end <= last.end && count < limit) {
        count++
        last.spans.push(span)
        return true
      }
      if (invert && last !== undefined && span.start < last.end) {
        if (span.end <= last.end) return true
        restart = last.end
        return false
      }
      const first = lines.lineAt(Math.min(span.start, text.length - 1))
      if (first === undefined) return false
      if (++count > limit) {
        // The last block shows all matches that begin in it.
        if (last === undefined || span.start >= last.end) return false
        last.spans.push(span)
        return true
      }
      const end = lineEndBehind(text, Math.max(span.start, span.end - 1))
      if (last !== undefined && first.start <= last.end && !invert) {
        last.spans.push(span)
        last = { ...last, end: Math.max(last.end, end) }
        return true
      }
      if (last !== undefined) blocks.push(last)
      last = { start: first.start, end, lineNumber: first.lineNumber, spans: [span] }
      return true
    })
  }
  if (last !== undefined && limit > 0) blocks.push(last)
  return { blocks, matchesEnd }
}

function lineEndBehind(text: Uint8Array, offset: number): number {
  const at = text.indexOf(10, offset)
  return at === -1 ? text.length : at + 1
}

function otherLines(text: Uint8Array, blocks: readonly Block[], limit: number): readonly Block[] {
  const others: Block[] = []
  let index = 0
  for (const line of eachLine(text)) {
    if (others.length >= limit) break
    while ((blocks[index]?.end ?? Number.POSITIVE_INFINITY) <= line.start) index++
    if ((blocks[index]?.start ?? Number.POSITIVE_INFINITY) > line.start) others.push(line)
  }
  return others
}

/** Every line of `text` from an offset on; after a final line feed there is no further line. */
export function* eachLine(text: Uint8Array, from: number = 0, firstLineNumber: number = 1): Generator<Block, void, undefined> {
  let lineNumber = firstLineNumber
  for (let start = from; start < text.length;) {
    const end = lineEndBehind(text, start)
    yield { start, end, lineNumber: lineNumber++ }
    start = end
  }
}

export interface SpanOptions {
  readonly isMultiline: boolean
  readonly isCrlf: boolean
  /** See {@link TextSearch}. */
  readonly isMapped?: boolean
  readonly before?: number
  readonly after?: number
}

/**
 * The matches in a block. A line is tried alone, without its ending. The matches that are shown are those of the text up to there, as in
 * ripgrep: a line that matches by its beginning with `\\A` is shown without a match, if it is not the first.
 */
export function* spansOf(text: Uint8Array, block: Block, pattern: RgPattern, options: SpanOptions): Pauses<readonly MatchSpan[]> {
  if (options.isMultiline) return block.spans ?? []
  const spans: MatchSpan[] = []
  const end = endOfText(text, block, options.isCrlf)
  const start = block.start === 0 ? 0 : startOfSeen(text, block, pattern, options)
  yield* pattern.each(text, start, end, span => span.start < block.start || spans.push(span) > 0, block.start)
  return spans
}

/** Where the text before a shown line begins that the pattern sees. */
function startOfSeen(text: Uint8Array, { start, end }: Block, { linear }: RgPattern, options: SpanOptions): number {
  if (linear?.anchorsText === false) return start
  // ripgrep sees what it has read together with the line. A last line without an ending is read alone.
  const isOneBuffer = options.isMapped === true || (text.length <= bufferBytes && text[end - 1] === 10)
  const read = isOneBuffer ? 0 : (bufferStarts(text, options).findLast(base => base <= start) ?? 0)
  // The line feed before it is enough to see that it does not begin the text.
  if (linear !== undefined) return Math.max(read, start - 1)
  let seen = Math.max(read, start - bytesSeenBefore)
  while (seen < start && ((text[seen] ?? 0) & 0xc0) === 0x80) seen++
  return seen
}

/** The beginnings of the buffers that ripgrep fills, by the options of a search. */
const knownStarts = new WeakMap<SpanOptions, { readonly text: Uint8Array; readonly starts: readonly number[] }>()

/** A buffer keeps as many lines of the one before it as may be shown. */
function bufferStarts(text: Uint8Array, options: SpanOptions): readonly number[] {
  const known = knownStarts.get(options)
  if (known?.text === text) return known.starts
  const kept = Math.max(options.before ?? 0, options.after ?? 0)
  const keptFrom = (base: number, to: number): number => {
    let from = to
    for (let left = kept; left > 0 && from > base; left--) from = text.lastIndexOf(10, from - 2) + 1
    return Math.max(from, base)
  }
  const starts = Array.from(lineBuffers(text, keptFrom), ({ base }) => base)
  knownStarts.set(options, { text, starts })
  return starts
}

/** The end of a line without its line ending. */
export function endOfText(text: Uint8Array, { start, end }: Pick<Block, 'start' | 'end'>, isCrlf: boolean): number {
  if (end <= start || text[end - 1] !== 10) return end
  return isCrlf && end - 1 > start && text[end - 2] === 13 ? end - 2 : end - 1
}
