// Searches one text as ripgrep searches a file: blocks of lines, their matches, and the treatment of binary data.

import { bufferWith, shownEnd, stoppedInBinary } from './binary-text.ts'
import { untilNull } from './mapped-text.ts'
import { type Block, eachLine, endOfText, findBlocks, isMatch, type MatchSpan, type Pauses, spansOf } from './found.ts'
import { bufferBytes, lineBuffers } from './line-buffers.ts'
import { swappedNulls } from './rg-pattern.ts'
import { endOfLine, type FoundBlock, type SearchedText, type TextSearch } from './searched-text.ts'
import { pushAll } from '../../core/many.ts'

/** How far ripgrep looks behind the lines of a match for its end. */
const bytesSeenBehind = 128

export function* searchText(text: Uint8Array, search: TextSearch): Pauses<SearchedText> {
  const binaryOffset = search.binary === 'none' ? -1 : text.indexOf(0)
  if (binaryOffset === -1) return yield* searchPlain(text, text, search)
  if (search.isMultiline || search.isMapped) return yield* searchMapped(text, search, binaryOffset)
  if (search.binary === 'quit') {
    const readable = text.subarray(0, binaryOffset)
    const { base, from } = bufferWith(yield* searchPlain(readable, readable, search), binaryOffset, search, text)
    const before = text.subarray(0, from)
    const found = yield* searchPlain(before, before, search)
    if (isFinished(found, before, search) || isStopped(found, from, search)) return found
    if (found.found.length > 0 && search.isOneEnough && search.quitsEarly && !readsOn(search)) return found
    return { ...found, binaryOffset, bytesSearched: base }
  }
  // Lines before the buffer with the null byte are shown; a match after them is only reported.
  const converted = withLinesAtNulls(text)
  const whole = yield* searchPlain(converted, converted, search)
  const { from } = bufferWith(whole, binaryOffset, search)
  const hiddenFrom = whole.found.findIndex(({ block }) => block.start >= from)
  // It ended before the buffer was read.
  if (hiddenFrom === -1 && (isFinished(whole, converted.subarray(0, from), search) || isStopped(whole, from, search)))
    return whole
  if (!search.stopsInBinary) return { ...whole, binaryOffset }
  return stoppedInBinary(hiddenAfter(whole, hiddenFrom === -1 ? whole.found.length : hiddenFrom, from, binaryOffset), search)
}

/** With -v, a line that is enough only ends the search of its buffer. */
function readsOn({ invert, searchesAhead }: TextSearch): boolean {
  return invert && searchesAhead
}

/** Whether as many lines as are wanted, and their context, were in `text`. */
function isFinished({ found, counted }: SearchedText, text: Uint8Array, search: TextSearch): boolean {
  const last = found[Math.min(counted, search.limit) - 1]?.block
  return counted >= search.limit && !search.isPassthru && (last === undefined || !reachesEnd(text, last.end, search.after))
}

/** Whether --stop-on-nonmatch ended the search before `offset`: with -v, not in the buffer with a line that is enough. */
function isStopped({ found, shownEnd }: SearchedText, offset: number, search: TextSearch): boolean {
  return found.length > 0 && shownEnd < offset && !(readsOn(search) && search.isOneEnough)
}

/** The matches in the binary data of a mapped file that ripgrep would see: it stops at the first line that it would print there. */
function reached(cut: SearchedText, search: TextSearch): SearchedText {
  const [first] = cut.hidden
  if (first === undefined) return cut
  if (search.hasLinesBefore && first.block.start > cut.shownEnd)
    return { ...cut, hidden: [], bytesSearched: search.isPassthru ? endOfLine(cut.text, 0) : 0 }
  return { ...cut, hidden: [first], bytesSearched: first.block.end }
}

