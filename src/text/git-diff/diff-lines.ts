// The difference between two files, line by line, with git's choices if several differences are equally short.

import { classify, type LineClasses } from './classes.ts'
import { compareByHistogram } from './histogram.ts'
import { comparable, tableOf, type LineTable, type WhitespaceRule } from './lines.ts'
import { compareSequences } from './myers.ts'
import { compareByPatience } from './patience.ts'
import { keepUseful } from './set-aside.ts'
import { slideRuns } from './slide.ts'
import type { LineRanges } from '../line-spans.ts'

export interface LineDiffOptions {
  /** Default `myers`. */
  readonly algorithm?: 'myers' | 'minimal' | 'patience' | 'histogram'
  /** Default `exact`. */
  readonly whitespace?: WhitespaceRule
  /** Moves changes to where their indentation reads best, as `git diff` does and `git merge` does not. Default true. */
  readonly indentHeuristic?: boolean
  /**
   * Leaves blocks of 1024 equal bytes at the end out of the comparison, as git does if no context is shown: for `-U0`, counts of lines and
   * blame. The tables of the result then end there. Default false.
   */
  readonly cutsCommonTail?: boolean
}

const tailBlockBytes = 1024

/** Lines `beforeStart` to `beforeEnd` became lines `afterStart` to `afterEnd`. */
export type LineEdit = LineRanges

export interface LineDiff {
  readonly before: LineTable
  readonly after: LineTable
  /** Ascending, with at least one unchanged line between any two. */
  readonly edits: readonly LineEdit[]
}

/** Compares bytes. Nothing is decoded, so the caller decides which files are binary. */
export function diffLines(before: Uint8Array, after: Uint8Array, options: LineDiffOptions = {}): LineDiff {
  const tail = options.cutsCommonTail === true ? commonTailBytes(before, after) : 0
  return diffTables(tableOf(before.subarray(0, before.length - tail)), tableOf(after.subarray(0, after.length - tail)), options)
}

/** Whole blocks only, without the rest of the line in which they begin. */
function commonTailBytes(before: Uint8Array, after: Uint8Array): number {
  const shorter = Math.min(before.length, after.length)
  let tail = 0
  while (tail + tailBlockBytes <= shorter && areEqualBlocks(before, after, tail)) tail += tailBlockBytes
  const lineEnd = before.indexOf(0x0a, before.length - tail)
  return lineEnd < 0 ? 0 : before.length - lineEnd - 1
}

function areEqualBlocks(before: Uint8Array, after: Uint8Array, tail: number): boolean {
  const [end, otherEnd] = [before.length - tail, after.length - tail]
  for (let at = 1; at <= tailBlockBytes; at++) if (before[end - at] !== after[otherEnd - at]) return false
  return true
}

/** `diffLines` for files that are already divided into lines. */
export function diffTables(before: LineTable, after: LineTable, options: LineDiffOptions = {}): LineDiff {
  const rule = options.whitespace ?? 'exact'
  const classes = classify(comparable(before, rule), comparable(after, rule))
  const changed = { before: new Uint8Array(before.count), after: new Uint8Array(after.count) }
  const algorithm = options.algorithm ?? 'myers'
  if (algorithm === 'myers' || algorithm === 'minimal') markShortest(classes, changed, algorithm === 'minimal')
  else {
    const compare = algorithm === 'histogram' ? compareByHistogram : compareByPatience
    compare(classes.before, classes.after, {
      removed: (start, end) => void changed.before.fill(1, start, end),
      added: (start, end) => void changed.after.fill(1, start, end),
      undecided: ({ beforeStart, beforeEnd, afterStart, afterEnd }) =>
        markShortest(countAgain(classes.before.subarray(beforeStart, beforeEnd), classes.after.subarray(afterStart, afterEnd)), {
          before: changed.before.subarray(beforeStart, beforeEnd),
          after: changed.after.subarray(afterStart, afterEnd),
        }),
    })
  }
  const left = { table: before, classes: classes.before, changed: changed.before }
  const right = { table: after, classes: classes.after, changed: changed.after }
  const prefersIndent = options.indentHeuristic ?? true
  slideRuns(left, right, prefersIndent)
  slideRuns(right, left, prefersIndent)
  return { before, after, edits: editsOf(changed.before, changed.after) }
}

interface Changed {
  readonly before: Uint8Array
  readonly after: Uint8Array
}

function markShortest(classes: LineClasses, changed: Changed, isExact = false): void {
  const { before, after } = classes
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let tail = 0
  while (tail < shorter - start && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++
  const left = keepUseful(before, { start, end: before.length - tail }, classes.countsAfter, changed.before)
  const right = keepUseful(after, { start, end: after.length - tail }, classes.countsBefore, changed.after)
  compareSequences(
    left.map(line => before[line] ?? 0),
    right.map(line => after[line] ?? 0),
    {
      removed: index => void (changed.before[left[index] ?? 0] = 1),
      added: index => void (changed.after[right[index] ?? 0] = 1),
    },
    { isExact },
  )
}

function countAgain(before: Int32Array, after: Int32Array): LineClasses {
  const numbers = new Map<number, number>()
  const renumber = (number: number): number => {
    const known = numbers.get(number) ?? numbers.size
    numbers.set(number, known)
    return known
  }
  const classes = { before: before.map(renumber), after: after.map(renumber) }
  const count = (lines: Int32Array): Int32Array => {
    const counts = new Int32Array(numbers.size)
    for (const number of lines) counts[number] = (counts[number] ?? 0) + 1
    return counts
  }
  return { ...classes, countsBefore: count(classes.before), countsAfter: count(classes.after) }
}

function editsOf(before: Uint8Array, after: Uint8Array): readonly LineEdit[] {
  const edits: LineEdit[] = []
  let [at, otherAt] = [0, 0]
  while (at < before.length || otherAt < after.length) {
    if (before[at] !== 1 && after[otherAt] !== 1) {
      at++
      otherAt++
      continue
    }
    const [beforeStart, afterStart] = [at, otherAt]
    while (before[at] === 1) at++
    while (after[otherAt] === 1) otherAt++
    edits.push({ beforeStart, beforeEnd: at, afterStart, afterEnd: otherAt })
  }
  return edits
}
