// Maps lines of one text to lines of another. A diff cannot do that reliably: where lines repeat it picks one of several equally short edit
// scripts, and an edit could follow the guess to a duplicate. What is certain is a line that both texts contain exactly once, and an
// unchanged range between two such lines.

import type { LineRanges } from '../line-spans.ts'

/** A range of both texts with the same lines. Indices are 0-based; ends are inclusive. */
export type Stretch = LineRanges

export interface LineAnchors {
  /** The smallest range around these lines of the old text whose both ends are certain in the new one. It need not be unchanged. */
  readonly around: (first: number, last: number) => Stretch
  /** Whether every line of the range is the same in both texts, ignoring trailing blanks. */
  readonly isUnchanged: (stretch: Stretch) => boolean
}

/** A hashline tag ignores trailing blanks, so they do not make lines different. */
export function lineKey(line: string): string {
  let end = line.length
  while (end > 0 && (line.charCodeAt(end - 1) === 0x20 || line.charCodeAt(end - 1) === 0x09)) end--
  return end === line.length ? line : line.slice(0, end)
}

export function createLineAnchors(before: readonly string[], after: readonly string[]): LineAnchors {
  const beforeKeys = before.map(lineKey)
  const afterKeys = after.map(lineKey)
  const beforeOnly = uniqueLines(beforeKeys)
  const afterOnly = uniqueLines(afterKeys)

  function positionOf(index: number): number | undefined {
    const key = beforeKeys[index] ?? ''
    // A bracket or a blank line that is unique now may be another one than before.
    return beforeOnly.get(key) === index && /[\p{L}\p{N}]/u.test(key) ? afterOnly.get(key) : undefined
  }

  function around(first: number, last: number): Stretch {
    let beforeStart = first
    while (beforeStart > 0 && positionOf(beforeStart) === undefined) beforeStart--
    let beforeEnd = last
    while (beforeEnd < before.length - 1 && positionOf(beforeEnd) === undefined) beforeEnd++
    return {
      beforeStart,
      beforeEnd,
      afterStart: positionOf(beforeStart) ?? 0,
      afterEnd: positionOf(beforeEnd) ?? after.length - 1,
    }
  }

  function isUnchanged({ beforeStart, beforeEnd, afterStart, afterEnd }: Stretch): boolean {
    if (beforeEnd - beforeStart !== afterEnd - afterStart) return false
    for (let index = beforeStart; index <= beforeEnd; index++) {
      if (beforeKeys[index] !== afterKeys[index - beforeStart + afterStart]) return false
    }
    return true
  }

  return { around, isUnchanged }
}

/** The index of each line that occurs once. */
function uniqueLines(keys: readonly string[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  const repeated = new Set<string>()
  for (const [index, key] of keys.entries()) {
    if (repeated.has(key)) continue
    if (found.delete(key)) repeated.add(key)
    else found.set(key, index)
  }
  return found
}
