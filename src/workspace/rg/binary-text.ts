// Where ripgrep stops in a text with null bytes that it does not map into memory.

import { type LineBuffer, lineBuffers } from './line-buffers.ts'
import { endOfLine, type FoundBlock, type SearchedText, type TextSearch } from './searched-text.ts'

type Context = Pick<TextSearch, 'before' | 'after' | 'isPassthru'>

/** The buffer that has the byte at `offset`, in `text` of which at least the lines before that byte were searched. */
export function bufferWith(
  searched: SearchedText,
  offset: number,
  context: Context,
  text: Uint8Array = searched.text,
): LineBuffer {
  return firstBuffer(searched, context, text, ({ readEnd }) => offset < readEnd)
}

function firstBuffer(
  { found }: SearchedText,
  context: Context,
  text: Uint8Array,
  isWanted: (buffer: LineBuffer) => boolean,
): LineBuffer {
  for (const buffer of lineBuffers(text, keptLines(text, found, context))) {
    if (isWanted(buffer)) return buffer
  }
  return { base: text.length, from: text.length, to: text.length, readEnd: text.length }
}

/**
 * From where on lines of a buffer are kept for the next one: those that may be context of a match in it, and one more, but none that was
 * shown.
 */
function keptLines(text: Uint8Array, found: readonly FoundBlock[], context: Context): (base: number, to: number) => number {
  let next = 0
  // Buffers that keep many lines are many, so the lines are looked for once.
  const starts = [0]
  const startBefore = (to: number, count: number): number => {
    for (let at = text.indexOf(10, starts.at(-1)); at !== -1 && at + 1 < to; at = text.indexOf(10, at + 1)) starts.push(at + 1)
    return starts.at(-count) ?? 0
  }
  return (base, to) => {
    if (context.before === 0 && context.after === 0) return to
    while ((found[next]?.block.end ?? Number.POSITIVE_INFINITY) <= to) next++
    const last = found[next - 1]?.block.end ?? 0
    return Math.max(base, startBefore(to, context.before + 1), shownEnd(text, last, context.after, to))
  }
}

/** The start of the `count` lines before `offset`. */
export function linesBefore(text: Uint8Array, offset: number, count: number): number {
  let start = offset
  for (let left = count; left > 0 && start > 0; left--) start = start < 2 ? 0 : text.lastIndexOf(10, start - 2) + 1
  return start
}

/** The end of the last line of context behind a match that ends at `matchEnd`; 0 without a match. */
export function shownEnd(text: Uint8Array, matchEnd: number, after: number, limit: number): number {
  let end = matchEnd
  for (let left = matchEnd === 0 ? 0 : after; left > 0 && end < limit; left--) end = endOfLine(text, end)
  return Math.min(end, limit)
}

/**
 * What is left of a search whose lines from `shownEnd` on are binary data. There, the first line that ripgrep would print ends the search:
 * as a match it counts, as context it does not.
 */
export function stoppedInBinary(cut: SearchedText, search: TextSearch): SearchedText {
  const { found, hidden, text, shownEnd: start } = cut
  const { before, after, isPassthru, searchesAhead } = search
  const [first] = hidden
  // With -v, a line that ends the search only ends the part of it in one buffer.
  const readsOn = search.invert && searchesAhead
  const matchEnd = found.at(-1)?.block.end ?? 0
  const visitedEnd = isPassthru ? start : shownEnd(text, matchEnd, after, start)
  const isContextOpen = isPassthru || (matchEnd > 0 && shownEnd(text, matchEnd, after, text.length) > start)
  if (isContextOpen && start < text.length && first?.block.start !== start)
    return { ...cut, hidden: [], bytesSearched: readsOn ? text.length : searchesAhead ? start : endOfLine(text, start) }
  if (first === undefined) return cut
  const contextStart = Math.max(visitedEnd, linesBefore(text, first.block.start, before))
  const hasContext = before > 0 || after > 0
  const breaksBeforeHidden = hasContext && found.length > 0 && contextStart > visitedEnd
  const { from } = firstBuffer(cut, search, text, buffer => first.block.start < buffer.to)
  if (contextStart < first.block.start) {
    return {
      ...cut,
      hidden: [],
      breaksBeforeHidden,
      bytesSearched: readsOn ? text.length : searchesAhead ? from : first.block.end,
    }
  }
  return { ...cut, hidden: [first], breaksBeforeHidden, bytesSearched: readsOn ? text.length : first.block.end }
}
