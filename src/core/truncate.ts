// Output is cut by whole lines, from the end for files and from the start for commands, and the cut says what it left out.
// Bytes are UTF-8 bytes.

import { utf8SizeBytes } from './size.ts'

export interface TruncationCaps {
  readonly maxLines: number
  readonly maxBytes: number
}

export type Truncation =
  | { readonly text: string; readonly truncated: false; readonly totalLines: number; readonly totalBytes: number }
  | {
      /** What is shown, without the newline that stood at the cut. */
      readonly text: string
      readonly truncated: true
      /** The cap that was hit. */
      readonly by: 'lines' | 'bytes'
      readonly totalLines: number
      readonly totalBytes: number
      /** Lines in `text`, a partial one included. */
      readonly shownLines: number
      readonly shownBytes: number
      /** 1-based number, within the given text, of the first line shown. */
      readonly firstLineNumber: number
      /**
       * Set when the line at the cut is alone larger than `maxBytes`: its size. The head then shows nothing, the tail shows the
       * end of that line.
       */
      readonly oversizedLineBytes: number | undefined
    }

/**
 * The first lines of `text` within both caps. Lines end at LF; a final newline ends the last line instead of starting another,
 * and is not held against `maxBytes`. When the first line alone is too large, `text` is '' and `oversizedLineBytes` its size.
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
 * The last lines of `text` within both caps, for output whose end matters most. A final newline is kept and not held against
 * `maxBytes`. When the last line alone is too large its end is shown, cut at a character boundary.
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

/** The longest start of `text` of at most `maxBytes` UTF-8 bytes, never ending inside a character. */
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

/** The longest end of `text` of at most `maxBytes` UTF-8 bytes, never starting inside a character. */
export function endWithin(text: string, maxBytes: number): string {
  let bytes = 0
  let start = text.length
  while (start > 0) {
    const low = text.charCodeAt(start - 1)
    const high = start > 1 ? text.charCodeAt(start - 2) : 0
    const isPair = low >= 0xdc00 && low <= 0xdfff && high >= 0xd800 && high <= 0xdbff
    const width = isPair ? 2 : 1
    bytes += isPair ? 4 : low < 0x80 ? 1 : low < 0x800 ? 2 : 3
    if (bytes > maxBytes) break
    start -= width
  }
  return text.slice(start)
}

interface Measured {
  readonly totals: { readonly totalLines: number; readonly totalBytes: number }
  /** Where the last line ends, its newline excluded. */
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

// The loops above count no final newline, so this must not either: otherwise all lines could pass and nothing be left to cut.
function fits({ totals, contentBytes }: Measured, caps: TruncationCaps): boolean {
  return totals.totalLines <= caps.maxLines && contentBytes <= caps.maxBytes
}

function lineEndFrom(text: string, start: number, contentEnd: number): number {
  const at = text.indexOf('\n', start)
  return at === -1 || at > contentEnd ? contentEnd : at
}
