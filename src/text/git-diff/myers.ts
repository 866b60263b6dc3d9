// Myers' comparison of two sequences in linear space: the middle of a shortest edit path is searched from both ends at once, then both
// halves are compared in the same way. A search that becomes expensive takes a promising split instead of the best one; which one, and
// when, is as in git, because this decides which lines a patch shows.

import { roundRoot } from './set-aside.ts'
import type { LineRanges } from '../line-spans.ts'

/** From this number of edits on, a diagonal that has advanced far is accepted. */
const promisingFrom = 256
/** A search is given up at the square root of the number of diagonals, but not below this number of edits. */
const usualLimit = 256
/** This many consecutive equal elements are not a coincidence. */
const longRun = 20
/** A promising diagonal has advanced this many times its number of edits. */
const progressPerEdit = 4
const unreachable = 0x7fffffff
/** A few milliseconds. */
const diagonalsPerPause = 200_000

/** Receives the elements that are not common to both, by index, in no particular order. */
export interface EditSink {
  removed(index: number): void
  added(index: number): void
}

/** `before` from `beforeStart` to `beforeEnd`, against the same of `after`; ends are exclusive. */
interface Box extends LineRanges {
  /** Only the best split is taken. */
  readonly isExact: boolean
}

interface Split {
  readonly before: number
  readonly after: number
  readonly isHeadExact: boolean
  readonly isTailExact: boolean
}

export interface SearchOptions {
  /** Finds a shortest difference however long it takes. Default false. */
  readonly isExact?: boolean
  /** A search is not given up before this number of edits. Default 256, as in git. */
  readonly leastLimit?: number
  /** Whether a diagonal that has advanced far ends a search. Default true, as in git. */
  readonly takesPromising?: boolean
}

/** Compares two sequences of numbers. */
export function compareSequences(before: Int32Array, after: Int32Array, sink: EditSink, options: SearchOptions = {}): void {
  const steps = compareInSteps(before, after, sink, options)
  while (steps.next().done !== true);
}

/** As `compareSequences`; it yields every few milliseconds. */
export function* compareInSteps(
  before: Int32Array,
  after: Int32Array,
  sink: EditSink,
  options: SearchOptions = {},
): Generator<undefined, void> {
  const { isExact = false } = options
  const search = new MiddleSearch(before, after, options)
  const open: Box[] = [{ beforeStart: 0, beforeEnd: before.length, afterStart: 0, afterEnd: after.length, isExact }]
  for (let box = open.pop(); box !== undefined; box = open.pop()) {
    let { beforeStart, beforeEnd, afterStart, afterEnd } = box
    while (beforeStart < beforeEnd && afterStart < afterEnd && before[beforeStart] === after[afterStart]) {
      beforeStart++
      afterStart++
    }
    while (beforeStart < beforeEnd && afterStart < afterEnd && before[beforeEnd - 1] === after[afterEnd - 1]) {
      beforeEnd--
      afterEnd--
    }
    if (beforeStart === beforeEnd) for (let at = afterStart; at < afterEnd; at++) sink.added(at)
    else if (afterStart === afterEnd) for (let at = beforeStart; at < beforeEnd; at++) sink.removed(at)
    else {
      const split = yield* search.find({ beforeStart, beforeEnd, afterStart, afterEnd, isExact: box.isExact })
      open.push(
        { beforeStart: split.before, beforeEnd, afterStart: split.after, afterEnd, isExact: split.isTailExact },
        { beforeStart, beforeEnd: split.before, afterStart, afterEnd: split.after, isExact: split.isHeadExact },
      )
    }
  }
}

/** Diagonal `d` contains the places where the index in `before` is `d` more than the one in `after`. */
class MiddleSearch {
  readonly #before: Int32Array
  readonly #after: Int32Array
  /** How far each diagonal has advanced in `before`, from the start and from the end. Diagonals are shifted to begin at 0. */
  readonly #forward: Int32Array
  readonly #backward: Int32Array
  readonly #shift: number
  readonly #maxEdits: number
  readonly #takesPromising: boolean
  /** Diagonals that were looked at since the last pause. */
  #looked = 0

  constructor(before: Int32Array, after: Int32Array, { leastLimit = usualLimit, takesPromising = true }: SearchOptions) {
    this.#before = before
    this.#after = after
    const diagonals = before.length + after.length + 3
    this.#forward = new Int32Array(diagonals + 1)
    this.#backward = new Int32Array(diagonals + 1)
    this.#shift = after.length + 1
    this.#maxEdits = Math.max(leastLimit, roundRoot(diagonals))
    this.#takesPromising = takesPromising
  }

