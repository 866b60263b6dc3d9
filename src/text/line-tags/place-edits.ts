// Turns edits by tag into runs of lines to replace, or an error. Every tag is checked against the text before any edit, so that several
// edits of one call cannot invalidate each other, and edits that touch the same lines are refused.

import type { LineSplice } from '../splice-lines.ts'
import type { TagEdit } from './parse-edits.ts'
import { lineTagId, type LineTag } from './tag.ts'

export type PlacedEdits =
  /** In the order of the file. */
  | { readonly kind: 'placed'; readonly splices: readonly LineSplice[] }
  /** The tag does not match its line. */
  | { readonly kind: 'mismatch'; readonly tag: LineTag; readonly actualId: string }
  | { readonly kind: 'refused'; readonly message: string }

interface Placed {
  readonly position: number
  readonly splice: LineSplice
  /** Order at one place: first lines after the line before, then lines before the line, then the line itself. */
  readonly rank: 0 | 1 | 2
  /** The lines that this edit touches, 0-based, the end exclusive. */
  readonly touched: readonly [start: number, end: number]
}

export function placeEdits(edits: readonly TagEdit[], lines: readonly string[]): PlacedEdits {
  // An empty file has no line to name, so it is treated as one empty line.
  const named = lines.length === 0 ? [''] : lines
  const placed: Placed[] = []
  for (const [position, edit] of edits.entries()) {
    const end = edit.op === 'replace' ? edit.end : undefined
    for (const tag of end === undefined ? [edit.pos] : [edit.pos, end]) {
      const line = named[tag.lineNumber - 1]
      if (line === undefined) return refused(`Line ${tag.lineNumber} out of range (file has ${lines.length} lines)`)
      const actualId = lineTagId(tag.lineNumber, line)
      if (actualId !== tag.id) return { kind: 'mismatch', tag, actualId }
    }
    if (end !== undefined && end.lineNumber < edit.pos.lineNumber)
      return refused(`Invalid replace range: end line ${end.lineNumber} before start line ${edit.pos.lineNumber}`)
    placed.push(placeEdit(edit, end, position, lines.length))
  }
  const overlap = findOverlap(placed)
  if (overlap !== undefined)
    return refused(`Edits ${overlap[0].position + 1} and ${overlap[1].position + 1} are about the same lines; make them one edit`)
  placed.sort((a, b) => a.splice.startIndex - b.splice.startIndex || a.rank - b.rank || a.position - b.position)
  return { kind: 'placed', splices: placed.map(({ splice }) => splice) }
}

function placeEdit(edit: TagEdit, end: LineTag | undefined, position: number, lineCount: number): Placed {
  const first = edit.pos.lineNumber - 1
  if (edit.op !== 'replace') {
    const startIndex = Math.min(lineCount, edit.op === 'append' ? first + 1 : first)
    const rank = edit.op === 'append' ? 0 : 1
    return { position, splice: { startIndex, removed: 0, lines: edit.lines }, rank, touched: [first, first + 1] }
  }
  const last = (end?.lineNumber ?? edit.pos.lineNumber) - 1
  const removed = Math.min(lineCount, last + 1) - first
  // Without an end the line stays a line: no lines make it an empty one.
  const lines = end === undefined && edit.lines.length === 0 ? [''] : edit.lines
  return { position, splice: { startIndex: first, removed, lines }, rank: 2, touched: [first, last + 1] }
}

/** Lines may be added before the first and after the last line that another edit replaces; inside, such a place no longer exists. */
function findOverlap(placed: readonly Placed[]): readonly [Placed, Placed] | undefined {
  const replaced = placed.filter(({ rank }) => rank === 2).sort((a, b) => a.touched[0] - b.touched[0])
  for (const [index, edit] of replaced.entries()) {
    const before = replaced[index - 1]
    if (before !== undefined && before.touched[1] > edit.touched[0]) return [before, edit]
  }
  for (const added of placed) {
    if (added.rank === 2) continue
    const at = added.rank === 0 ? added.touched[1] : added.touched[0]
    const around = lastStartingBefore(replaced, at)
    if (around !== undefined && around.touched[1] > at) return [around, added]
  }
  return undefined
}

/** Of `replaced`, which is sorted and without overlaps, the last that starts before the gap `at`. */
function lastStartingBefore(replaced: readonly Placed[], at: number): Placed | undefined {
  let low = 0
  let high = replaced.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((replaced[middle]?.touched[0] ?? Infinity) < at) low = middle + 1
    else high = middle
  }
  return replaced[low - 1]
}

function refused(message: string): PlacedEdits {
  return { kind: 'refused', message }
}
