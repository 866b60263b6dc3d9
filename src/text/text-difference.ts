// The smallest practical change from one text to another: only what differs is replaced, so that cursors and selections elsewhere stay.

import { isHighSurrogate, isLowSurrogate } from '../core/surrogates.ts'
import { lineChanges } from './line-changes.ts'
import { changeOf, type TextChange, type TextEdit } from './text-change.ts'

/** Compares by lines, and within changed lines by their common beginning and end. */
export function textDifference(before: string, after: string): TextChange {
  if (before === after) return changeOf([], before.length)
  const [oldLines, newLines] = [linesOf(before), linesOf(after)]
  const [oldStarts, newStarts] = [startsOf(oldLines), startsOf(newLines)]
  const edits: TextEdit[] = []
  for (const { beforeIndex, removed, afterIndex, added } of lineChanges(oldLines, newLines).changes) {
    // Lines that were changed one by one keep what lies between their changes.
    const pairs = removed === added ? removed : 1
    for (let pair = 0; pair < pairs; pair++) {
      const [oldFrom, oldTo] = pairs === 1 ? [beforeIndex, beforeIndex + removed] : [beforeIndex + pair, beforeIndex + pair + 1]
      const [newFrom, newTo] = pairs === 1 ? [afterIndex, afterIndex + added] : [afterIndex + pair, afterIndex + pair + 1]
      const from = oldStarts[oldFrom] ?? 0
      const [old, given] = [before.slice(from, oldStarts[oldTo]), after.slice(newStarts[newFrom], newStarts[newTo])]
      edits.push(trimmed(from, old, given))
    }
  }
  return changeOf(edits, before.length)
}

function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function startsOf(lines: readonly string[]): readonly number[] {
  const starts = [0]
  let at = 0
  for (const line of lines) starts.push((at += line.length))
  return starts
}

function trimmed(from: number, old: string, given: string): TextEdit {
  const shorter = Math.min(old.length, given.length)
  let start = 0
  while (start < shorter && old[start] === given[start]) start++
  // Half of a surrogate pair is not a character.
  if (start > 0 && isHighSurrogate(old.charCodeAt(start - 1))) start--
  let end = 0
  while (end < shorter - start && old[old.length - 1 - end] === given[given.length - 1 - end]) end++
  if (end > 0 && isLowSurrogate(old.charCodeAt(old.length - end))) end--
  return { from: from + start, to: from + old.length - end, insert: given.slice(start, given.length - end) }
}
