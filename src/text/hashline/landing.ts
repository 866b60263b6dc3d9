// Where inserted rows belong is sometimes shown by their indentation rather than by the line that the script names. Rows are moved into a
// block, because `insert after block` does not name the line of its end. Rows that seem to belong outside a block are only reported,
// because the named line is explicit, and moving them would not change whether the text balances.

import type { TextDocument } from '../../core/text.ts'
import { indentOf, isPureCloser } from '../brackets.ts'
import type { BlockSpan } from './blocks.ts'

/**
 * The line after which the rows of `insert after block` go: the block's last line, or the last line inside it if the rows are indented
 * deeper than the line that closes it.
 */
export function landingInBlock(document: TextDocument, span: BlockSpan, rows: readonly string[]): number {
  const indent = commonIndent(rows)
  if (indent === undefined) return span.end
  let landing = span.end
  while (landing > span.start) {
    const line = document.lines[landing - 1] ?? ''
    const closerIndent = indentOf(line)
    if (!isPureCloser(line) || !indent.startsWith(closerIndent) || indent.length <= closerIndent.length) break
    landing--
  }
  return landing
}

/**
 * The closing line after which rows inserted after `lineNumber` seem to belong, because they are indented less than that line and only
 * closing lines follow. `undefined` if their place is right.
 */
export function outwardLanding(document: TextDocument, lineNumber: number, rows: readonly string[]): number | undefined {
  const anchor = document.lines[lineNumber - 1]
  const indent = commonIndent(rows)
  if (anchor === undefined || anchor.trim() === '' || indent === undefined) return undefined
  const anchorIndent = indentOf(anchor)
  if (!anchorIndent.startsWith(indent) || anchorIndent.length <= indent.length) return undefined
  let landing: number | undefined
  for (let next = lineNumber + 1; next <= document.lines.length; next++) {
    const line = document.lines[next - 1] ?? ''
    if (line.trim() === '') continue
    if (!isPureCloser(line) || !indentOf(line).startsWith(indent)) break
    landing = next
    if (indentOf(line) === indent) break
  }
  return landing
}

/** The smallest indentation of the rows; `undefined` if they only close, are blank, or mix kinds of blanks that cannot be compared. */
function commonIndent(rows: readonly string[]): string | undefined {
  const filled = rows.filter(row => row.trim() !== '')
  if (filled.every(isPureCloser)) return undefined
  let shortest: string | undefined
  for (const row of filled) {
    const indent = indentOf(row)
    if (shortest === undefined || shortest.startsWith(indent)) shortest = indent
    else if (!indent.startsWith(shortest)) return undefined
  }
  return shortest
}