  /** Where to divide a box whose first and last elements differ. */
  *find(box: Box): Generator<undefined, Split> {
    const { beforeStart, beforeEnd, afterStart, afterEnd, isExact } = box
    const [before, after, forward, backward, shift] = [this.#before, this.#after, this.#forward, this.#backward, this.#shift]
    const [lowest, highest] = [beforeStart - afterEnd, beforeEnd - afterStart]
    const [forwardMiddle, backwardMiddle] = [beforeStart - afterStart, beforeEnd - afterEnd]
    const meetsForward = ((forwardMiddle - backwardMiddle) & 1) !== 0
    let [forwardLow, forwardHigh, backwardLow, backwardHigh] = [forwardMiddle, forwardMiddle, backwardMiddle, backwardMiddle]
    forward[forwardMiddle + shift] = beforeStart
    backward[backwardMiddle + shift] = beforeEnd
    for (let edits = 1; ; edits++) {
      let hasLongRun = false
      this.#looked += edits
      if (this.#looked > diagonalsPerPause) {
        this.#looked = 0
        yield
      }
      // One more edit from the start. The range of diagonals grows to the edge of the box, then it shrinks so that the parity stays right.
      if (forwardLow > lowest) forward[--forwardLow - 1 + shift] = -1
      else forwardLow++
      if (forwardHigh < highest) forward[++forwardHigh + 1 + shift] = -1
      else forwardHigh--
      for (let diagonal = forwardHigh; diagonal >= forwardLow; diagonal -= 2) {
        const [below, above] = [forward[diagonal - 1 + shift] ?? 0, forward[diagonal + 1 + shift] ?? 0]
        const first = below >= above ? below + 1 : above
        let at = first
        while (at < beforeEnd && at - diagonal < afterEnd && before[at] === after[at - diagonal]) at++
        if (at - first > longRun) hasLongRun = true
        forward[diagonal + shift] = at
        if (meetsForward && diagonal >= backwardLow && diagonal <= backwardHigh && (backward[diagonal + shift] ?? 0) <= at)
          return { before: at, after: at - diagonal, isHeadExact: true, isTailExact: true }
      }
      // The same from the end.
      if (backwardLow > lowest) backward[--backwardLow - 1 + shift] = unreachable
      else backwardLow++
      if (backwardHigh < highest) backward[++backwardHigh + 1 + shift] = unreachable
      else backwardHigh--
      for (let diagonal = backwardHigh; diagonal >= backwardLow; diagonal -= 2) {
        const [below, above] = [backward[diagonal - 1 + shift] ?? 0, backward[diagonal + 1 + shift] ?? 0]
        const first = below < above ? below : above - 1
        let at = first
        while (at > beforeStart && at - diagonal > afterStart && before[at - 1] === after[at - diagonal - 1]) at--
        if (first - at > longRun) hasLongRun = true
        backward[diagonal + shift] = at
        if (!meetsForward && diagonal >= forwardLow && diagonal <= forwardHigh && at <= (forward[diagonal + shift] ?? 0))
          return { before: at, after: at - diagonal, isHeadExact: true, isTailExact: true }
      }
      if (isExact) continue
      if (this.#takesPromising && hasLongRun && edits > promisingFrom) {
        const split =
          this.#promisingForward(box, edits, forwardLow, forwardHigh, forwardMiddle) ??
          this.#promisingBackward(box, edits, backwardLow, backwardHigh, backwardMiddle)
        if (split !== undefined) return split
      }
      if (edits >= this.#maxEdits) return this.#furthest(box, forwardLow, forwardHigh, backwardLow, backwardHigh)
    }
  }

  #promisingForward(box: Box, edits: number, low: number, high: number, middle: number): Split | undefined {
    let bestProgress = progressPerEdit * edits
    let split: Split | undefined
    for (let diagonal = high; diagonal >= low; diagonal -= 2) {
      const at = this.#forward[diagonal + this.#shift] ?? 0
      const other = at - diagonal
      const progress = at - box.beforeStart + (other - box.afterStart) - Math.abs(diagonal - middle)
      if (progress <= bestProgress) continue
      if (at < box.beforeStart + longRun || at >= box.beforeEnd || other < box.afterStart + longRun || other >= box.afterEnd)
        continue
      if (!this.#isRun(at - longRun, other - longRun)) continue
      bestProgress = progress
      split = { before: at, after: other, isHeadExact: true, isTailExact: false }
    }
    return split
  }

  #promisingBackward(box: Box, edits: number, low: number, high: number, middle: number): Split | undefined {
    let bestProgress = progressPerEdit * edits
    let split: Split | undefined
    for (let diagonal = high; diagonal >= low; diagonal -= 2) {
      const at = this.#backward[diagonal + this.#shift] ?? 0
      const other = at - diagonal
      const progress = box.beforeEnd - at + (box.afterEnd - other) - Math.abs(diagonal - middle)
      if (progress <= bestProgress) continue
      if (at <= box.beforeStart || at > box.beforeEnd - longRun || other <= box.afterStart || other > box.afterEnd - longRun)
        continue
      if (!this.#isRun(at, other)) continue
      bestProgress = progress
      split = { before: at, after: other, isHeadExact: false, isTailExact: true }
    }
    return split
  }

  #isRun(at: number, other: number): boolean {
    for (let step = 0; step < longRun; step++) if (this.#before[at + step] !== this.#after[other + step]) return false
    return true
  }

  /** The place that has advanced furthest from either end. */
  #furthest(box: Box, forwardLow: number, forwardHigh: number, backwardLow: number, backwardHigh: number): Split {
    let [forwardBest, forwardSum] = [-1, -1]
    for (let diagonal = forwardHigh; diagonal >= forwardLow; diagonal -= 2) {
      const inBox = Math.min(this.#forward[diagonal + this.#shift] ?? 0, box.beforeEnd)
      const at = inBox - diagonal > box.afterEnd ? box.afterEnd + diagonal : inBox
      if (at + at - diagonal > forwardSum) [forwardBest, forwardSum] = [at, at + at - diagonal]
    }
    let [backwardBest, backwardSum] = [unreachable, unreachable]
    for (let diagonal = backwardHigh; diagonal >= backwardLow; diagonal -= 2) {
      const inBox = Math.max(this.#backward[diagonal + this.#shift] ?? 0, box.beforeStart)
      const at = inBox - diagonal < box.afterStart ? box.afterStart + diagonal : inBox
      if (at + at - diagonal < backwardSum) [backwardBest, backwardSum] = [at, at + at - diagonal]
    }
    if (box.beforeEnd + box.afterEnd - backwardSum < forwardSum - (box.beforeStart + box.afterStart))
      return { before: forwardBest, after: forwardSum - forwardBest, isHeadExact: true, isTailExact: false }
    return { before: backwardBest, after: backwardSum - backwardBest, isHeadExact: false, isTailExact: true }
  }
}
