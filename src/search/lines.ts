// Lines of bytes, found only where they are asked for. A line ends at `\n`, `\r\n` or a lone `\r`, as in our text model; what kinds
// a file has is found out once, because nearly all have no lone `\r` and then one native search per line is enough.

import { countByte, holdsByte, viewOf } from './byte-scan.ts'

/** `any`: there is a lone `\r`. */
export type LineEndings = 'lf' | 'crlf' | 'any'

export interface Line {
  /** 1-based. */
  readonly lineNumber: number
  /** Byte offsets, the line's ending left out. */
  readonly start: number
  readonly end: number
  /** Where the next line begins. */
  readonly next: number
}

const jumpBytes = 128
const lineFeed = 10
const carriageReturn = 13

export function lineEndingsOf(bytes: Uint8Array): LineEndings {
  if (!holdsByte(bytes, carriageReturn, bytes.length)) return 'lf'
  for (let at = bytes.indexOf(carriageReturn); at !== -1; at = bytes.indexOf(carriageReturn, at + 1))
    if (bytes[at + 1] !== lineFeed) return 'any'
  return 'crlf'
}

/** Where the line that goes on at `offset` has its end, and where the next begins. */
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
  /** Of its first line, 1-based. */
  readonly lineNumber: number
}

/** Goes forward through the lines from `start`. */
export interface LineCursor {
  /** The line that holds `offset`, which may not lie before an earlier answer; `undefined` behind the last line. */
  readonly lineAt: (offset: number) => Line | undefined
}

/** `firstLineNumber` is that of the line at `start`. */
export function lineCursor(bytes: Uint8Array, start: number, endings: LineEndings, firstLineNumber: number = 1): LineCursor {
  let lineNumber = firstLineNumber
  let lineStart = start
  let ending = lineBreakFrom(bytes, start, endings)
  let view: DataView | undefined
  /** Many short lines are counted faster than found one by one. */
  function jumpNear(offset: number): void {
    const lastBreak = bytes.lastIndexOf(lineFeed, offset - 1)
    if (lastBreak < ending.next) return
    lineNumber += 1 + countByte((view ??= viewOf(bytes)), lineFeed, ending.next, lastBreak + 1)
    lineStart = lastBreak + 1
    ending = lineBreakFrom(bytes, lineStart, endings)
  }

  return {
    lineAt(offset) {
      if (endings !== 'any' && offset - ending.next > jumpBytes) jumpNear(offset)
      while (offset >= ending.next && ending.next < bytes.length) {
        lineNumber++
        lineStart = ending.next
        ending = lineBreakFrom(bytes, lineStart, endings)
      }
      return offset < ending.next ? { lineNumber, start: lineStart, end: ending.end, next: ending.next } : undefined
    },
  }
}
