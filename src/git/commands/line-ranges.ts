// The lines that `-L` names: by numbers, patterns, counts or the name of a function.

import { decodeText } from '../../shell/byte-text.ts'
import { defaultHeading } from '../../text/git-diff/hunks.ts'
import { lineAt, type LineTable } from '../../text/git-diff/lines.ts'
import { fatal, type GitFailure } from '../errors.ts'
import { posixPattern } from '../revs/posix-pattern.ts'

interface LineSpan {
  readonly start: number
  readonly count: number
}

/** `-L` in all forms. */
export function wantedLines(
  ranges: readonly string[],
  table: LineTable,
  path: string,
  malformed: (range: string) => GitFailure,
): readonly LineSpan[] {
  if (ranges.length === 0) return table.count === 0 ? [] : [{ start: 0, count: table.count }]
  const chosen = new Uint8Array(table.count)
  let anchor = 1
  for (const range of ranges) {
    const [start, end] = parseRange(range, table, anchor, malformed(range))
    const [low, high] = start > 0 && end > 0 && end < start ? [end, start] : [start, end]
    if (low > table.count || (table.count === 0 && high > 0))
      throw fatal(`file ${path} has only ${table.count} line${table.count === 1 ? '' : 's'}`)
    const last = high < 1 || high > table.count ? table.count : high
    chosen.fill(1, Math.max(1, low) - 1, last)
    anchor = last + 1
  }
  const spans: LineSpan[] = []
  for (let at = 0; at < chosen.length; at++) {
    if (chosen[at] !== 1) continue
    const start = at
    while (chosen[at] === 1) at++
    spans.push({ start, count: at - start })
  }
  return spans
}

/** First and last line, from 1; 0 where the range does not say it. */
function parseRange(range: string, table: LineTable, anchor: number, malformed: GitFailure): readonly [number, number] {
  const [, fromFirst, name] = /^(\^?):(.*)$/s.exec(range) ?? []
  if (name !== undefined) return functionNamed(name, table, fromFirst === '' ? anchor : 1)
  const [, first = '', second = ''] = /^([^,/]*|\^?\/(?:[^/\\]|\\.)*\/)(?:,(.*))?$/s.exec(range) ?? [range, range]
  const start = lineOf(first.replace(/^\^(?=\/)/, ''), table, first.startsWith('^') ? 1 : anchor, malformed)
  const [, sign, digits] = /^([-+])(\d+)$/.exec(second) ?? []
  if (sign === undefined) return [start, lineOf(second, table, start + 1, malformed)]
  const count = Number(digits)
  if (count === 0) throw fatal('-L invalid empty range')
  return [start, sign === '+' ? start + count - 1 : Math.max(1, start + 1 - count)]
}

/** The line that a number or a pattern names; 0 for no text. A pattern is looked for from the line `from` on. */
function lineOf(text: string, table: LineTable, from: number, malformed: GitFailure): number {
  if (text === '') return 0
  if (/^\s*[-+]?\d+$/.test(text)) {
    if (Number(text) <= 0) throw fatal(`-L invalid line number: ${Number(text)}`)
    return Number(text)
  }
  const [, source] = /^\/(.*)\/$/s.exec(text) ?? []
  if (source === undefined) throw malformed
  return matchingLine(source, table, from, 'No match', () => true)
}

/** From the heading that the pattern matches to the line before the next one. */
function functionNamed(source: string, table: LineTable, from: number): readonly [number, number] {
  const isHeading = (line: number): boolean => defaultHeading(lineAt(table, line)) !== undefined
  const start = matchingLine(source, table, from, 'no match', isHeading)
  let end = start
  while (end < table.count && !isHeading(end)) end++
  return [start, end]
}

/** 1-based, as `from` is. */
function matchingLine(
  source: string,
  table: LineTable,
  from: number,
  problem: string,
  isCandidate: (line: number) => boolean,
): number {
  let pattern: RegExp
  try {
    pattern = posixPattern(source, 'basic', '')
  } catch {
    throw fatal(`-L parameter '${source}': invalid regular expression`)
  }
  for (let line = from - 1; line < table.count; line++)
    if (isCandidate(line) && pattern.test(decodeText(lineAt(table, line)).replace(/\n$/, ''))) return line + 1
  throw fatal(`-L parameter '${source}' starting at line ${from}: ${problem}`)
}
