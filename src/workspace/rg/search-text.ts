// Searches one text as ripgrep searches a file: blocks of lines, their matches, and the treatment of binary data.

import { type Block, eachLine, findBlocks, type MatchSpan, type Pauses, spansOf } from './found.ts'
import { type RgPattern, swappedNulls } from './rg-pattern.ts'

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
   * With -v, ripgrep searches for the lines that match: it leaves one of them out before it stops at the next, and reads on after a line
   * that is enough.
   */
  readonly readsOn: boolean
  readonly binary: BinaryMode
  /** Null bytes are looked for at the beginning and in matches, as in a memory map, and end no lines. */
  readonly isMapped: boolean
  /** The first line in binary data ends the search: as a match it counts, as context it does not. */
  readonly stopsInBinary: boolean
  /** Context is shown before a match. */
  readonly hasLinesBefore: boolean
  readonly isPassthru: boolean
  /** How many lines are shown after a match. */
  readonly after: number
  /** How many lines are shown before or after a match, whichever is more. */
  readonly contextLines: number
  /** Only the first matching block is needed. */
  readonly isOneEnough: boolean
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
  /** The text as it is shown. */
  readonly text: Uint8Array
  /** Blocks and context may be shown up to here. */
  readonly shownEnd: number
  readonly binaryOffset: number | undefined
  /** Matches after the shown part, in binary data. */
  readonly hidden: readonly FoundBlock[]
  /** See {@link FoundBlocks}. */
  readonly matchesEnd: boolean
  /** Where a match begins that is not shown; the lines before it are, as its context. */
  readonly hiddenStart?: number
  readonly bytesSearched: number
}

/** The amount that ripgrep reads at once, and in which it looks for null bytes before it searches. */
const bufferBytes = 65_536

export function* searchText(text: Uint8Array, search: TextSearch): Pauses<SearchedText> {
  const binaryOffset = search.binary === 'none' ? -1 : text.indexOf(0)
  if (binaryOffset === -1) return yield* searchPlain(text, text, search)
  if (search.isMultiline || search.isMapped) return yield* searchMapped(text, search, binaryOffset)
  const bufferStart = startOfBuffer(text, binaryOffset)
  if (search.binary === 'quit') {
    const before = text.subarray(0, bufferStart)
    const found = yield* searchPlain(before, before, search)
    if (found.counted >= search.limit || isStopped(found, bufferStart)) return found
    return { ...found, binaryOffset, bytesSearched: bytesLeftBehind(found, search) }
  }
  // Lines before the buffer with the null byte are shown; a match after them is only reported.
  const converted = withLinesAtNulls(text, bufferStart)
  const whole = yield* searchPlain(converted, converted, search)
  const hiddenFrom = whole.found.findIndex(({ block }) => block.start >= bufferStart)
  // It ended before the buffer was read.
  if (hiddenFrom === -1 && (whole.counted >= search.limit || isStopped(whole, bufferStart))) return whole
  return reached(hiddenAfter(whole, hiddenFrom === -1 ? whole.found.length : hiddenFrom, bufferStart, binaryOffset), search)
}

/** Whether --stop-on-nonmatch ended the search before `offset`. */
function isStopped({ found, shownEnd }: SearchedText, offset: number): boolean {
  return found.length > 0 && shownEnd < offset
}

/** How much ripgrep has given up of its buffer when it reads on: it keeps the lines that may be context, unless they were shown. */
function bytesLeftBehind({ found, text }: SearchedText, { contextLines, after }: TextSearch): number {
  let kept = text.length
  for (let left = contextLines; left > 0 && kept > 0; left--) kept = kept < 2 ? 0 : text.lastIndexOf(10, kept - 2) + 1
  let shown = found.at(-1)?.block.end ?? 0
  for (let left = after; left > 0 && shown > 0; left--) shown = endOfLine(text, shown)
  return Math.max(kept, shown)
}

/** The matches in binary data that ripgrep would see: it stops at the first line that it would print there. */
function reached(cut: SearchedText, search: TextSearch): SearchedText {
  const [first] = cut.hidden
  if (!search.stopsInBinary || first === undefined) return cut
  if (search.hasLinesBefore && first.block.start > cut.shownEnd) return { ...cut, hidden: [] }
  return { ...cut, hidden: [first], bytesSearched: first.block.end }
}

