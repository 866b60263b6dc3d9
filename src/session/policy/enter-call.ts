// The first step of every call. A call that the policy always denies ends here. Other calls continue with a session that asks
// about their effects or refuses them.

import type { Session } from '../session.ts'
import type { AnyTool } from '../tool.ts'
import type { ApprovedCall } from './approve.ts'
import { decide, deniedError, isDeniedAlways, type JudgedTool } from './decide.ts'
import { requiredLevel } from './policy.ts'

export interface EnteredCall {
  readonly session: Session
  /** Asks the questions that must be answered before the call has an effect. Call it after the arguments have been validated. */
  readonly begin: () => Promise<void>
  /** The number of entries that the policy has left out of listings so far. */
  readonly withheld: () => number
}

const nothing = (): number => 0

/** Throws `ToolError` `permission-denied`. */
export async function enterCall(session: Session, tool: AnyTool, call: ApprovedCall): Promise<EnteredCall> {
  const { policy, root } = session
  const judged: JudgedTool = { name: tool.name, alsoAs: tool.judgedAs, required: requiredLevel(tool.annotations) }
  const decision = decide(policy, judged)
  const isSessionOnly = tool.isSessionOnly === true
  if (isDeniedAlways(policy, judged) || (isSessionOnly && decision.permission === 'denied'))
    throw deniedError({ shownName: call.tool, tool: judged, decision, policy, root })
  const begin = async (): Promise<void> => {
    if (!isSessionOnly || decision.permission !== 'ask') return
    const { alwaysAsk, createAsk } = await import('./approve.ts')
    await createAsk(call, alwaysAsk)(undefined, () => ({ kind: 'call' }))
  }
  if (isSessionOnly) return { session, begin, withheld: nothing }
  if (policy.rules.rules.length > 0) {
    const { ruledSession } = await import('./ruled-session.ts')
    return { ...(await ruledSession(session, { ...call, judged })), begin }
  }
  if (decision.permission !== 'ask') return { session, begin, withheld: nothing }
  const { alwaysAsk, askingSession, createAsk } = await import('./approve.ts')
  return { session: askingSession(session, createAsk(call, alwaysAsk)), begin, withheld: nothing }
}
