// Lines of bytes, found on demand. A line ends at `\n`, `\r\n` or a lone `\r`, as in our text model. The kinds of line endings in a file
// are determined once: nearly all files have no lone `\r`, and then one native search per line is enough.

import { countByte, holdsByte, lineEndFrom, viewOf } from './byte-scan.ts'
import { countLines } from './simd/line-counter.ts'

/** `any`: there is a lone `\r`. */
export type LineEndings = 'lf' | 'crlf' | 'any'

export interface Line {
  /** 1-based. */
  readonly lineNumber: number
  /** Byte offsets, without the line ending. */
  readonly start: number
  readonly end: number
  /** Where the next line begins. */
  readonly next: number
}

const lineFeed = 10
const carriageReturn = 13

export function lineEndingsOf(bytes: Uint8Array): LineEndings {
  if (!holdsByte(viewOf(bytes), carriageReturn, 0, bytes.length)) return 'lf'
  for (let at = bytes.indexOf(carriageReturn); at !== -1; at = bytes.indexOf(carriageReturn, at + 1))
    if (bytes[at + 1] !== lineFeed) return 'any'
  return 'crlf'
}

/** Where the line that contains `offset` ends, and where the next one begins. */
export function lineBreakFrom(bytes: Uint8Array, offset: number, endings: LineEndings): { end: number; next: number } {
  if (endings === 'any') {
    let at = offset
    while (at < bytes.length && bytes[at] !== lineFeed && bytes[at] !== carriageReturn) at++
    const isPair = bytes[at] === carriageReturn && bytes[at + 1] === lineFeed
    return { end: at, next: Math.min(at + (isPair ? 2 : 1), bytes.length) }
  }
  const at = bytes.indexOf(lineFeed, offset)
  if (at === -1) return { end: bytes.length, next: bytes.length }
  return { end: at > offset && bytes[at - 1] === carriageReturn ? at - 1 : at, next: at + 1 }
}

/** A run of whole lines. */
export interface Region {
  readonly start: number
  readonly end: number
  /** The number of its first line, 1-based. */
  readonly lineNumber: number
}

/** Moves forward through the lines from `start`. */
export interface LineCursor {
  /** The line that contains `offset`, which must not be before an earlier result; `undefined` after the last line. */
  readonly lineAt: (offset: number) => Line | undefined
}

/**
 * `firstLineNumber` is the number of the line at `start`. `endingsOf` returns the file's {@link lineEndingsOf line endings}; it is called
 * only when a `\r` is found, so most searches need not scan the whole file.
 */
export function lineCursor(
  bytes: Uint8Array,
  start: number,
  endingsOf: () => LineEndings,
  firstLineNumber: number = 1,
  view: DataView = viewOf(bytes),
): LineCursor {
  /** `undefined`: no `\r` was found so far. */
  let endings: LineEndings | undefined
  let lineNumber = firstLineNumber
  let lineStart = start

  /** For files where a lone `\r` also ends lines: finds them one after the other. */
  function lineAmongAny(offset: number): Line {
    for (;;) {
      const { end, next } = lineBreakFrom(bytes, lineStart, 'any')
      if (offset < next) return { lineNumber, start: lineStart, end, next }
      lineNumber++
      lineStart = next
    }
  }

  return {
    lineAt(offset) {
      if (offset >= bytes.length) return undefined
      if (endings === 'any') return lineAmongAny(offset)
      let first = offset
      while (first > lineStart && bytes[first - 1] !== lineFeed) first--
      let end = lineEndFrom(view, offset)
      let passed =
        endings === undefined ? countLines(bytes, view, lineStart, offset) : countByte(view, lineFeed, lineStart, first)
      if (endings === undefined && (passed === -1 || bytes[end] === carriageReturn)) {
        endings = endingsOf()
        if (endings === 'any') return lineAmongAny(offset)
        passed = countByte(view, lineFeed, lineStart, first)
      }
      lineNumber += passed
      lineStart = first
      // In the middle of a `\r\n`, the line's text has already ended.
      if (bytes[end] === lineFeed && end > first && bytes[end - 1] === carriageReturn) end--
      const isPair = bytes[end] === carriageReturn && bytes[end + 1] === lineFeed
      return { lineNumber, start: first, end, next: Math.min(end + (isPair ? 2 : 1), bytes.length) }
    },
  }
}

/** For lines that only `\n` ends. A `\r` before it belongs to the line. */
export function lineFeedCursor(
  bytes: Uint8Array,
  start: number,
  firstLineNumber: number = 1,
  view: DataView = viewOf(bytes),
): LineCursor {
  let lineNumber = firstLineNumber
  let lineStart = start
  return {
    lineAt(offset) {
      if (offset >= bytes.length) return undefined
      const first = offset === 0 ? 0 : Math.max(bytes.lastIndexOf(lineFeed, offset - 1) + 1, lineStart)
      lineNumber += countByte(view, lineFeed, lineStart, first)
      lineStart = first
      const at = bytes.indexOf(lineFeed, offset)
      return at === -1
        ? { lineNumber, start: first, end: bytes.length, next: bytes.length }
        : { lineNumber, start: first, end: at, next: at + 1 }
    },
  }
}
