// Merges two versions of a base text, line by line. A change is taken only if it is unambiguous: there must be an unchanged line between
// the two sides' changes, wherever equal lines would let either of them slide. Everything else is a conflict, and nothing is merged.

import { lineChanges } from './line-changes.ts'
import { pushAll } from '../core/many.ts'

/** The merged text, or the 0-based line of the base at which the first two changes meet. */
export type Merge = { readonly kind: 'merged'; readonly text: string } | { readonly kind: 'conflict'; readonly baseIndex: number }

/** A change of the base with its new lines, and how far equal lines would let it slide: `from` to `to` are lines of the base. */
interface Hunk {
  readonly start: number
  readonly end: number
  readonly lines: readonly string[]
  readonly from: number
  readonly to: number
}

/** Lines keep their endings, so texts with any line endings, with or without a final one, are merged byte by byte. */
export function mergeTexts(base: string, ours: string, theirs: string): Merge {
  if (ours === theirs || theirs === base) return { kind: 'merged', text: ours }
  if (ours === base) return { kind: 'merged', text: theirs }
  const baseLines = linesWithEnds(base)
  const [mine, others] = [hunksOf(baseLines, linesWithEnds(ours)), hunksOf(baseLines, linesWithEnds(theirs))]
  const merged: string[] = []
  let [at, m, o] = [0, 0, 0]
  for (;;) {
    const [one, other] = [mine[m], others[o]]
    if (one === undefined && other === undefined) break
    if (one !== undefined && other !== undefined && isSame(one, other)) o++
    else if (one !== undefined && other !== undefined && one.from <= other.to && other.from <= one.to)
      return { kind: 'conflict', baseIndex: Math.max(one.from, other.from) }
    const isMine = one !== undefined && (other === undefined || one.start <= other.start)
    const next = isMine ? one : other
    if (next === undefined) break
    if (isMine) m++
    else o++
    pushAll(merged, baseLines.slice(at, next.start).concat(next.lines))
    at = next.end
  }
  pushAll(merged, baseLines.slice(at))
  return { kind: 'merged', text: merged.join('') }
}

function linesWithEnds(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function isSame(a: Hunk, b: Hunk): boolean {
  return (
    a.start === b.start && a.end === b.end && a.lines.length === b.lines.length && a.lines.every((line, i) => line === b.lines[i])
  )
}

function hunksOf(base: readonly string[], text: readonly string[]): readonly Hunk[] {
  return lineChanges(base, text).changes.map(({ beforeIndex, removed, afterIndex, added }) => {
    const [start, end] = [beforeIndex, beforeIndex + removed]
    const lines = text.slice(afterIndex, afterIndex + added)
    // Only a pure addition or a pure removal can be in several places.
    const block = removed === 0 ? lines : added === 0 ? base.slice(start, end) : undefined
    return { start, end, lines, ...(block === undefined ? { from: start, to: end } : slide(base, start, end, block)) }
  })
}

/** How far a block of lines, added to or removed from `base` between `start` and `end`, can slide with the same result. */
function slide(base: readonly string[], start: number, end: number, block: readonly string[]): { from: number; to: number } {
  const size = block.length
  let up = 0
  while (start - up > 0 && base[start - up - 1] === block[(((size - 1 - up) % size) + size) % size]) up++
  let down = 0
  while (end + down < base.length && base[end + down] === block[down % size]) down++
  return { from: start - up, to: end + down }
}
