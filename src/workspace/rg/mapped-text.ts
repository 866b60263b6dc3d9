// Where the search of a mapped file ends: null bytes count only in lines that are shown, or would be.

import { linesBefore, shownEnd } from './binary-text.ts'
import type { SearchedText, TextSearch } from './searched-text.ts'

/** Lines that are looked at together. */
interface Piece {
  readonly start: number
  readonly end: number
  /** How many blocks of matches end before it. */
  readonly count: number
  readonly kind: 'before' | 'match' | 'after'
}

/** What is left of a search whose first null byte is not at the beginning of the file. */
export function untilNull(whole: SearchedText, search: TextSearch): SearchedText {
  const { text } = whole
  for (const piece of pieces(whole, search)) {
    const at = text.subarray(piece.start, piece.end).indexOf(0)
    if (at !== -1) return stoppedAt(piece, piece.start + at, whole, search)
  }
  return whole
}

/** All lines that a search looks at, in their order. */
function* pieces({ found, counted, text, shownEnd: end, matchesEnd }: SearchedText, search: TextSearch): Generator<Piece> {
  const { before, after, invert, isMultiline, isPassthru, isOneEnough, quitsEarly } = search
  const startBefore = (offset: number, visited: number): number =>
    isPassthru ? visited : Math.max(visited, linesBefore(text, offset, before))
  let visited = 0
  let afterEnd = 0
  for (const [index, { block }] of found.entries()) {
    yield { start: startBefore(block.start, visited), end: block.start, count: index, kind: isPassthru ? 'after' : 'before' }
    yield { start: block.start, end: block.end, count: index, kind: 'match' }
    // Behind the only match of a search across lines, ripgrep goes on.
    if (isOneEnough && quitsEarly && !(isMultiline && !invert && found.length === 1)) return
    if (index < counted) afterEnd = isPassthru ? end : shownEnd(text, block.end, after, end)
    visited = Math.max(block.end, Math.min(afterEnd, found[index + 1]?.block.start ?? end))
    yield { start: block.end, end: visited, count: index + 1, kind: 'after' }
  }
  if (isPassthru) yield { start: visited, end, count: found.length, kind: 'after' }
  else if (matchesEnd) yield { start: startBefore(end, visited), end, count: found.length, kind: 'before' }
}

function stoppedAt(piece: Piece, binaryOffset: number, whole: SearchedText, search: TextSearch): SearchedText {
  const { found, text } = whole
  const isLeft = search.binary === 'quit'
  if (!isLeft && !search.stopsInBinary)
    return { ...whole, binaryOffset, bytesSearched: Math.min(binaryOffset, whole.bytesSearched) }
  const { count, kind, start } = piece
  const isMatch = kind === 'match'
  const lineStart = isMatch ? start : text.lastIndexOf(10, binaryOffset) + 1
  const matchEnd = found[count - 1]?.block.end ?? 0
  const visitedEnd = kind === 'after' || search.isPassthru ? lineStart : shownEnd(text, matchEnd, search.after, start)
  const contextStart = isMatch ? Math.max(visitedEnd, search.isPassthru ? 0 : linesBefore(text, start, search.before)) : start
  const hasContext = search.before > 0 || search.after > 0
  const isGap = hasContext && count > 0 && contextStart > visitedEnd && contextStart === lineStart
  return {
    ...whole,
    found: found.slice(0, count),
    shownEnd: visitedEnd,
    binaryOffset,
    hidden: isMatch && !isLeft ? found.slice(count, count + 1) : [],
    matchesEnd: false,
    hiddenContext: kind === 'after' ? undefined : { start: contextStart, end: lineStart },
    breaksBeforeHidden: isGap && !(isMatch && isLeft),
    // A search for the next match has come to the end of the last one when it shows the lines between them.
    bytesSearched: !isMatch && search.searchesAhead && !search.invert ? matchEnd : binaryOffset,
  }
}
