// The policy of one toolset. Most toolsets have no separate policy, so this is loaded on demand.

import { AnchorageError } from '../core/errors.ts'
import { hasRulesForCommands } from '../session/policy/decide.ts'
import { openPolicy, type Policy, type SessionPolicy } from '../session/policy/policy.ts'
import type { WorkspaceScope } from '../session/workspace-scope.ts'

/** A toolset's policy, combined with the workspace's. */
export async function toolsetPolicy(given: Policy, { policy, root, caseSensitive }: WorkspaceScope): Promise<SessionPolicy> {
  const own = await openPolicy(given, { root, caseSensitive })
  const wrong = own.protect.length > 0 ? 'protect' : hasRulesForCommands(own) ? 'a rule about the paths of commands' : undefined
  if (wrong !== undefined) {
    throw new AnchorageError(
      'toolset-options',
      `policy: ${wrong} holds for a whole workspace, because all its toolsets share one shell. Next: put it into the policy of the workspace.`,
    )
  }
  return {
    ...own,
    protect: policy.protect,
    approve: given.approve ?? policy.approve,
    generatedGuard: given.generatedGuard ?? policy.generatedGuard,
    bash: given.bash ?? policy.bash,
  }
}
