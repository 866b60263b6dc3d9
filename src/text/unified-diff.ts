// The unified diff as Python's difflib prints it, which rye's results use: three lines of context, lengths of 1 left out, nothing after the
// file names. `git apply` accepts it.

import { groupChanges, groupRows, lineChanges, type ChangeGroup } from './line-changes.ts'

const contextLines = 3

/**
 * '' if the texts are equal. Lines end at LF; a CR before it is part of the line, so that a change of line endings is visible. The mark for
 * a missing final newline appears only if the two texts differ in that.
 */
export function unifiedDiff(before: string, after: string, path: string): string {
  if (before === after) return ''
  const isMarked = before !== '' && after !== '' && before.endsWith('\n') !== after.endsWith('\n')
  const [beforeLines, afterLines] = [linesOf(before, isMarked), linesOf(after, isMarked)]
  const { changes } = lineChanges(beforeLines, afterLines)
  const rows = [`--- a/${path}\n`, `+++ b/${path}\n`]
  for (const group of groupChanges(changes, beforeLines.length, contextLines)) {
    rows.push(hunkHeader(group))
    for (const step of groupRows(group)) {
      if (step.kind === 'added') rows.push(`+${afterLines[step.afterIndex]}\n`)
      else rows.push(`${step.kind === 'removed' ? '-' : ' '}${beforeLines[step.beforeIndex]}\n`)
    }
  }
  return rows.join('')
}

function hunkHeader(group: ChangeGroup): string {
  const before = hunkRange(group.beforeStart, group.beforeEnd - group.beforeStart)
  const after = hunkRange(group.afterStart, group.afterEnd - group.afterStart)
  return `@@ -${before} +${after} @@\n`
}

/** An empty range is given by the line before it. */
function hunkRange(startIndex: number, length: number): string {
  if (length === 1) return String(startIndex + 1)
  return `${length === 0 ? startIndex : startIndex + 1},${length}`
}

/** A line without its newline differs from one with it, and has a mark that says so. */
function linesOf(text: string, isMarked: boolean): readonly string[] {
  const lines = text.split('\n')
  const last = lines.pop() ?? ''
  if (last !== '') lines.push(isMarked ? `${last}\n\\ No newline at end of file` : last)
  return lines
}
