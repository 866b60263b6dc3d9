// The part of a long line that a search shows.

import { firstMatchIn } from '../search/first-match.ts'
import type { Pattern } from '../search/pattern.ts'

const encoder = new TextEncoder()

/** A long line is cut around its match; a line without a match is cut at its end. */
export function shownPart(line: string, pattern: Pattern | undefined, maxCharacters: number): string {
  if (line.length <= maxCharacters) return line
  const match = pattern && firstMatch(line, pattern)
  const isVisible = match === undefined || match.end <= maxCharacters
  const start = isVisible ? 0 : Math.max(0, Math.min(match.start, Math.floor((match.start + match.end - maxCharacters) / 2)))
  const end = Math.min(line.length, start + maxCharacters)
  return `${start > 0 ? '…' : ''}${wholeCharacters(line, start, end)}${end < line.length ? '…' : ''}`
}

/** In UTF-16 units. */
function firstMatch(line: string, pattern: Pattern): { readonly start: number; readonly end: number } | undefined {
  const bytes = encoder.encode(line)
  const found = firstMatchIn(bytes, pattern)
  if (found === undefined) return undefined
  const decoder = new TextDecoder()
  const start = decoder.decode(bytes.subarray(0, found.start)).length
  return { start, end: start + decoder.decode(bytes.subarray(found.start, found.end)).length }
}

/** Removes half of a surrogate pair at either end. */
function wholeCharacters(line: string, start: number, end: number): string {
  const isTrail = (at: number): boolean => (line.charCodeAt(at) & 0xfc00) === 0xdc00
  return line.slice(isTrail(start) ? start + 1 : start, isTrail(end) ? end - 1 : end)
}
