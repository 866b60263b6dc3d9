// A run of changed lines can slide if the line that it gains equals the line that it loses. Each run is moved to the place where git puts
// it: joined with runs that it touches, aligned with a run of the other file if there is one, otherwise where it reads best.

import { comparePlaces, scorePlace, type PlaceScore } from './indent.ts'
import type { LineTable } from './lines.ts'

/** The maximum number of places that are compared for one run. */
const maxPlaces = 100

/** One file's part of a comparison. `changed` is 1 for each line that the other file does not have. */
export interface Side {
  readonly table: LineTable
  readonly classes: Int32Array
  readonly changed: Uint8Array
}

/** Moves the runs of `side` in place. `other` is only read. `prefersIndent` is git's indent heuristic. */
export function slideRuns(side: Side, other: Side, prefersIndent: boolean): void {
  const run = new Run(side)
  const opposite = new Run(other)
  do {
    if (run.end > run.start) settle(run, opposite, side.table, prefersIndent)
  } while (run.next() && opposite.next())
}

function settle(run: Run, opposite: Run, table: LineTable, prefersIndent: boolean): void {
  // Joining with a neighbour makes a longer run, which may slide further than its parts could.
  let [size, topEnd, levelEnd] = [0, 0, -1]
  do {
    size = run.end - run.start
    while (run.slideUp()) opposite.previous()
    topEnd = run.end
    levelEnd = opposite.end > opposite.start ? run.end : -1
    while (run.slideDown()) {
      opposite.next()
      if (opposite.end > opposite.start) levelEnd = run.end
    }
  } while (size !== run.end - run.start)
  if (run.end === topEnd) return
  let wanted = run.end
  if (levelEnd !== -1) wanted = levelEnd
  else if (prefersIndent) wanted = bestEnd(table, size, topEnd, run.end)
  while (run.end > wanted) {
    run.slideUp()
    opposite.previous()
  }
}

/** The end of the best place; of equally good ones the lowest. A run has at most one more place than it has lines. */
function bestEnd(table: LineTable, size: number, topEnd: number, bottomEnd: number): number {
  let best: { readonly end: number; readonly score: PlaceScore } | undefined
  for (let end = Math.max(topEnd, bottomEnd - size - 1, bottomEnd - maxPlaces); end <= bottomEnd; end++) {
    const score = scorePlace(table, end - size, end)
    if (best === undefined || comparePlaces(score, best.score) <= 0) best = { end, score }
  }
  return best?.end ?? bottomEnd
}

/** A run of changed lines, from `start` to `end` (exclusive). An empty one is between two unchanged lines, or at an end of the file. */
class Run {
  start = 0
  end = 0
  readonly #classes: Int32Array
  readonly #changed: Uint8Array
  readonly #count: number

  constructor({ classes, changed, table }: Side) {
    this.#classes = classes
    this.#changed = changed
    this.#count = table.count
    this.#growDown()
  }

  /** Continues after the next unchanged line. False at the end of the file. */
  next(): boolean {
    if (this.end === this.#count) return false
    this.start = this.end = this.end + 1
    this.#growDown()
    return true
  }

  previous(): boolean {
    if (this.start === 0) return false
    this.end = this.start = this.start - 1
    this.#growUp()
    return true
  }

  /** Moves by one line and includes the runs that it then touches. False if the lines differ. */
  slideDown(): boolean {
    if (this.end >= this.#count || this.#classes[this.start] !== this.#classes[this.end]) return false
    this.#changed[this.start++] = 0
    this.#changed[this.end++] = 1
    this.#growDown()
    return true
  }

  slideUp(): boolean {
    if (this.start <= 0 || this.#classes[this.start - 1] !== this.#classes[this.end - 1]) return false
    this.#changed[--this.start] = 1
    this.#changed[--this.end] = 0
    this.#growUp()
    return true
  }

  #growDown(): void {
    while (this.#changed[this.end] === 1) this.end++
  }

  #growUp(): void {
    while (this.start > 0 && this.#changed[this.start - 1] === 1) this.start--
  }
}
