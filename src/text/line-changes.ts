// Which runs of lines differ between two texts. Every comparison of texts uses this, because only this limits the work: jsdiff takes more
// than 15 s on large texts with nothing in common.

import { diffArrays } from 'diff'
import type { LineRanges } from './line-spans.ts'

/** `removed` lines of the old text from `beforeIndex` became `added` lines of the new text from `afterIndex`. 0-based. */
export interface LineChange {
  readonly beforeIndex: number
  readonly removed: number
  readonly afterIndex: number
  readonly added: number
}

export interface LineChanges {
  /** Ascending, with at least one unchanged line between any two. */
  readonly changes: readonly LineChange[]
  /** The comparison was given up: one change covers everything from the first to the last difference. */
  readonly coarse: boolean
}

/** About 0.3 s at worst. */
const maxEditLength = 2000

/** Compares line by line; two lines are equal only if they are the same string. */
export function lineChanges(before: readonly string[], after: readonly string[]): LineChanges {
  const shorter = Math.min(before.length, after.length)
  let prefix = 0
  while (prefix < shorter && before[prefix] === after[prefix]) prefix++
  let suffix = 0
  while (suffix < shorter - prefix && before[before.length - 1 - suffix] === after[after.length - 1 - suffix]) suffix++
  const removed = before.length - prefix - suffix
  const added = after.length - prefix - suffix
  if (removed === 0 && added === 0) return { changes: [], coarse: false }
  const whole: LineChange = { beforeIndex: prefix, removed, afterIndex: prefix, added }
  if (removed === 0 || added === 0) return { changes: [whole], coarse: false }
  const middle = compareMiddle(before.slice(prefix, prefix + removed), after.slice(prefix, prefix + added), prefix)
  return middle === undefined ? { changes: [whole], coarse: true } : { changes: middle, coarse: false }
}

function compareMiddle(before: readonly string[], after: readonly string[], offset: number): readonly LineChange[] | undefined {
  const numbers = new Map<string, number>()
  const numberOf = (line: string): number => {
    const known = numbers.get(line)
    if (known !== undefined) return known
    numbers.set(line, numbers.size)
    return numbers.size - 1
  }
  const beforeNumbers = before.map(numberOf)
  const beforeKinds = numbers.size
  const afterNumbers = after.map(numberOf)
  if (afterNumbers.every(number => number >= beforeKinds))
    return [{ beforeIndex: offset, removed: before.length, afterIndex: offset, added: after.length }]
  if (Math.abs(before.length - after.length) > maxEditLength) return undefined
  const parts = diffArrays(beforeNumbers, afterNumbers, { maxEditLength })
  if (parts === undefined) return undefined
  const changes: LineChange[] = []
  let beforeIndex = offset
  let afterIndex = offset
  let open: { beforeIndex: number; removed: number; afterIndex: number; added: number } | undefined
  for (const part of parts) {
    if (part.added || part.removed) {
      open ??= { beforeIndex, removed: 0, afterIndex, added: 0 }
      if (part.removed) open.removed += part.count
      else open.added += part.count
    } else if (open !== undefined) {
      changes.push(open)
      open = undefined
    }
    if (!part.added) beforeIndex += part.count
    if (!part.removed) afterIndex += part.count
  }
  if (open !== undefined) changes.push(open)
  return changes
}

/** A part of both texts around one or more changes that are close together, with context. */
export interface ChangeGroup extends LineRanges {
  readonly changes: readonly LineChange[]
}

/** Changes whose context would touch or overlap form one group. */
export function groupChanges(changes: readonly LineChange[], beforeLength: number, contextLines: number): readonly ChangeGroup[] {
  const groups: LineChange[][] = []
  let previousEnd = -Infinity
  for (const change of changes) {
    const last = groups.at(-1)
    if (last !== undefined && change.beforeIndex - previousEnd <= 2 * contextLines) last.push(change)
    else groups.push([change])
    previousEnd = change.beforeIndex + change.removed
  }
  return groups.flatMap(group => {
    const first = group[0]
    const last = group.at(-1)
    if (first === undefined || last === undefined) return []
    const lead = Math.min(contextLines, first.beforeIndex)
    const lastEnd = last.beforeIndex + last.removed
    const trail = Math.min(contextLines, beforeLength - lastEnd)
    return [
      {
        changes: group,
        beforeStart: first.beforeIndex - lead,
        beforeEnd: lastEnd + trail,
        afterStart: first.afterIndex - lead,
        afterEnd: last.afterIndex + last.added + trail,
      },
    ]
  })
}

/** The rows of a group in the order of a diff: context, then removed lines, then added lines. Indices are 0-based. */
export function* groupRows(
  group: ChangeGroup,
): Generator<
  | { readonly kind: 'context'; readonly beforeIndex: number; readonly afterIndex: number }
  | { readonly kind: 'removed'; readonly beforeIndex: number }
  | { readonly kind: 'added'; readonly afterIndex: number }
> {
  let beforeIndex = group.beforeStart
  let afterIndex = group.afterStart
  for (const change of group.changes) {
    while (beforeIndex < change.beforeIndex) yield { kind: 'context', beforeIndex: beforeIndex++, afterIndex: afterIndex++ }
    for (let count = 0; count < change.removed; count++) yield { kind: 'removed', beforeIndex: beforeIndex++ }
    for (let count = 0; count < change.added; count++) yield { kind: 'added', afterIndex: afterIndex++ }
  }
  while (beforeIndex < group.beforeEnd) yield { kind: 'context', beforeIndex: beforeIndex++, afterIndex: afterIndex++ }
}
