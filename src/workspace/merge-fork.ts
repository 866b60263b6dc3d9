// Merging a fork in two steps, so that a review may take its time: the files may change meanwhile, in this thread and across a worker.

import { checkArguments } from '../core/argument.ts'
import { AnchorageError } from '../core/errors.ts'
import type { ForkPlan } from '../history/files-fork.ts'
import type { MergeOptions, MergeResult } from './fork.ts'

/** The two steps of a merge. */
export interface ForkSteps {
  plan(): Promise<ForkPlan>
  commit(id: number): Promise<'done' | 'moved'>
}

const maxAttempts = 100

export async function mergeFork(
  steps: ForkSteps,
  { review, onConflict = 'leave' }: MergeOptions = {},
): Promise<MergeResult | 'busy'> {
  let allowed: string | undefined
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const planned = await steps.plan()
    const { id, applied, merged, conflicts } = planned
    const nothing = { applied: [], merged: [], conflicts } as const
    if (conflicts.length > 0 && onConflict === 'refuse') return { outcome: 'conflict', ...nothing }
    const effect = effectOf(planned)
    if (review !== undefined && effect !== allowed && planned.changes.length > 0) {
      const verdict = await review(planned)
      if (verdict !== 'allow') {
        const reason = typeof verdict === 'object' && typeof verdict.deny === 'string' ? { reason: verdict.deny } : {}
        return { outcome: 'denied', ...nothing, ...reason }
      }
      allowed = effect
    }
    if ((await steps.commit(id)) === 'done') return { outcome: 'merged', applied, merged, conflicts }
  }
  return 'busy'
}

/**
 * Two plans with the same effect need only one review. If the text outside of the fork changes, a merged text changes too, and so
 * does the effect.
 */
function effectOf({ id: _id, ...effect }: ForkPlan): string {
  return JSON.stringify(effect)
}

/** Throws `fork-busy`. */
export async function merged(steps: ForkSteps, options: MergeOptions | undefined): Promise<MergeResult> {
  checkArguments('fork.merge', [options], [['review', 'onConflict']])
  const result = await mergeFork(steps, options)
  if (result !== 'busy') return result
  throw new AnchorageError('fork-busy', 'The files kept changing, so nothing was merged. Next: try again later.')
}