function* searchMapped(text: Uint8Array, search: TextSearch, firstNull: number): Pauses<SearchedText> {
  const isAtStart = firstNull < bufferBytes
  if (isAtStart && search.binary === 'quit') {
    return { ...(yield* searchPlain(text.subarray(0, 0), text.subarray(0, 0), search)), binaryOffset: firstNull }
  }
  // Matches that touch are one block, also where the first is enough: it may hold the null byte.
  const whole = yield* searchPlain(text, text, { ...search, isOneEnough: search.isOneEnough && !search.isMultiline })
  // Of a mapped file, only the bytes before the null byte count as searched.
  if (isAtStart) {
    const bytesSearched = whole.counted >= search.limit ? Math.min(firstNull, whole.bytesSearched) : firstNull
    return { ...reached(hiddenAfter(whole, 0, 0, firstNull), search), bytesSearched }
  }
  if (search.isPassthru) return shownUpTo(whole, search, text.indexOf(0, bufferBytes))
  for (const [index, { block }] of whole.found.entries()) {
    const at = text.subarray(block.start, block.end).indexOf(0)
    if (at === -1) continue
    const binaryOffset = block.start + at
    const cut = {
      ...hiddenAfter(whole, index, block.start, binaryOffset),
      hiddenStart: block.start,
      bytesSearched: binaryOffset,
    }
    return search.binary === 'quit' ? { ...cut, hidden: [] } : { ...reached(cut, search), bytesSearched: binaryOffset }
  }
  return whole
}

/** All lines are shown, so the first one with a null byte ends the search. */
function shownUpTo(whole: SearchedText, search: TextSearch, binaryOffset: number): SearchedText {
  const around = whole.found.find(({ block }) => block.start <= binaryOffset && binaryOffset < block.end)
  const lineStart = around?.block.start ?? whole.text.lastIndexOf(10, binaryOffset) + 1
  const count = whole.found.filter(({ block }) => block.start < lineStart).length
  const cut = { ...hiddenAfter(whole, count, lineStart, binaryOffset), bytesSearched: binaryOffset }
  return search.binary === 'quit' ? { ...cut, hidden: [] } : { ...reached(cut, search), bytesSearched: binaryOffset }
}

function hiddenAfter(whole: SearchedText, count: number, shownEnd: number, binaryOffset: number): SearchedText {
  return {
    ...whole,
    found: whole.found.slice(0, count),
    shownEnd,
    binaryOffset,
    hidden: whole.found.slice(count),
    matchesEnd: false,
  }
}

/** `searched` and `shown` have the same size. */
function* searchPlain(searched: Uint8Array, shown: Uint8Array, search: TextSearch): Pauses<SearchedText> {
  const text = search.isNullData ? swappedNulls(searched) : searched
  // With -v across lines, ripgrep limits the matches, and all other lines behind the last one are shown.
  const limitsMatches = search.isMultiline && search.invert
  const limit = limitsMatches ? Number.POSITIVE_INFINITY : search.isOneEnough ? Math.min(1, search.limit) : search.limit
  const { after, isMultiline, pattern } = search
  // After the last line that counts, matching lines of its context are shown as matches.
  const endsAtLimit = search.stopsOnNonmatch && !search.invert
  const mayMatchAfter = after > 0 && limit === search.limit && !isMultiline && pattern.linear !== undefined && !endsAtLimit
  const { blocks: all, matchesEnd } = yield* findBlocks(text, {
    ...search,
    limit: limitsMatches ? search.limit : mayMatchAfter ? limit + after : limit,
  })
  const lastLine = (all[limit - 1]?.lineNumber ?? Number.POSITIVE_INFINITY) + after
  const shownBlocks = all.filter(({ lineNumber }, index) => index < limit || lineNumber <= lastLine)
  const blocks = search.stopsOnNonmatch ? runsToShow(text, shownBlocks, search) : shownBlocks
  const found: FoundBlock[] = []
  for (const block of blocks) {
    found.push({ block, spans: search.needsSpans ? yield* spansWithin(text, block, search) : [] })
  }
  const counted = Math.min(found.length, limit)
  if (isMultiline && !search.invert && limit === search.limit) found.push(...(yield* matchesBehind(text, found, search)))
  const last = found.at(-1)?.block
  const isCut = last !== undefined && (blocks.length >= limit || found.length > counted)
  const hasMatchesBehind = isMultiline && found.length > counted
  const searchedEnd = search.stopsOnNonmatch && last !== undefined ? endOfLine(text, last.end) : shown.length
  return {
    found,
    counted,
    text: shown,
    shownEnd: searchedEnd,
    binaryOffset: undefined,
    hidden: [],
    matchesEnd,
    bytesSearched:
      isCut && !search.isPassthru && !(endsAtLimit && after > 0) && (hasMatchesBehind || !reachesEnd(text, last.end, after))
        ? last.end
        : searchedEnd,
  }
}

