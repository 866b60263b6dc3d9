// Where a block of added or removed lines reads best if equal lines around it allow several places. A place is scored by the two cuts that
// it makes in the text, one above and one below the block. The weights are those that git documents as its indent heuristic.

import { isBlank, type LineTable } from './lines.ts'

const maxIndent = 200
const maxBlankLines = 20
const tabWidth = 8

const weights = {
  startOfFile: 1,
  endOfFile: 21,
  blankLine: -30,
  blankLineBelow: 6,
  indented: { plain: -4, besideBlank: 10 },
  outdented: { plain: 24, besideBlank: 17 },
  dedented: { plain: 23, besideBlank: 17 },
  /** The weight of the difference in indentation. */
  deeper: 60,
} as const

/** The sum for both cuts. Lower is better. */
export interface PlaceScore {
  readonly indent: number
  readonly penalty: number
}

export function scorePlace(table: LineTable, start: number, end: number): PlaceScore {
  const [lower, upper] = [scoreCut(table, end), scoreCut(table, start)]
  return { indent: lower.indent + upper.indent, penalty: lower.penalty + upper.penalty }
}

/** At most 0 if `one` is as good as `other` or better. */
export function comparePlaces(one: PlaceScore, other: PlaceScore): number {
  return weights.deeper * Math.sign(one.indent - other.indent) + (one.penalty - other.penalty)
}

/** A cut before line `at`. */
function scoreCut(table: LineTable, at: number): PlaceScore {
  const isEnd = at >= table.count
  const own = isEnd ? undefined : indentOf(table, at)
  const above = nearestIndent(table, at, -1)
  const below = nearestIndent(table, at, 1)
  let penalty = 0
  if (above.indent === undefined && above.blankLines === 0) penalty += weights.startOfFile
  if (isEnd) penalty += weights.endOfFile
  const blankBelow = own === undefined ? 1 + below.blankLines : 0
  const blanks = above.blankLines + blankBelow
  penalty += weights.blankLine * blanks + weights.blankLineBelow * blankBelow
  const indent = own ?? below.indent
  if (indent !== undefined && above.indent !== undefined && indent !== above.indent) {
    const kind =
      indent > above.indent
        ? weights.indented
        : below.indent !== undefined && below.indent > indent
          ? weights.outdented
          : weights.dedented
    penalty += blanks > 0 ? kind.besideBlank : kind.plain
  }
  return { indent: indent ?? -1, penalty }
}

/** The indentation of the next line that is not blank, in one direction, and the number of blank lines before it. */
function nearestIndent(
  table: LineTable,
  at: number,
  step: 1 | -1,
): { readonly indent: number | undefined; readonly blankLines: number } {
  let blankLines = 0
  for (let line = at + step; line >= 0 && line < table.count; line += step) {
    const indent = indentOf(table, line)
    if (indent !== undefined) return { indent, blankLines }
    if (++blankLines === maxBlankLines) return { indent: 0, blankLines }
  }
  return { indent: undefined, blankLines }
}

/** In columns; `undefined` for a line of blanks. */
function indentOf(table: LineTable, line: number): number | undefined {
  let columns = 0
  const end = table.starts[line + 1] ?? 0
  for (let at = table.starts[line] ?? 0; at < end; at++) {
    const byte = table.bytes[at]
    if (!isBlank(byte)) return columns
    if (byte === 0x20) columns++
    else if (byte === 0x09) columns += tabWidth - (columns % tabWidth)
    if (columns >= maxIndent) return maxIndent
  }
  return undefined
}
