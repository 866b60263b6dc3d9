// Editing by literal text, for the toolsets whose edits contain the old text: no pattern syntax, and `$` in the replacement has no meaning.
// LF and CRLF match each other, because models write LF whatever a file has, and written text takes the line endings of the file.

import { findNearestLines } from './nearest-lines.ts'

/** Where a text was found, in UTF-16 units of the text that was searched. */
export interface Occurrence {
  readonly start: number
  readonly end: number
}

/** Every occurrence of `search`, which must not be empty, without overlaps. LF and CRLF are equal. */
export function findOccurrences(text: string, search: string): readonly Occurrence[] {
  return originalOccurrences(text, search, exactOccurrences)
}

/**
 * The places that a caller who gives `search` may mean: those of {@link findOccurrences}; if that is only one, also the next place
 * that overlaps it. "aa" is twice in "aaa", and replacing one or the other gives different texts.
 */
export function findPlaces(text: string, search: string): readonly Occurrence[] {
  return originalOccurrences(text, search, (exact, wanted) => {
    const found = exactOccurrences(exact, wanted)
    const [first] = found
    const overlap = first === undefined || found.length > 1 ? -1 : exact.indexOf(wanted, first.start + 1)
    return overlap === -1 ? found : [...found, { start: overlap, end: overlap + wanted.length }]
  })
}

type FindExact = (text: string, search: string) => readonly Occurrence[]

function originalOccurrences(text: string, search: string, findExact: FindExact): readonly Occurrence[] {
  if (search === '') throw new Error('the text to search for must not be empty')
  // Most files and most searches have only one kind of line ending.
  if (!search.includes('\n') || (!text.includes('\r\n') && !search.includes('\r\n'))) return findExact(text, search)
  const found = findExact(text.replaceAll('\r\n', '\n'), search.replaceAll('\r\n', '\n'))
  const [starts, ends] = [new OriginalPlaces(text), new OriginalPlaces(text)]
  return found.map(({ start, end }) => ({ start: starts.placeOf(start), end: ends.placeOf(end) }))
}

function exactOccurrences(text: string, search: string): readonly Occurrence[] {
  const found: Occurrence[] = []
  for (let at = text.indexOf(search); at !== -1; at = text.indexOf(search, at + search.length))
    found.push({ start: at, end: at + search.length })
  return found
}

/** Converts places in a text with LF only to places in the original text. Places must be ascending. */
class OriginalPlaces {
  readonly #text: string
  #pairs = 0
  #nextPair: number

  constructor(text: string) {
    this.#text = text
    this.#nextPair = text.indexOf('\r\n')
  }

  placeOf(place: number): number {
    while (this.#nextPair !== -1 && this.#nextPair < place + this.#pairs) {
      this.#pairs++
      this.#nextPair = this.#text.indexOf('\r\n', this.#nextPair + 2)
    }
    return place + this.#pairs
  }
}

/**
 * `text` with `replacement` at each of `found`, which are occurrences of `search`. Lines that both have in common at their beginning and
 * end keep their endings; the others take those of the lines that they replace, then those of their neighbours.
 */
export function replaceOccurrences(text: string, found: readonly Occurrence[], search: string, replacement: string): string {
  const changesEndingsOnly = sameLines(search, replacement) && search !== replacement
  const keepsEndings = replacement.includes('\n') && text.includes('\r\n') && !changesEndingsOnly
  const bare =
    !text.includes('\r\n') && text.includes('\n') && !changesEndingsOnly ? replacement.replaceAll('\r\n', '\n') : replacement
  const parts: string[] = []
  let end = 0
  for (const occurrence of found) {
    parts.push(text.slice(end, occurrence.start), keepsEndings ? withEndingsOf(text, occurrence, replacement) : bare)
    end = occurrence.end
  }
  parts.push(text.slice(end))
  return parts.join('')
}

function sameLines(one: string, other: string): boolean {
  return one.replaceAll('\r\n', '\n') === other.replaceAll('\r\n', '\n')
}

