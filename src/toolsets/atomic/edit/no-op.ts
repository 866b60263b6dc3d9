// Edits that change nothing. The answer says so, because the model expects a change, and a loop of them is stopped.

import { ToolError } from '../../../core/errors.ts'
import { fullHash } from '../../../core/hash.ts'
import { textContent, type ToolOutcome } from '../../../session/tool.ts'
import type { PlannedSection } from './plan.ts'

/** The same edit without effect is answered twice and refused from then on, because the model repeats itself. */
const maxRepeatedNoOps = 2

/** How often a session has sent an edit that changes nothing, by file and content. */
export type NoOpCounts = Map<string, number>

/** Throws `ToolError` `edit-repeated-no-op` from the third time on. */
export function reportNoOp(sections: readonly PlannedSection[], counts: NoOpCounts): ToolOutcome {
  const key = sections.map(({ file, loaded }) => `${file.path}\0${fullHash(loaded.text)}`).join('\0')
  const count = (counts.get(key) ?? 0) + 1
  counts.set(key, count)
  const paths = sections.map(({ file }) => file.display)
  const message = `${sections.map(describeNoOp).join('\n')}\nNothing was written.`
  if (count > maxRepeatedNoOps) {
    throw new ToolError('edit-repeated-no-op', `${message} Edits that change nothing here were sent ${count} times.`, {
      nextStep:
        'Stop repeating it. The text is already as you want it, or the change belongs on other lines: read the file again.',
      details: { count, paths },
    })
  }
  const again = count > 1 ? ` (Same edit again: ${count} times.)` : ''
  const isDone = sections.every(section => section.kind === 'already-applied')
  const next = isDone ? '' : '\nIf you meant another change, read the file again and check the line numbers.'
  return {
    content: textContent(`${message}${next}${again}`),
    details: {
      diff: '',
      patch: '',
      firstChangedLine: undefined,
      noOpCount: count,
      files: [],
      alreadyApplied: sections.flatMap(({ kind, file }) => (kind === 'already-applied' ? [file.display] : [])),
    },
  }
}

/**
 * One section has no effect and others have one: either its lines are wrong or its text is, and the other sections may have the same
 * mistake. The whole call is refused, because a call commits all of its files or none. Operations without effect in a section that has one
 * are named in a warning instead.
 */
export function refuseMixedNoOp(unchanged: readonly PlannedSection[], sectionCount: number): ToolError {
  const paths = unchanged.map(({ file }) => file.display)
  return new ToolError(
    'edit-section-no-op',
    `${unchanged.length} of ${sectionCount} sections would change nothing: ${paths.join(', ')}. Nothing was written, in any file.`,
    {
      nextStep: 'Leave that section out, or correct its lines, and send the script again.',
      details: { paths },
    },
  )
}

export function describeNoOp({ kind, file }: PlannedSection): string {
  return kind === 'already-applied'
    ? `${file.display} changed since you saw it, and already holds this change.`
    : `The new lines for ${file.display} are the same as its present lines.`
}
