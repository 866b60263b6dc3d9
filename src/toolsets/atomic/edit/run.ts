// Reads the script, finds its files, and joins parallel calls that edit the same snapshot.

import { ToolError } from '../../../core/errors.ts'
import type { Session } from '../../../session/session.ts'
import type { ToolCall, ToolOutcome } from '../../../session/tool.ts'
import type { HashlineScript } from '../../../text/hashline/parse.ts'
import { parseScript } from '../../../text/hashline/parse.ts'
import { commitCalls, type EditCall } from './commit.ts'
import type { NoOpCounts } from './no-op.ts'
import { CallsAtOnce } from './at-once.ts'
import { resolveTargets } from './plan.ts'
import type { EditSettings } from './settings.ts'
import { CallGroups } from './together.ts'

/** State that all edits of one session share. */
export interface EditState {
  readonly settings: EditSettings
  readonly noOpCounts: NoOpCounts
  readonly groups: CallGroups<EditCall, ToolOutcome>
  readonly atOnce: CallsAtOnce
}

export function createEditState(settings: EditSettings): EditState {
  return { settings, noOpCounts: new Map(), groups: new CallGroups(), atOnce: new CallsAtOnce() }
}

export async function runEdit(
  args: { input: string },
  { session, signal, isPreview = false }: ToolCall,
  state: EditState,
): Promise<ToolOutcome> {
  // A preview runs alone: it must not join or delay calls that write.
  const own = isPreview ? createEditState(state.settings) : state
  return own.atOnce.during(
    async () => {
      const script = await parsed(args.input, session)
      return { script, targets: await resolveTargets(session, script) }
    },
    ({ script, targets }) => {
      const paths = targets.map(({ file }) => file.path)
      const key = targets
        .map(({ file, section }) => `${section.tag}${file.path}`)
        .sort()
        .join('\0')
      return own.groups.join(
        key,
        { session, script, targets, signal },
        // One sorted set of real paths, so that two calls that name files differently never wait for each other.
        (abandoned, work) => session.locks.hold(paths, abandoned, work),
        (calls, anyAborted) => commitCalls(calls, own, anyAborted),
      )
    },
  )
}

async function parsed(input: string, session: Session): Promise<HashlineScript> {
  try {
    return parseScript(input)
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'edit-foreign-syntax') throw error
    const { withFilledForm } = await import('./filled-form.ts')
    throw await withFilledForm(error, input, session)
  }
}
