// Comparison by lines that occur once in each file, as in git's patience algorithm: the longest ascending series of such pairs is common,
// and the parts in between are compared in the same way.

import type { LineRanges } from '../line-spans.ts'

interface PatienceSink {
  removed(start: number, end: number): void
  added(start: number, end: number): void
  /** There are common lines, but none is unique: another algorithm must compare these. */
  undecided(range: LineRanges): void
}

interface Pair {
  readonly before: number
  readonly after: number
  previous: Pair | undefined
}

export function compareByPatience(before: Int32Array, after: Int32Array, sink: PatienceSink): void {
  const open: LineRanges[] = [{ beforeStart: 0, beforeEnd: before.length, afterStart: 0, afterEnd: after.length }]
  for (let range = open.pop(); range !== undefined; range = open.pop()) {
    const { beforeStart, beforeEnd, afterStart, afterEnd } = range
    const isEmpty = beforeStart >= beforeEnd || afterStart >= afterEnd
    const found = isEmpty ? { pairs: [], hasCommon: false } : uniquePairs(before, after, range)
    if (!found.hasCommon) {
      sink.removed(beforeStart, beforeEnd)
      sink.added(afterStart, afterEnd)
    } else if (found.pairs.length === 0) sink.undecided(range)
    else {
      let [at, otherAt] = [beforeStart, afterStart]
      for (const pair of [...longestSeries(found.pairs), { before: beforeEnd, after: afterEnd }]) {
        let [end, otherEnd] = [pair.before, pair.after]
        while (end > at && otherEnd > otherAt && before[end - 1] === after[otherEnd - 1]) {
          end--
          otherEnd--
        }
        while (at < end && otherAt < otherEnd && before[at] === after[otherAt]) {
          at++
          otherAt++
        }
        if (end > at || otherEnd > otherAt)
          open.push({ beforeStart: at, beforeEnd: end, afterStart: otherAt, afterEnd: otherEnd })
        at = pair.before + 1
        otherAt = pair.after + 1
      }
    }
  }
}

function uniquePairs(
  before: Int32Array,
  after: Int32Array,
  range: LineRanges,
): { readonly pairs: readonly Pair[]; readonly hasCommon: boolean } {
  const repeated = -1
  const lines = new Map<number, number>()
  for (let line = range.beforeStart; line < range.beforeEnd; line++) {
    const number = before[line] ?? 0
    lines.set(number, lines.has(number) ? repeated : line)
  }
  const partners = new Map<number, number>()
  let hasCommon = false
  for (let line = range.afterStart; line < range.afterEnd; line++) {
    const number = after[line] ?? 0
    const partner = lines.get(number)
    if (partner === undefined) continue
    hasCommon = true
    if (partner !== repeated) partners.set(number, partners.has(number) ? repeated : line)
  }
  const pairs: Pair[] = []
  for (const [number, line] of lines) {
    const partner = partners.get(number)
    if (line !== repeated && partner !== undefined && partner !== repeated)
      pairs.push({ before: line, after: partner, previous: undefined })
  }
  return { pairs, hasCommon }
}

/** The pairs are ascending in `before`; the result is ascending in both. */
function longestSeries(pairs: readonly Pair[]): readonly Pair[] {
  const ends: Pair[] = []
  for (const pair of pairs) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((ends[middle]?.after ?? 0) < pair.after) low = middle + 1
      else high = middle
    }
    pair.previous = ends[low - 1]
    ends[low] = pair
  }
  const series: Pair[] = []
  for (let pair = ends.at(-1); pair !== undefined; pair = pair.previous) series.push(pair)
  return series.toReversed()
}