function* searchMapped(text: Uint8Array, search: TextSearch, firstNull: number): Pauses<SearchedText> {
  const isAtStart = firstNull < bufferBytes
  if (isAtStart && search.binary === 'quit')
    return { ...(yield* searchPlain(text.subarray(0, 0), text.subarray(0, 0), search)), binaryOffset: firstNull }
  // Matches that touch are one block, also where the first is enough: it may hold the null byte.
  const isOneEnough = search.isOneEnough && !search.isMultiline && search.quitsEarly
  const whole = yield* searchPlain(text, text, { ...search, isOneEnough })
  // Of a mapped file, only the bytes before the null byte count as searched.
  if (isAtStart) {
    const cut = search.stopsInBinary
      ? reached(hiddenAfter(whole, 0, 0, firstNull), search)
      : { ...whole, binaryOffset: firstNull }
    // With -v, ripgrep reads on behind the first line that it reports.
    return { ...cut, bytesSearched: Math.min(firstNull, (search.invert ? whole : cut).bytesSearched) }
  }
  return untilNull(whole, search)
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
  const { after, isMultiline } = search
  // After the last line that counts, matching lines of its context are shown as matches.
  const endsAtLimit = search.stopsOnNonmatch && !search.invert
  const mayMatchAfter = after > 0 && limit === search.limit && search.searchesAhead && !endsAtLimit
  const { blocks: first, matchesEnd } = yield* findBlocks(text, { ...search, limit: limitsMatches ? search.limit : limit })
  // With -v, a search line by line looks for no match behind the last line that counts, and so shows all lines there as such.
  const looksAtLines = !isMultiline && !search.searchesAhead
  const showsRest = looksAtLines && search.invert && (search.isPassthru || after > 0) && limit === search.limit
  const all = mayMatchAfter ? [...first, ...(yield* linesInContext(text, first[limit - 1], search))] : first
  const inRuns = search.stopsOnNonmatch ? runsToShow(text, all, search) : all
  const blocks = showsRest ? [...inRuns, ...linesBehind(text, inRuns[limit - 1])] : inRuns
  const found: FoundBlock[] = []
  for (const block of blocks) found.push({ block, spans: search.needsSpans ? yield* spansWithin(text, block, search) : [] })
  const counted = showsRest ? found.length : Math.min(found.length, limit)
  if (isMultiline && !search.invert && limit === search.limit) pushAll(found, yield* matchesBehind(text, found, search))
  const last = found.at(-1)?.block
  const isCut = last !== undefined && (blocks.length >= limit || found.length > counted)
  const hasMatchesBehind = (isMultiline || search.invert) && found.length > counted
  // With -v, ripgrep looks for the next line that matches before it shows the lines before that one.
  const isOneRun = !search.stopsOnNonmatch || runOf(blocks).length === blocks.length
  const looksAhead = isCut && search.invert && search.searchesAhead && found.length === counted && isOneRun
  const lastEnd = looksAhead
    ? yield* endOfNextMatch(text, last, search)
    : looksAtLines && last !== undefined
      ? shownEnd(text, last.end, after, text.length)
      : last?.end
  const searchedEnd = search.stopsOnNonmatch && last !== undefined ? endOfLine(text, last.end) : shown.length
  return {
    found,
    counted,
    text: shown,
    shownEnd: searchedEnd,
    binaryOffset: undefined,
    hidden: [],
    matchesEnd,
    // A search across lines reads to the end for its next match before it shows the last one.
    bytesSearched:
      isCut &&
      !search.isPassthru &&
      !(endsAtLimit && after > 0) &&
      (hasMatchesBehind || (!isMultiline && !reachesEnd(text, (blocks[limit - 1] ?? last).end, after)))
        ? (lastEnd ?? searchedEnd)
        : searchedEnd,
  }
}

/** The lines of context behind the last line that counts that would count, too. They are looked at line by line. */
function* linesInContext(text: Uint8Array, last: Block | undefined, search: TextSearch): Pauses<readonly Block[]> {
  const lines: Block[] = []
  if (last === undefined) return lines
  let left = search.after
  for (const line of eachLine(text, last.end, last.lineNumber + 1)) {
    if (left-- === 0) break
    if ((yield* isMatch(text, line, { ...search, searchesAhead: false })) !== search.invert) lines.push(line)
  }
  return lines
}

