// One page of a text for a reader with a size limit: whole lines, within a limit of bytes, and long lines in slices. It always reports what
// it left out and where to continue, so that every text can be read to its last character.

import { utf8SizeBytes } from '../core/size.ts'

export interface PageRequest {
  /** 0-based; after the end the page is empty. */
  readonly startIndex: number
  readonly maxLines: number
  /** Of the page, including prefixes and newlines between lines. The first line is shown whatever its size. */
  readonly maxBytes: number
  /** The number of characters (code points) shown per line. */
  readonly maxLineCharacters: number
  /** The number of characters to skip at the start of each line, to show the rest of a long one. */
  readonly skipCharacters: number
  readonly prefix: (lineIndex: number) => string
}

export interface LinePage {
  /** Each with its prefix, without line ending. */
  readonly rows: readonly string[]
  /** `maxBytes` was reached before `maxLines` and the end of the text. */
  readonly isFull: boolean
  readonly nextIndex: number
  /** Lines that were shown in part, and where the rest of each begins, in characters. */
  readonly cutLines: readonly { readonly lineIndex: number; readonly nextCharacter: number }[]
}

export function pageLines(lines: readonly string[], request: PageRequest): LinePage {
  const rows: string[] = []
  const cutLines: { lineIndex: number; nextCharacter: number }[] = []
  const end = Math.min(lines.length, request.startIndex + request.maxLines)
  let sizeBytes = 0
  for (let lineIndex = request.startIndex; lineIndex < end; lineIndex++) {
    const shown = sliceCharacters(lines[lineIndex] ?? '', request.skipCharacters, request.maxLineCharacters)
    const row = request.prefix(lineIndex) + shown.text
    sizeBytes += utf8SizeBytes(row) + (rows.length === 0 ? 0 : 1)
    if (sizeBytes > request.maxBytes && rows.length > 0) return { rows, isFull: true, nextIndex: lineIndex, cutLines }
    rows.push(row)
    if (shown.isCut) cutLines.push({ lineIndex, nextCharacter: request.skipCharacters + request.maxLineCharacters })
  }
  return { rows, isFull: false, nextIndex: Math.max(request.startIndex, end), cutLines }
}

/** `count` characters after the first `skip`; a surrogate pair counts as one and is never divided. */
export function sliceCharacters(line: string, skip: number, count: number): { readonly text: string; readonly isCut: boolean } {
  if (skip === 0 && line.length <= count) return { text: line, isCut: false }
  const start = endOfCharacters(line, 0, skip)
  const end = endOfCharacters(line, start, count)
  return { text: line.slice(start, end), isCut: end < line.length }
}

function endOfCharacters(line: string, start: number, count: number): number {
  let end = start
  for (let left = count; left > 0 && end < line.length; left--) end += (line.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  return end
}
