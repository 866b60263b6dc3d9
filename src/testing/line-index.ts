// IDs of lines without pauses.

import { indexSteps, type IndexedLine } from '../text/line-ids/line-index.ts'

/** IDs for lines without earlier IDs. */
export function indexLines(lines: readonly string[]): readonly IndexedLine[] {
  return reconcileLines([], lines)
}

/** IDs for `lines`, which were the lines of `before` earlier. */
export function reconcileLines(before: readonly IndexedLine[], lines: readonly string[]): readonly IndexedLine[] {
  const steps = indexSteps(before, lines)
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value
}