function linesBehind(text: Uint8Array, block: Block | undefined): readonly Block[] {
  return block === undefined ? [] : [...eachLine(text, block.end, block.lineNumber + 1)]
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

/** The end of the first line behind `last` that matches, or of what ripgrep has read of the text. */
function* endOfNextMatch(text: Uint8Array, last: Block, search: TextSearch): Pauses<number> {
  const rest = text.subarray(last.end, search.isMapped ? text.length : readWith(text, last.start))
  const { blocks } = yield* findBlocks(rest, { ...search, invert: false, limit: 1 })
  return last.end + (blocks[0]?.end ?? rest.length)
}

/** The end of the complete lines that are read together with the line at `lineStart`. */
function readWith(text: Uint8Array, lineStart: number): number {
  for (const { to } of lineBuffers(text, (_base, end) => end)) if (lineStart < to) return to
  return text.length
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

/** The matches to show in a block. An empty match at its very end is left out. */
function* spansWithin(text: Uint8Array, block: Block, search: TextSearch): Pauses<readonly MatchSpan[]> {
  if (search.isMultiline && search.invert) return Number.isFinite(search.limit) ? yield* spansInLine(text, block, search) : []
  const spans = yield* spansOf(text, block, search.pattern, search)
  const last = spans.at(-1)
  return last !== undefined && last.start === last.end && last.start >= block.end ? spans.slice(0, -1) : spans
}

/** The matches in a line that is context because of -v. It is searched alone; across lines, with its ending. */
export function* spansOfContext(text: Uint8Array, { start, end }: Block, search: TextSearch): Pauses<readonly MatchSpan[]> {
  const stored = text.subarray(start, end)
  const line = search.isNullData ? swappedNulls(stored) : stored
  const lineEnd = search.isMultiline ? line.length : endOfText(line, { start: 0, end: line.length }, search.isCrlf)
  const spans: MatchSpan[] = []
  const moved = (place: number): number => (place < 0 ? place : place + start)
  yield* search.pattern.each(line, 0, lineEnd, span => {
    if (span.start >= line.length) return false
    spans.push({ start: moved(span.start), end: moved(span.end), groups: span.groups.map(moved) })
    return true
  })
  return spans
}

/** With -v across lines, the lines behind the last match that counts may hold others. */
function* spansInLine(text: Uint8Array, { start, end }: Block, { pattern }: TextSearch): Pauses<readonly MatchSpan[]> {
  const spans: MatchSpan[] = []
  const seenEnd = Math.min(text.length, end + bytesSeenBehind)
  yield* pattern.each(text, start, seenEnd, span => span.start < end && spans.push({ ...span, end: Math.min(span.end, end) }) > 0)
  return spans
}

/** Blocks up to the first gap, which is a line that does not match. */
function runsToShow(text: Uint8Array, blocks: readonly Block[], { invert, searchesAhead }: TextSearch): readonly Block[] {
  const first = runOf(blocks)
  const next = blocks[first.length]
  const last = first.at(-1)
  if (!invert || !searchesAhead || last === undefined || next?.start !== endOfLine(text, last.end)) return first
  return [...first, ...runOf(blocks.slice(first.length))]
}

function runOf(blocks: readonly Block[]): readonly Block[] {
  const gap = blocks.findIndex((block, index) => index > 0 && blocks[index - 1]?.end !== block.start)
  return gap === -1 ? blocks : blocks.slice(0, gap)
}

function withLinesAtNulls(text: Uint8Array): Uint8Array {
  const converted = text.slice()
  for (let at = converted.indexOf(0); at !== -1; at = converted.indexOf(0, at + 1)) converted[at] = 10
  return converted
}