/** Behind the last match that counts, lines of its context that match alone are shown as matches, also in a search across lines. */
function* matchesBehind(text: Uint8Array, found: readonly FoundBlock[], search: TextSearch): Pauses<readonly FoundBlock[]> {
  const last = found.at(-1)?.block
  const matchCount = found.reduce((sum, { block }) => sum + (block.spans?.length ?? 0), 0)
  if (last === undefined || matchCount < search.limit) return []
  const matches: FoundBlock[] = []
  let left = search.after
  for (const block of eachLine(text, last.end, last.lineNumber + [...eachLine(text.subarray(0, last.end), last.start)].length)) {
    if (left-- === 0) break
    let isMatch = false
    const end = text[block.end - 1] === 10 ? block.end - 1 : block.end
    yield* search.pattern.each(text, block.start, end, () => {
      isMatch = true
      return false
    })
    if (!isMatch) continue
    // The matches that are shown and counted may hold the line's ending.
    const spans: MatchSpan[] = []
    if (search.needsSpans) yield* search.pattern.each(text, block.start, block.end, span => spans.push(span) > 0)
    const final = spans.at(-1)
    matches.push({ block, spans: final !== undefined && final.start >= block.end ? spans.slice(0, -1) : spans })
  }
  return matches
}

/** Whether fewer lines than `count` are left. */
function reachesEnd(text: Uint8Array, from: number, count: number): boolean {
  let at = from
  for (let left = count; left > 0 && at < text.length; left--) {
    at = endOfLine(text, at)
    if (at >= text.length) return left > 1
  }
  return false
}

/** The offset after the line that starts at `start`, or the end of the text. */
function endOfLine(text: Uint8Array, start: number): number {
  const at = text.indexOf(10, start)
  return at === -1 ? text.length : at + 1
}

/** The matches to show in a block. An empty match at its very end is left out. */
export function* spansWithin(text: Uint8Array, block: Block, search: TextSearch): Pauses<readonly MatchSpan[]> {
  const spans = yield* spansOf(text, block, search.pattern, search)
  const last = spans.at(-1)
  return last !== undefined && last.start === last.end && last.start >= block.end ? spans.slice(0, -1) : spans
}

/** Blocks up to the first gap, which is a line that does not match. */
function runsToShow(text: Uint8Array, blocks: readonly Block[], { readsOn }: TextSearch): readonly Block[] {
  const first = runOf(blocks)
  const next = blocks[first.length]
  const last = first.at(-1)
  if (!readsOn || last === undefined || next?.start !== endOfLine(text, last.end)) return first
  return [...first, ...runOf(blocks.slice(first.length))]
}

function runOf(blocks: readonly Block[]): readonly Block[] {
  const gap = blocks.findIndex((block, index) => index > 0 && blocks[index - 1]?.end !== block.start)
  return gap === -1 ? blocks : blocks.slice(0, gap)
}

/** The start of the buffer that contains the byte at `offset`: after the last complete line of the previous buffer. */
function startOfBuffer(text: Uint8Array, offset: number): number {
  let start = 0
  for (let size = bufferBytes; offset >= start + size;) {
    const lastLineEnd = text.lastIndexOf(10, start + size - 1)
    if (lastLineEnd < start) size *= 2
    else {
      start = lastLineEnd + 1
      size = bufferBytes
    }
  }
  return start
}

function withLinesAtNulls(text: Uint8Array, from: number): Uint8Array {
  const converted = text.slice()
  for (let at = converted.indexOf(0, from); at !== -1; at = converted.indexOf(0, at + 1)) converted[at] = 10
  return converted
}
