// The unified diff as Python's difflib prints it, which is what rye's results show (rye §2.5): three lines of context, lengths of 1 left
// out, nothing behind the file names. `git apply` takes it.

import { groupChanges, groupRows, lineChanges, type ChangeGroup } from './line-changes.ts'

const contextLines = 3

/**
 * '' when the texts are equal. Lines end at LF; a CR before it is part of the line, so that a change of line endings shows. The mark for
 * a missing final newline comes only where the two texts differ in that.
 */
export function unifiedDiff(before: string, after: string, path: string): string {
  if (before === after) return ''
  const [beforeLines, afterLines] = [linesOf(before), linesOf(after)]
  const isMarked = before !== '' && after !== '' && before.endsWith('\n') !== after.endsWith('\n')
  const [beforeKeys, afterKeys] = isMarked
    ? [beforeLines, afterLines]
    : [beforeLines.map(withoutLineFeed), afterLines.map(withoutLineFeed)]
  const { changes } = lineChanges(beforeKeys, afterKeys)
  const rows = [`--- a/${path}\n`, `+++ b/${path}\n`]
  const row = (sign: string, line: string | undefined): void => {
    rows.push(`${sign}${withoutLineFeed(line ?? '')}\n`)
    if (isMarked && line?.endsWith('\n') === false) rows.push('\\ No newline at end of file\n')
  }
  for (const group of groupChanges(changes, beforeLines.length, contextLines)) {
    rows.push(hunkHeader(group))
    for (const step of groupRows(group)) {
      if (step.kind === 'added') row('+', afterLines[step.afterIndex])
      else row(step.kind === 'removed' ? '-' : ' ', beforeLines[step.beforeIndex])
    }
  }
  return rows.join('')
}

function hunkHeader(group: ChangeGroup): string {
  const before = hunkRange(group.beforeStart, group.beforeEnd - group.beforeStart)
  const after = hunkRange(group.afterStart, group.afterEnd - group.afterStart)
  return `@@ -${before} +${after} @@\n`
}

/** An empty range is named by the line before it. */
function hunkRange(startIndex: number, length: number): string {
  if (length === 1) return String(startIndex + 1)
  return `${length === 0 ? startIndex : startIndex + 1},${length}`
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n').map(line => `${line}\n`)
  const last = lines.pop() ?? '\n'
  return last === '\n' ? lines : [...lines, last.slice(0, -1)]
}

function withoutLineFeed(line: string): string {
  return line.endsWith('\n') ? line.slice(0, -1) : line
}
