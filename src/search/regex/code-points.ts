// A character class is arithmetic on sorted ranges here, so that `&&`, `--`, nesting and negation need no support in an engine.

/** Sorted, disjoint, not adjacent ranges, flat: `[first, last, first, last, …]`, all inclusive. */
export type CodePointSet = readonly number[]

export const maxCodePoint = 0x10ffff
export const maxAscii = 0x7f
export const allCodePoints: CodePointSet = [0, maxCodePoint]
export const newline: CodePointSet = [10, 10]

/** The set of `ranges` in any order, overlapping or not. */
export function codePointSet(ranges: readonly (readonly [first: number, last: number])[]): CodePointSet {
  const sorted = ranges.filter(([first, last]) => first <= last).toSorted((a, b) => a[0] - b[0])
  const set: number[] = []
  for (const [first, last] of sorted) {
    const previousLast = set.at(-1)
    if (previousLast !== undefined && first <= previousLast + 1) set[set.length - 1] = Math.max(previousLast, last)
    else set.push(first, last)
  }
  return set
}

export function rangesOf(set: CodePointSet): (readonly [first: number, last: number])[] {
  const ranges: (readonly [number, number])[] = []
  for (let index = 0; index < set.length; index += 2) ranges.push([set[index] ?? 0, set[index + 1] ?? 0])
  return ranges
}

export function union(...sets: readonly CodePointSet[]): CodePointSet {
  return codePointSet(sets.flatMap(rangesOf))
}

export function complement(set: CodePointSet): CodePointSet {
  const gaps: number[] = []
  let next = 0
  for (const [first, last] of rangesOf(set)) {
    if (first > next) gaps.push(next, first - 1)
    next = last + 1
  }
  if (next <= maxCodePoint) gaps.push(next, maxCodePoint)
  return gaps
}

export function intersection(left: CodePointSet, right: CodePointSet): CodePointSet {
  return complement(union(complement(left), complement(right)))
}

export function difference(left: CodePointSet, right: CodePointSet): CodePointSet {
  return intersection(left, complement(right))
}

export function contains(set: CodePointSet, codePoint: number): boolean {
  let low = 0
  let high = set.length / 2 - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    if (codePoint < (set[middle * 2] ?? 0)) high = middle - 1
    else if (codePoint > (set[middle * 2 + 1] ?? 0)) low = middle + 1
    else return true
  }
  return false
}
