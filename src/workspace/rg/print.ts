// What rg prints of one file: bytes as they are, with what was asked for in front of them.

import type { LineMatch } from '../../search/matcher.ts'
import { lineCursor, lineEndingsOf } from '../../search/lines.ts'
import type { MatchSpan } from '../../search/line-spans.ts'
import type { RgOptions } from './options.ts'

const encoder = new TextEncoder()
const lineFeed = Uint8Array.of(10)

export interface PrintedFile {
  readonly shown: string
  readonly bytes: Uint8Array
  readonly matches: readonly LineMatch[]
  readonly withFilename: boolean
  /** Asked for `-o`, `--column` and `--count-matches`. */
  readonly spansOf: (match: LineMatch) => readonly MatchSpan[]
}

/** Appends the lines of one file to `out`. `isFirst`: nothing stands before it. */
export function printLines(file: PrintedFile, options: RgOptions, isFirst: boolean, out: (part: Uint8Array) => void): void {
  const hasContext = options.before > 0 || options.after > 0
  if (options.heading && file.withFilename) {
    if (!isFirst) out(lineFeed)
    out(encoder.encode(`${file.shown}${options.nullAfterPath ? '\0' : '\n'}`))
  } else if (hasContext && !isFirst && !options.onlyMatching) out(encoder.encode('--\n'))
  if (options.onlyMatching) {
    for (const match of file.matches) {
      for (const span of file.spansOf(match)) {
        out(encoder.encode(prefixOf(file, options, match.lineNumber, span.start, ':')))
        out(file.bytes.subarray(match.start + span.start, match.start + span.end))
        out(lineFeed)
      }
    }
    return
  }
  if (!hasContext) {
    for (const match of file.matches) printLine(file, options, match, true, out)
    return
  }
  printWithContext(file, options, out)
}

function printWithContext(file: PrintedFile, options: RgOptions, out: (part: Uint8Array) => void): void {
  const matching = new Set(file.matches.map(({ lineNumber }) => lineNumber))
  const lines = linesOf(file.bytes)
  let lastPrinted = 0
  for (const { lineNumber } of file.matches) {
    const first = Math.max(lineNumber - options.before, lastPrinted + 1, 1)
    if (lastPrinted > 0 && first > lastPrinted + 1) out(encoder.encode('--\n'))
    const last = Math.min(lineNumber + options.after, lines.length)
    for (let number = first; number <= last; number++) {
      const line = lines[number - 1]
      if (line !== undefined) printLine(file, options, line, matching.has(number), out)
    }
    lastPrinted = Math.max(lastPrinted, last)
  }
}

function printLine(
  file: PrintedFile,
  options: RgOptions,
  line: LineMatch,
  isMatch: boolean,
  out: (part: Uint8Array) => void,
): void {
  const column = options.column && isMatch ? (file.spansOf(line)[0]?.start ?? 0) : undefined
  out(encoder.encode(prefixOf(file, options, line.lineNumber, column, isMatch ? ':' : '-')))
  let start = line.start
  // Spaces and tabs.
  while (options.trim && start < line.end && (file.bytes[start] === 32 || file.bytes[start] === 9)) start++
  // With the `\r` that belongs to the ending, and never without a line feed.
  out(file.bytes.subarray(start, file.bytes[line.end] === 13 ? line.end + 1 : line.end))
  out(lineFeed)
}

/** `column` is 0-based here and 1-based as it is shown. */
function prefixOf(
  { shown, withFilename }: PrintedFile,
  options: RgOptions,
  lineNumber: number,
  column: number | undefined,
  separator: ':' | '-',
): string {
  const path = withFilename && !options.heading ? `${shown}${options.nullAfterPath ? '\0' : separator}` : ''
  const number = options.lineNumbers ? `${lineNumber}${separator}` : ''
  return path + number + (options.column && column !== undefined ? `${column + 1}${separator}` : '')
}

/** Every line; a file that ends in a line break has none behind it. */
export function linesOf(bytes: Uint8Array): readonly LineMatch[] {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  const cursor = lineCursor(bytes, start, () => lineEndingsOf(bytes))
  const lines: LineMatch[] = []
  for (let line = cursor.lineAt(start); line !== undefined && line.start < bytes.length; line = cursor.lineAt(line.next)) {
    lines.push(line)
    if (line.next >= bytes.length) break
  }
  return lines
}
