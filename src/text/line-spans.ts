// Runs of lines, 1-based and inclusive.

export interface LineSpan {
  readonly start: number
  readonly end: number
}

/** Lines of an older text and of a newer one, 0-based; ends are exclusive, and one side may be empty. */
export interface LineRanges {
  readonly beforeStart: number
  readonly beforeEnd: number
  readonly afterStart: number
  readonly afterEnd: number
}

/** Every line. */
export const allLines: LineSpan = { start: 1, end: Number.MAX_SAFE_INTEGER }

/** Ascending; adjacent or overlapping spans are merged. */
export function mergeSpans(spans: readonly LineSpan[]): readonly LineSpan[] {
  const merged: LineSpan[] = []
  for (const span of spans.toSorted((left, right) => left.start - right.start)) {
    const last = merged.at(-1)
    if (last === undefined || span.start > last.end + 1) merged.push(span)
    else if (span.end > last.end) merged[merged.length - 1] = { start: last.start, end: span.end }
  }
  return merged
}

/** The runs that ascending line numbers form. */
export function spansOf(lineNumbers: readonly number[]): readonly LineSpan[] {
  return mergeSpans(lineNumbers.map(line => ({ start: line, end: line })))
}

export function hasLine(spans: readonly LineSpan[], line: number): boolean {
  return spans.some(({ start, end }) => line >= start && line <= end)
}

/** Converts spans of `before` to line numbers of `after`. Lines of the change itself are left out, because the caller knows them. */
export function mapSpans(spans: readonly LineSpan[], before: readonly string[], after: readonly string[]): readonly LineSpan[] {
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head++
  let tail = 0
  const most = Math.min(before.length, after.length) - head
  while (tail < most && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++
  const shift = after.length - before.length
  const above = { start: 1, end: head }
  const below = { start: before.length - tail + 1, end: Number.MAX_SAFE_INTEGER }
  return mergeSpans([
    ...spans.flatMap(span => intersection(span, above)),
    ...spans.flatMap(span => intersection(span, below)).map(({ start, end }) => ({ start: start + shift, end: end + shift })),
  ])
}

function intersection(one: LineSpan, other: LineSpan): readonly LineSpan[] {
  const [start, end] = [Math.max(one.start, other.start), Math.min(one.end, other.end)]
  return start > end ? [] : [{ start, end }]
}
