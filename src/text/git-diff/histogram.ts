// Comparison by rare lines, as in git's histogram algorithm and git's merge: the longest common run around the lines that occur least often
// in the older file divides both files, and the parts are compared in the same way.

import type { LineRanges } from '../line-spans.ts'

/** A line that occurs more often than this in a part is not used as an anchor there. */
const maxOccurrences = 64

/** Handles parts that the algorithm does not decide, and receives the lines that are not common. */
interface HistogramSink {
  removed(start: number, end: number): void
  added(start: number, end: number): void
  /** There are common lines, but all are frequent: another algorithm must compare these. */
  undecided(range: LineRanges): void
}

export function compareByHistogram(before: Int32Array, after: Int32Array, sink: HistogramSink): void {
  const open: LineRanges[] = [{ beforeStart: 0, beforeEnd: before.length, afterStart: 0, afterEnd: after.length }]
  const finder = new AnchorFinder(before, after)
  for (let range = open.pop(); range !== undefined; range = open.pop()) {
    const { beforeStart, beforeEnd, afterStart, afterEnd } = range
    if (beforeStart >= beforeEnd || afterStart >= afterEnd) {
      sink.removed(beforeStart, beforeEnd)
      sink.added(afterStart, afterEnd)
      continue
    }
    const anchor = finder.find(range)
    if (anchor === 'undecided') sink.undecided(range)
    else if (anchor === undefined) {
      sink.removed(beforeStart, beforeEnd)
      sink.added(afterStart, afterEnd)
    } else {
      open.push({ beforeStart: anchor.beforeEnd, beforeEnd, afterStart: anchor.afterEnd, afterEnd })
      open.push({ beforeStart, beforeEnd: anchor.beforeStart, afterStart, afterEnd: anchor.afterStart })
    }
  }
}

class AnchorFinder {
  readonly #before: Int32Array
  readonly #after: Int32Array
  /** For each class, its first line in the range of `before`, or -1, and its number of lines there. */
  readonly #first = new Map<number, { line: number; count: number }>()
  /** For each line of `before`, the next one of its class in the range, or -1. */
  readonly #next: Int32Array

  constructor(before: Int32Array, after: Int32Array) {
    this.#before = before
    this.#after = after
    this.#next = new Int32Array(before.length)
  }

  /** The common run at which to divide. `undefined`: no line is common. */
  find(range: LineRanges): LineRanges | 'undecided' | undefined {
    const { beforeStart, beforeEnd, afterStart, afterEnd } = range
    const [before, after, next, first] = [this.#before, this.#after, this.#next, this.#first]
    first.clear()
    for (let line = beforeEnd - 1; line >= beforeStart; line--) {
      const known = first.get(before[line] ?? 0)
      next[line] = known?.line ?? -1
      if (known === undefined) first.set(before[line] ?? 0, { line, count: 1 })
      else {
        known.line = line
        known.count++
      }
    }
    const countOf = (line: number): number => first.get(before[line] ?? 0)?.count ?? 0
    let best: LineRanges | undefined
    let bestCount = maxOccurrences + 1
    let hasCommon = false
    for (let line = afterStart; line < afterEnd;) {
      const entry = first.get(after[line] ?? 0)
      let nextLine = line + 1
      if (entry !== undefined) hasCommon = true
      if (entry !== undefined && entry.count <= bestCount) {
        for (let at = entry.line; at >= 0;) {
          let [start, end, otherStart, otherEnd, count] = [at, at + 1, line, line + 1, entry.count]
          while (start > beforeStart && otherStart > afterStart && before[start - 1] === after[otherStart - 1]) {
            start--
            otherStart--
            if (count > 1) count = Math.min(count, countOf(start))
          }
          while (end < beforeEnd && otherEnd < afterEnd && before[end] === after[otherEnd]) {
            if (count > 1) count = Math.min(count, countOf(end))
            end++
            otherEnd++
          }
          nextLine = Math.max(nextLine, otherEnd)
          if (best === undefined || end - start > best.beforeEnd - best.beforeStart || count < bestCount) {
            best = { beforeStart: start, beforeEnd: end, afterStart: otherStart, afterEnd: otherEnd }
            bestCount = count
          }
          at = next[at] ?? -1
          while (at >= 0 && at < end) at = next[at] ?? -1
        }
      }
      line = nextLine
    }
    if (hasCommon && bestCount > maxOccurrences) return 'undecided'
    return best
  }
}
