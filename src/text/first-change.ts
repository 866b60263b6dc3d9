// The first line that an edit changed. A result quotes its number, so that the next read can start there.

import type { TextDocument } from '../core/text.ts'

/**
 * The 1-based line of `after` where the two first differ, in text or line ending. If lines are only missing at the end, the last line of
 * `after` (1 if it is empty). `undefined` if no line differs; the BOM is ignored.
 */
export function firstChangedLine(before: TextDocument, after: TextDocument): number | undefined {
  const shared = Math.min(before.lines.length, after.lines.length)
  for (let index = 0; index < shared; index++) {
    if (before.lines[index] !== after.lines[index] || before.endings[index] !== after.endings[index]) return index + 1
  }
  if (before.lines.length === after.lines.length) return undefined
  return Math.max(1, Math.min(shared + 1, after.lines.length))
}
