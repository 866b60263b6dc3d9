// Reads the script, finds its files, and joins the calls that were sent beside it about the same snapshot.

import type { ToolCall, ToolOutcome } from '../../../session/tool.ts'
import { parseScript } from '../../../text/hashline/parse.ts'
import { commitCalls, type EditCall } from './commit.ts'
import type { NoOpCounts } from './no-op.ts'
import { resolveTargets } from './plan.ts'
import type { EditSettings } from './settings.ts'
import { CallGroups } from './together.ts'

/** What the edits of one session have in common. */
export interface EditState {
  readonly settings: EditSettings
  readonly noOpCounts: NoOpCounts
  readonly groups: CallGroups<EditCall, ToolOutcome>
}

export function createEditState(settings: EditSettings): EditState {
  return { settings, noOpCounts: new Map(), groups: new CallGroups() }
}

export async function runEdit(
  args: { input: string },
  { session, signal, isPreview = false }: ToolCall,
  state: EditState,
): Promise<ToolOutcome> {
  const script = parseScript(args.input)
  const targets = await resolveTargets(session, script)
  const paths = targets.map(({ file }) => file.path)
  const key = targets
    .map(({ file, section }) => `${section.tag}${file.path}`)
    .sort()
    .join('\0')
  // A preview stands for itself, and must not lead or count among calls that write.
  if (isPreview) state = createEditState(state.settings)
  return state.groups.join(
    key,
    { session, script, targets, signal },
    // One sorted set of real paths, so that two names of one file can never wait for each other.
    (abandoned, work) => session.locks.hold(paths, abandoned, work),
    (calls, anyAborted) => commitCalls(calls, state, anyAborted),
  )
}
