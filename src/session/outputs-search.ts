// Searches a stored output, which may be larger than memory, in windows of whole lines.

import { nextTurn } from '../core/pause.ts'
import { searchBytes } from '../search/matcher.ts'
import type { Pattern } from '../search/pattern.ts'
import type { StoredOutput } from './output-entry.ts'

export interface OutputSearch {
  readonly pattern: Pattern
  /** 1-based, inclusive. */
  readonly startLine: number
  readonly endLine: number
  readonly maxMatches: number
  readonly signal: AbortSignal
  /** Called between windows. True ends the search. */
  readonly isOver: () => boolean
}

export interface OutputMatches {
  /** 1-based. */
  readonly lineNumbers: readonly number[]
  readonly end: 'complete' | 'match-limit' | 'timed-out'
  /** The last line that was searched. */
  readonly lastLine: number
}

const windowBytes = 1024 * 1024
/** A longer line is searched in pieces of this size. */
const longestLineBytes = 8 * 1024 * 1024
const lineFeed = 0x0a

/** Lines end at LF. Rejects with the signal's reason when it aborts. */
export async function searchOutput(output: StoredOutput, search: OutputSearch): Promise<OutputMatches> {
  const { pattern, startLine, endLine, maxMatches } = search
  const lineNumbers: number[] = []
  let at = await output.startOfLine(startLine - 1)
  const endByte = Math.min(output.sizeBytes, await output.startOfLine(endLine))
  let firstLine = startLine
  while (at < endByte) {
    search.signal.throwIfAborted()
    const window = await wholeLines(output, at, endByte)
    let isFull = false
    searchBytes(withoutNulls(window), pattern, ({ lineNumber }) => {
      if (lineNumbers.length === maxMatches) {
        isFull = true
        return false
      }
      lineNumbers.push(firstLine + lineNumber - 1)
      return true
    })
    if (isFull) return { lineNumbers, end: 'match-limit', lastLine: lineNumbers.at(-1) ?? firstLine }
    for (let feed = window.indexOf(lineFeed); feed !== -1; feed = window.indexOf(lineFeed, feed + 1)) firstLine += 1
    at += window.length
    if (search.isOver()) return { lineNumbers, end: 'timed-out', lastLine: firstLine - 1 }
    await nextTurn()
  }
  return { lineNumbers, end: 'complete', lastLine: endLine }
}

async function wholeLines(output: StoredOutput, at: number, endByte: number): Promise<Uint8Array> {
  for (let size = windowBytes; ; size *= 2) {
    const bytes = await output.read(at, Math.min(endByte, at + size))
    if (at + size >= endByte || size >= longestLineBytes) return bytes
    const last = bytes.lastIndexOf(lineFeed)
    if (last !== -1) return bytes.subarray(0, last + 1)
  }
}

/** A text with a null byte would count as binary and would not be searched. In an output, it is an ordinary character. */
function withoutNulls(bytes: Uint8Array): Uint8Array {
  return bytes.includes(0) ? bytes.map(byte => (byte === 0 ? 0x20 : byte)) : bytes
}
