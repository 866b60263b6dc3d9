// Finds the lines that differ between two files, as GNU diff does: among several shortest results it chooses the same one, and
// for large files with little in common it finds a result within seconds.

import type { LineTable } from '../../../../text/git-diff/lines.ts'
import { compareInSteps } from '../../../../text/git-diff/myers.ts'
import { slideRuns } from '../../../../text/git-diff/slide.ts'
import { paceOf, unitsPerItem } from '../pace.ts'
import { letOthersRun } from '../stop.ts'

/** The lines from `oldStart` to `oldEnd` (exclusive) of the first file were replaced by lines of the second one. */
export interface LineEdit {
  readonly oldStart: number
  readonly oldEnd: number
  readonly newStart: number
  readonly newEnd: number
}

export interface ComparedFile {
  readonly lines: readonly string[]
  readonly keys: readonly string[]
}

export interface CompareOptions {
  /** The number of equal lines at each end that take part in the comparison. */
  readonly horizonLines: number
  /** Finds a shortest result, however long it takes. */
  readonly isMinimal: boolean
  readonly signal: AbortSignal
}

/** GNU diff gives up a search later than git. */
const leastLimit = 4096

export async function compareLines(
  one: ComparedFile,
  other: ComparedFile,
  { horizonLines, isMinimal, signal }: CompareOptions,
): Promise<readonly LineEdit[]> {
  const { prefix, suffix } = equalEnds(one.lines, other.lines, horizonLines)
  const numbers = new Map<string, number>()
  const pace = paceOf(signal)
  const numbered = async ({ keys }: ComparedFile): Promise<Int32Array> => {
    const result = new Int32Array(keys.length - suffix - prefix)
    for (let at = 0; at < result.length; at++) {
      const key = keys[prefix + at] ?? ''
      const number = numbers.get(key) ?? numbers.size
      numbers.set(key, number)
      result[at] = number
      if (pace.isDue(4 * unitsPerItem)) await pace.rest()
    }
    return result
  }
  const left = await numbered(one)
  const right = await numbered(other)
  const [leftCounts, rightCounts] = [countsOf(left, numbers.size), countsOf(right, numbers.size)]
  await letOthersRun(signal)
  const [leftChanged, rightChanged] = [new Uint8Array(left.length + 1), new Uint8Array(right.length + 1)]
  const leftKept = isMinimal ? left.map((_, index) => index) : keepUseful(left, rightCounts, leftChanged)
  await letOthersRun(signal)
  const rightKept = isMinimal ? right.map((_, index) => index) : keepUseful(right, leftCounts, rightChanged)
  await letOthersRun(signal)
  const steps = compareInSteps(
    leftKept.map(at => left[at] ?? 0),
    rightKept.map(at => right[at] ?? 0),
    {
      removed: index => void (leftChanged[leftKept[index] ?? 0] = 1),
      added: index => void (rightChanged[rightKept[index] ?? 0] = 1),
    },
    { isExact: isMinimal, leastLimit, takesPromising: false },
  )
  while (steps.next().done !== true) await letOthersRun(signal)
  const leftSide = { table: tableOfLength(left.length), classes: left, changed: leftChanged }
  const rightSide = { table: tableOfLength(right.length), classes: right, changed: rightChanged }
  slideRuns(leftSide, rightSide, false)
  slideRuns(rightSide, leftSide, false)
  return editsOf(leftChanged, rightChanged, prefix)
}

/** The number of equal lines at each end, minus those within the horizon. */
function equalEnds(
  one: readonly string[],
  other: readonly string[],
  horizonLines: number,
): { readonly prefix: number; readonly suffix: number } {
  const shorter = Math.min(one.length, other.length)
  let equal = 0
  while (equal < shorter && one[equal] === other[equal]) equal++
  const prefix = Math.max(0, equal - horizonLines)
  let suffix = 0
  while (suffix < shorter - prefix && one[one.length - 1 - suffix] === other[other.length - 1 - suffix]) suffix++
  return { prefix, suffix: Math.max(0, suffix - horizonLines) }
}

