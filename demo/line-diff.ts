// The page itself compares the files that it packed with the present ones, so the shown changes do not depend on the tools' reports.
// Small on purpose; the changed middle of a source file is a few lines.

export type DiffRow =
  | { readonly kind: 'same'; readonly oldNumber: number; readonly newNumber: number; readonly text: string }
  | { readonly kind: 'removed'; readonly oldNumber: number; readonly text: string }
  | { readonly kind: 'added'; readonly newNumber: number; readonly text: string }
  /** So many unchanged lines are not shown. */
  | { readonly kind: 'gap'; readonly lineCount: number }

export interface LineDiff {
  readonly rows: readonly DiffRow[]
  readonly addedCount: number
  readonly removedCount: number
  /** The changed middle was too large to compare line by line, so it is shown as replaced whole. */
  readonly isCoarse: boolean
}

/** Cells of the comparison table; beyond it the diff is coarse. 2000 × 2000 lines take about 20 ms. */
const maxCells = 4_000_000

/** The difference of two texts by lines, with `context` unchanged lines around each change. `undefined` is "no such file". */
export function diffLines(before: string | undefined, after: string | undefined, context = 3): LineDiff {
  const old = linesOf(before)
  const fresh = linesOf(after)
  let head = 0
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head++
  let tail = 0
  while (tail < old.length - head && tail < fresh.length - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++

  const middleOld = old.slice(head, old.length - tail)
  const middleFresh = fresh.slice(head, fresh.length - tail)
  const isCoarse = middleOld.length * middleFresh.length > maxCells
  const kept = isCoarse ? [] : longestCommon(middleOld, middleFresh)

  const rows: DiffRow[] = []
  let oldIndex = 0
  let newIndex = 0
  const takeUpTo = (oldEnd: number, newEnd: number): void => {
    for (; oldIndex < oldEnd; oldIndex++) rows.push({ kind: 'removed', oldNumber: oldIndex + 1, text: old[oldIndex] ?? '' })
    for (; newIndex < newEnd; newIndex++) rows.push({ kind: 'added', newNumber: newIndex + 1, text: fresh[newIndex] ?? '' })
  }
  const takeSame = (count: number): void => {
    for (let index = 0; index < count; index++, oldIndex++, newIndex++) {
      rows.push({ kind: 'same', oldNumber: oldIndex + 1, newNumber: newIndex + 1, text: old[oldIndex] ?? '' })
    }
  }
  takeSame(head)
  for (const [oldAt, newAt] of kept) {
    takeUpTo(head + oldAt, head + newAt)
    takeSame(1)
  }
  takeUpTo(old.length - tail, fresh.length - tail)
  takeSame(tail)

  return {
    rows: withGaps(rows, context),
    addedCount: rows.filter(row => row.kind === 'added').length,
    removedCount: rows.filter(row => row.kind === 'removed').length,
    isCoarse,
  }
}

/** Lines with a mark on the last one when no line break ends it, so that adding one shows as a change. */
function linesOf(text: string | undefined): string[] {
  if (text === undefined || text === '') return []
  const lines = text.split('\n')
  const last = lines.pop() ?? ''
  return last === '' ? lines : [...lines, `${last} ⏎̸`]
}

/** Pairs of indices of a longest common subsequence, ascending. */
function longestCommon(old: readonly string[], fresh: readonly string[]): [number, number][] {
  const width = fresh.length + 1
  const lengths = new Uint32Array((old.length + 1) * width)
  const lengthAt = (row: number, column: number): number => lengths[row * width + column] ?? 0
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = fresh.length - 1; column >= 0; column--) {
      lengths[row * width + column] =
        old[row] === fresh[column]
          ? lengthAt(row + 1, column + 1) + 1
          : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1))
    }
  }
  const pairs: [number, number][] = []
  let row = 0
  let column = 0
  while (row < old.length && column < fresh.length) {
    if (old[row] === fresh[column]) pairs.push([row++, column++])
    else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) row++
    else column++
  }
  return pairs
}

function withGaps(rows: readonly DiffRow[], context: number): DiffRow[] {
  const isNear = new Uint8Array(rows.length)
  for (const [index, row] of rows.entries()) {
    if (row.kind !== 'same') isNear.fill(1, Math.max(0, index - context), index + context + 1)
  }
  const shown: DiffRow[] = []
  let hidden = 0
  for (const [index, row] of rows.entries()) {
    if (isNear[index] === 1) {
      if (hidden > 0) shown.push({ kind: 'gap', lineCount: hidden })
      hidden = 0
      shown.push(row)
    } else hidden++
  }
  if (hidden > 0 && shown.length > 0) shown.push({ kind: 'gap', lineCount: hidden })
  return shown
}
