// Sets of lines as ascending ranges that do not meet. Lines are 0-based, ends exclusive.

export interface LineRange {
  readonly start: number
  readonly end: number
}

export function unionOf(ranges: readonly LineRange[]): readonly LineRange[] {
  const result: LineRange[] = []
  for (const { start, end } of ranges.filter(range => range.end > range.start).sort((a, b) => a.start - b.start)) {
    const last = result.at(-1)
    if (last === undefined || last.end < start) result.push({ start, end })
    else if (last.end < end) result[result.length - 1] = { start: last.start, end }
  }
  return result
}

/** The lines of `ranges` that none of the others has. */
export function differenceOf(ranges: readonly LineRange[], others: readonly LineRange[]): readonly LineRange[] {
  const result: LineRange[] = []
  for (const range of ranges) {
    let { start } = range
    for (const other of others) {
      if (other.end <= start || other.start >= range.end) continue
      if (other.start > start) result.push({ start, end: other.start })
      start = Math.max(start, other.end)
    }
    if (start < range.end) result.push({ start, end: range.end })
  }
  return result
}