function countsOf(lines: Int32Array, size: number): Int32Array {
  const counts = new Int32Array(size)
  for (const number of lines) counts[number] = (counts[number] ?? 0) + 1
  return counts
}

/** `slideRuns` needs the text of lines only for git's indentation heuristic. */
function tableOfLength(count: number): LineTable {
  return { bytes: new Uint8Array(), starts: new Int32Array(), count }
}

/** How a line is treated before the search. */
const kept = 0
/** The line does not occur in the other file. */
const foreign = 1
/** The line is so common in the other file that it is dropped if all lines around it are foreign. */
const common = 2

/** The indexes of the lines that the search must use, ascending; the others are marked in `changed`. */
function keepUseful(lines: Int32Array, partners: Int32Array, changed: Uint8Array): Int32Array {
  let commonFrom = 5
  for (let rest = lines.length >> 8; rest > 0; rest >>= 2) commonFrom *= 2
  const kinds = new Uint8Array(lines.length)
  for (let at = 0; at < lines.length; at++) {
    const count = partners[lines[at] ?? 0] ?? 0
    kinds[at] = count === 0 ? foreign : count > commonFrom ? common : kept
  }
  for (let at = 0; at < kinds.length; at++) {
    if (kinds[at] === common) kinds[at] = kept
    else if (kinds[at] === foreign) at = settleRun(kinds, at) - 1
  }
  // Iterators would take a tenth of a second for a million lines, in which no abort is heard.
  const useful = new Int32Array(lines.length)
  let count = 0
  for (let at = 0; at < kinds.length; at++) {
    if (kinds[at] === kept) useful[count++] = at
    else changed[at] = 1
  }
  return useful.slice(0, count)
}

/** Decides which common lines to drop in the run that begins at `start` with a foreign line. Returns the end of the run. */
function settleRun(kinds: Uint8Array, start: number): number {
  let end = start
  while (end < kinds.length && kinds[end] !== kept) end++
  while (kinds[end - 1] === common) kinds[--end] = kept
  const run = kinds.subarray(start, end)
  let commonCount = 0
  for (const kind of run) if (kind === common) commonCount++
  if (commonCount === 0) return end
  if (commonCount * 4 > run.length) keepCommon(run)
  else {
    keepLongStretches(run)
    keepNearEdge(run)
    keepNearEdge(run.reverse())
    run.reverse()
  }
  return end
}

function keepCommon(run: Uint8Array): void {
  for (const [at, kind] of run.entries()) if (kind === common) run[at] = kept
}

/** Keeps long sequences of common lines: longer than about the square root of a quarter of the run. */
function keepLongStretches(run: Uint8Array): void {
  let least = 1
  for (let rest = run.length >> 4; rest > 0; rest >>= 2) least *= 2
  least += 1
  for (let at = 0; at < run.length;) {
    let end = at
    while (run[end] === common) end++
    if (end - at >= least) keepCommon(run.subarray(at, end))
    at = end + 1
  }
}

/** Keeps common lines up to three consecutive foreign lines, or up to a foreign line at least eight lines from the edge. */
function keepNearEdge(run: Uint8Array): void {
  let inRow = 0
  for (const [at, kind] of run.entries()) {
    if (at >= 8 && kind === foreign) return
    inRow = kind === foreign ? inRow + 1 : 0
    if (kind === common) run[at] = kept
    if (inRow === 3) return
  }
}

function editsOf(leftChanged: Uint8Array, rightChanged: Uint8Array, offset: number): readonly LineEdit[] {
  const edits: LineEdit[] = []
  const [leftLength, rightLength] = [leftChanged.length - 1, rightChanged.length - 1]
  let [at, otherAt] = [0, 0]
  while (at < leftLength || otherAt < rightLength) {
    if (leftChanged[at] !== 1 && rightChanged[otherAt] !== 1) {
      at++
      otherAt++
      continue
    }
    const [oldStart, newStart] = [at + offset, otherAt + offset]
    while (leftChanged[at] === 1) at++
    while (rightChanged[otherAt] === 1) otherAt++
    edits.push({ oldStart, oldEnd: at + offset, newStart, newEnd: otherAt + offset })
  }
  return edits
}
