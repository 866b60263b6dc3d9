// The rows of an edit's result: the present place of each change and two lines on either side, with the numbers that the next edit needs.
// New lines are shown only if they differ from the rows that the model wrote.

import type { TextDocument } from '../../../core/text.ts'
import type { DocumentDiff } from '../../../text/diff.ts'
import { formatContextRow } from '../../../text/hashline/format.ts'
import { groupChanges, type LineChange } from '../../../text/line-changes.ts'
import type { LineSpan } from '../../../text/line-spans.ts'
import { pushAll } from '../../../core/many.ts'

const contextLines = 2
const maxRows = 60
const maxRowCharacters = 160

/** The lines of `after` that the rows show: the changed ones and their context. */
export function knownSpans({ changes }: DocumentDiff, beforeLength: number): readonly LineSpan[] {
  return groupChanges(changes, beforeLength, contextLines).map(({ afterStart, afterEnd }) => ({
    start: afterStart + 1,
    end: afterEnd,
  }))
}

/** `3 lines → 4`, context rows ` 9:text`, and `+10..13` for the new lines; with `showsNew` these are shown in full. */
export function changeRows(diff: DocumentDiff, before: TextDocument, after: TextDocument, showsNew: boolean): readonly string[] {
  const { changes } = diff
  if (changes.length === 0) return []
  const rows: string[] = []
  let shownEnd = 0
  for (const group of groupChanges(changes, before.lines.length, contextLines)) {
    if (rows.length > 0 && group.afterStart > shownEnd) rows.push('...')
    let next = group.afterStart
    for (const change of group.changes) {
      pushAll(rows, contextRows(after, next, change.afterIndex))
      pushAll(rows, newRows(after, change, showsNew))
      next = change.afterIndex + change.added
    }
    pushAll(rows, contextRows(after, next, group.afterEnd))
    shownEnd = group.afterEnd
  }
  const left = rows.length - maxRows
  return [summary(diff, before, after), ...rows.slice(0, maxRows), ...(left > 0 ? [`[${left} more rows]`] : [])]
}

function summary({ changes, added, removed }: DocumentDiff, before: TextDocument, after: TextDocument): string {
  const shift = after.lines.length - before.lines.length
  const last = changes.at(-1)
  const isAtEnd = last === undefined || last.afterIndex + last.added >= after.lines.length
  const counts = `${removed} ${removed === 1 ? 'line' : 'lines'} → ${added}`
  return shift === 0 || isAtEnd ? counts : `${counts}; lines below moved by ${shift > 0 ? '+' : ''}${shift}`
}

function contextRows({ lines }: TextDocument, start: number, end: number): readonly string[] {
  return lines.slice(start, end).map((line, index) => cut(formatContextRow(start + index + 1, line)))
}

function newRows({ lines }: TextDocument, { afterIndex, added }: LineChange, showsNew: boolean): readonly string[] {
  if (added === 0) return []
  if (showsNew) return lines.slice(afterIndex, afterIndex + added).map((line, index) => cut(`+${afterIndex + index + 1}:${line}`))
  return [added === 1 ? `+${afterIndex + 1}` : `+${afterIndex + 1}..${afterIndex + added}`]
}

export function cut(row: string): string {
  if (row.length <= maxRowCharacters) return row
  const start = row.slice(0, maxRowCharacters)
  return `${start.isWellFormed() ? start : start.slice(0, -1)}…`
}
