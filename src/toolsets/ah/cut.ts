// The beginning of an output tells what it is and the end how it went, so the middle is omitted: first by bytes, then by lines. Pure:
// show.ts keeps the whole.

import { utf8SizeBytes } from '../../core/size.ts'
import { endWithin, startWithin } from '../../core/truncate.ts'

export interface CutLimits {
  readonly maxBytes: number
  readonly maxLines?: number
}

export interface Removed {
  readonly startByte: number
  readonly endByte: number
}

export interface Cut {
  /** What is shown, with a marker where something was left out. */
  readonly text: string
  readonly isTruncated: boolean
  readonly originalBytes: number
  /** The number of newlines plus one; 0 for an empty text. */
  readonly originalLines: number
  /** The bytes of the original that the first pass omitted; the end is exclusive. */
  readonly removed: Removed | undefined
  readonly omittedLines: number
}

/** A text of which only the beginning and the end are available, each longer than the part that is shown. */
export interface LongText {
  readonly head: string
  readonly tail: string
  readonly totalBytes: number
  /** The number of newlines plus one. */
  readonly totalLines: number
}

export function cutMiddle(text: string | LongText, { maxBytes, maxLines }: CutLimits): Cut {
  const isWhole = typeof text === 'string'
  const originalBytes = isWhole ? utf8SizeBytes(text) : text.totalBytes
  const originalLines = isWhole ? (text === '' ? 0 : text.split('\n').length) : text.totalLines
  const original = { originalBytes, originalLines }
  const byBytes = isWhole
    ? cutBytes(text, text, originalBytes, maxBytes)
    : cutBytes(text.head, text.tail, originalBytes, maxBytes)
  const byLines = cutLines(byBytes.text, maxLines)
  return {
    ...original,
    text: byLines.text,
    isTruncated: byBytes.removed !== undefined || byLines.omittedLines > 0,
    removed: byBytes.removed,
    omittedLines: byLines.omittedLines,
  }
}

/** Each half is rounded down and ends between two characters, so slightly more than the surplus can be omitted. */
function cutBytes(first: string, last: string, sizeBytes: number, maxBytes: number): Pick<Cut, 'text' | 'removed'> {
  if (sizeBytes <= maxBytes) return { text: last, removed: undefined }
  const half = Math.floor(maxBytes / 2)
  const head = startWithin(first, half)
  const tail = endWithin(last, half)
  const startByte = utf8SizeBytes(head)
  const endByte = sizeBytes - utf8SizeBytes(tail)
  return {
    text: `${head}\n\n[output truncated: ${endByte - startByte} bytes removed from middle]\n\n${tail}`,
    removed: { startByte, endByte },
  }
}

function cutLines(text: string, maxLines: number | undefined): Pick<Cut, 'text' | 'omittedLines'> {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  if (maxLines === undefined || lines.length <= maxLines) return { text, omittedLines: 0 }
  const headLines = Math.floor(maxLines / 2)
  const tailLines = maxLines - headLines
  const omittedLines = lines.length - maxLines
  const head = lines.slice(0, headLines).join('\n')
  const tail = lines.slice(lines.length - tailLines).join('\n')
  return { text: `${head}\n[...${omittedLines} lines omitted...]\n${tail}`, omittedLines }
}
