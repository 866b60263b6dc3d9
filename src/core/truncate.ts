// Output is cut by whole lines, from the end for files and from the start for commands, and the result says what was left out. Bytes are
// UTF-8 bytes.

import { utf8SizeBytes } from './size.ts'

export interface TruncationCaps {
  readonly maxLines: number
  readonly maxBytes: number
}

export type Truncation =
  | { readonly text: string; readonly truncated: false; readonly totalLines: number; readonly totalBytes: number }
  | {
      /** The shown text, without the newline at the cut. */
      readonly text: string
      readonly truncated: true
      /** The limit that was reached. */
      readonly by: 'lines' | 'bytes'
      readonly totalLines: number
      readonly totalBytes: number
      /** The number of lines in `text`, including a partial one. */
      readonly shownLines: number
      readonly shownBytes: number
      /** The 1-based number, in the given text, of the first line shown. */
      readonly firstLineNumber: number
      /**
       * Set if the line at the cut alone is larger than `maxBytes`: its size. Then the head shows nothing, and the tail shows the end of
       * that line.
       */
      readonly oversizedLineBytes: number | undefined
    }

/**
 * The first lines of `text` within both limits. Lines end at LF; a final newline ends the last line instead of starting another, and does
 * not count for `maxBytes`. If the first line alone is too large, `text` is '' and `oversizedLineBytes` its size.
 */
export function truncateHead(text: string, caps: TruncationCaps): Truncation {
  const whole = measure(text)
  if (fits(whole, caps)) return { text, truncated: false, ...whole.totals }
  let end = 0
  let shownLines = 0
  let shownBytes = 0
  let by: 'lines' | 'bytes' = 'lines'
  let oversizedLineBytes: number | undefined
  while (shownLines < caps.maxLines) {
    const start = shownLines === 0 ? 0 : end + 1
    const lineEnd = lineEndFrom(text, start, whole.contentEnd)
    const lineBytes = utf8SizeBytes(text.slice(start, lineEnd))
    const nextBytes = shownBytes + (shownLines === 0 ? 0 : 1) + lineBytes
    if (nextBytes > caps.maxBytes) {
      by = 'bytes'
      if (shownLines === 0) oversizedLineBytes = lineBytes
      break
    }
    end = lineEnd
    shownBytes = nextBytes
    shownLines++
  }
  return {
    text: text.slice(0, end),
    truncated: true,
    by,
    ...whole.totals,
    shownLines,
    shownBytes,
    firstLineNumber: 1,
    oversizedLineBytes,
  }
}

/**
 * The last lines of `text` within both limits, for output whose end matters most. A final newline is kept and does not count for
 * `maxBytes`. If the last line alone is too large, its end is shown, cut at a character boundary.
 */
export function truncateTail(text: string, caps: TruncationCaps): Truncation {
  const whole = measure(text)
  if (fits(whole, caps)) return { text, truncated: false, ...whole.totals }
  const { contentEnd } = whole
  let start = contentEnd
  let shownLines = 0
  let shownBytes = 0
  let by: 'lines' | 'bytes' = 'lines'
  let oversizedLineBytes: number | undefined
  while (shownLines < caps.maxLines) {
    const lineEnd = shownLines === 0 ? contentEnd : start - 1
    const lineStart = lineEnd === 0 ? 0 : text.lastIndexOf('\n', lineEnd - 1) + 1
    const line = text.slice(lineStart, lineEnd)
    const lineBytes = utf8SizeBytes(line)
    const nextBytes = shownBytes + (shownLines === 0 ? 0 : 1) + lineBytes
    if (nextBytes > caps.maxBytes) {
      by = 'bytes'
      if (shownLines === 0) {
        oversizedLineBytes = lineBytes
        const partial = endWithin(line, caps.maxBytes)
        start = lineEnd - partial.length
        shownLines = 1
        shownBytes = utf8SizeBytes(partial)
      }
      break
    }
    start = lineStart
    shownBytes = nextBytes
    shownLines++
  }
  const firstLineNumber = whole.totals.totalLines - shownLines + 1
  const shown = shownLines === 0 ? '' : text.slice(start)
  return { text: shown, truncated: true, by, ...whole.totals, shownLines, shownBytes, firstLineNumber, oversizedLineBytes }
}

/** The longest start of `text` of at most `maxBytes` UTF-8 bytes that does not end inside a character. */
export function startWithin(text: string, maxBytes: number): string {
  let bytes = 0
  let end = 0
  while (end < text.length) {
    const character = String.fromCodePoint(text.codePointAt(end) ?? 0)
    bytes += utf8SizeBytes(character)
    if (bytes > maxBytes) break
    end += character.length
  }
  return text.slice(0, end)
}

/** The longest end of `text` of at most `maxBytes` UTF-8 bytes that does not start inside a character. */
export function endWithin(text: string, maxBytes: number): string {
  let bytes = 0
  let start = text.length
  while (start > 0) {
    const low = text.charCodeAt(start - 1)
    const high = start > 1 ? text.charCodeAt(start - 2) : 0
    const isPair = (low & 0xfc00) === 0xdc00 && (high & 0xfc00) === 0xd800
    const width = isPair ? 2 : 1
    bytes += isPair ? 4 : low < 0x80 ? 1 : low < 0x800 ? 2 : 3
    if (bytes > maxBytes) break
    start -= width
  }
  return text.slice(start)
}

interface Measured {
  readonly totals: { readonly totalLines: number; readonly totalBytes: number }
  /** Where the last line ends, without its newline. */
  readonly contentEnd: number
  readonly contentBytes: number
}

function measure(text: string): Measured {
  let totalLines = text === '' ? 0 : 1
  for (let at = text.indexOf('\n'); at !== -1 && at < text.length - 1; at = text.indexOf('\n', at + 1)) totalLines++
  const contentEnd = text.endsWith('\n') ? text.length - 1 : text.length
  const totalBytes = utf8SizeBytes(text)
  return { totals: { totalLines, totalBytes }, contentEnd, contentBytes: totalBytes - (text.length - contentEnd) }
}

// The loops above do not count a final newline, so this must not either: otherwise all lines could fit although there was a cut.
function fits({ totals, contentBytes }: Measured, caps: TruncationCaps): boolean {
  return totals.totalLines <= caps.maxLines && contentBytes <= caps.maxBytes
}

function lineEndFrom(text: string, start: number, contentEnd: number): number {
  const at = text.indexOf('\n', start)
  return at === -1 || at > contentEnd ? contentEnd : at
}