function withEndingsOf(text: string, { start, end }: Occurrence, replacement: string): string {
  const [oldLines, endings] = splitEnded(text.slice(start, end))
  const [newLines] = splitEnded(replacement)
  const shorter = Math.min(oldLines.length, newLines.length)
  let head = 0
  while (head < shorter && oldLines[head] === newLines[head]) head++
  let tail = 0
  while (tail < shorter - head && oldLines[oldLines.length - 1 - tail] === newLines[newLines.length - 1 - tail]) tail++
  const neighbour = endings.at(-1) ?? endingBefore(text, start) ?? endingAfter(text, end) ?? '\n'
  const parts: string[] = []
  for (const [index, line] of newLines.entries()) {
    const fromEnd = newLines.length - 1 - index
    const oldIndex = index < head ? index : fromEnd < tail ? oldLines.length - 1 - fromEnd : index
    parts.push(line)
    if (fromEnd > 0) parts.push(endings[oldIndex] ?? neighbour)
  }
  return parts.join('')
}

/** Lines and the endings between them: one fewer than lines. */
function splitEnded(text: string): readonly [lines: readonly string[], endings: readonly string[]] {
  return [text.split(/\r?\n/), text.match(/\r?\n/g) ?? []]
}

function endingBefore(text: string, at: number): string | undefined {
  const feed = text.lastIndexOf('\n', at - 1)
  return at === 0 || feed === -1 ? undefined : text[feed - 1] === '\r' ? '\r\n' : '\n'
}

function endingAfter(text: string, at: number): string | undefined {
  const feed = text.indexOf('\n', at)
  return feed === -1 ? undefined : text[feed - 1] === '\r' ? '\r\n' : '\n'
}

/** Whole lines of a text: what they say, endings included, the 0-based index of the first, and how many they are. */
export interface LineRange {
  readonly text: string
  readonly startIndex: number
  readonly lineCount: number
}

/** The whole lines that contain the first occurrence of `search`; `undefined` if there is none. */
export function occurrenceLineRange(text: string, search: string): LineRange | undefined {
  const [first] = findOccurrences(text, search)
  if (first === undefined) return undefined
  const start = first.start === 0 ? 0 : text.lastIndexOf('\n', first.start - 1) + 1
  const feed = text.indexOf('\n', Math.max(first.start, first.end - 1))
  const lines = text.slice(start, feed === -1 ? text.length : feed + 1)
  return { text: lines, startIndex: feedsIn(text.slice(0, start)), lineCount: feedsIn(lines) + (feed === -1 ? 1 : 0) }
}

function feedsIn(text: string): number {
  let count = 0
  for (let feed = text.indexOf('\n'); feed !== -1; feed = text.indexOf('\n', feed + 1)) count++
  return count
}

/** The 1-based numbers of the lines in which occurrences begin, at most `limit`. */
export function occurrenceLines(text: string, found: readonly Occurrence[], limit: number): readonly number[] {
  const lineNumbers: number[] = []
  let lineNumber = 1
  let counted = 0
  for (const { start } of found.slice(0, limit)) {
    for (let feed = text.indexOf('\n', counted); feed !== -1 && feed < start; feed = text.indexOf('\n', feed + 1)) lineNumber++
    counted = start
    lineNumbers.push(lineNumber)
  }
  return lineNumbers
}

/** Why a text that seems to be there is not found: one sentence and the most similar lines, or `undefined`. */
export function explainMissing(text: string, search: string): string | undefined {
  const lines = search.split(/\r?\n/)
  const withoutNumbers = lines.map(line => line.replace(/^ *\d+\t/, ''))
  const isNumbered = withoutNumbers.some((line, index) => line !== lines[index])
  if (isNumbered && findOccurrences(text, withoutNumbers.join('\n')).length > 0)
    return 'The text occurs without the line numbers, which are not part of the file.'
  const unescaped = search.replaceAll('\\n', '\n').replaceAll('\\t', '\t').replaceAll('\\"', '"')
  if (unescaped !== search && findOccurrences(text, unescaped).length > 0)
    return 'The text occurs with real line feeds, tabs or quotes: do not escape them twice.'
  const wanted = lines
    .map(line => line.trim())
    .join('\n')
    .trim()
  if (wanted !== '' && trimmedLines(text).includes(wanted))
    return `The text occurs with other white space at the start or end of its lines.${nearestNote(text, lines)}`
  const nearest = nearestNote(text, lines)
  return nearest === '' ? undefined : `The nearest lines are:${nearest}`
}

function nearestNote(text: string, lines: readonly string[]): string {
  const nearest = findNearestLines(text, lines)
  return nearest === undefined ? '' : `\n${nearest}`
}

function trimmedLines(text: string): string {
  return text
    .split('\n')
    .map(line => line.trim())
    .join('\n')
}
