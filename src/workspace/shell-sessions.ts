// Sessions of the workspace's shell: their actor, and the origin under which each command changes the files.

import { checkActor, type Actor } from '../core/actor.ts'
import { checkArguments, checkedFunctions, type ArgumentKind } from '../core/argument.ts'
import { AnchorageError } from '../core/errors.ts'
import { parsePath } from '../core/path.ts'
import { noRules } from '../session/policy/rule.ts'
import type { WorkspaceScope } from '../session/workspace-scope.ts'
import type { ShellSession } from '../shell/session.ts'
import { originOf } from '../vfs/origin.ts'
import type { OpenShellOptions } from './workspace.ts'

const names = ['actor', 'cwd', 'env', 'columns', 'rows']
/** `resize` and `kill` take any value that a terminal gives. */
type CheckedFunctions = Pick<ShellSession, 'run' | 'write' | 'complete' | 'isIncomplete'>

const sessionArguments: { readonly [K in keyof CheckedFunctions]: readonly ArgumentKind[] } = {
  run: ['text', ['signal']],
  write: ['data'],
  complete: ['text', 'number'],
  isIncomplete: ['text'],
}

const maxSide = 10_000

/** How many sessions each workspace has had, so that their names are unique in it. */
const counts = new WeakMap<WorkspaceScope, number>()

export async function openShellSession(scope: WorkspaceScope, options: OpenShellOptions): Promise<ShellSession> {
  checkArguments('shell.open', [options], [names])
  const count = (counts.get(scope) ?? 0) + 1
  counts.set(scope, count)
  const id = `t${count}`
  const { actor = { kind: 'person' }, cwd = scope.root, env, columns, rows } = options
  checkSides(options)
  checkActor(actor)
  refuseAgent(actor, scope)
  const access = await scope.shellAccess()
  if (access.kind === 'none')
    throw new AnchorageError('no-shell', 'This workspace has no shell. Next: create it with one, such as shell: "just-bash".')
  const shell = await access.open()
  if (shell.openSession === undefined) {
    throw new AnchorageError(
      'no-sessions',
      `This shell (${shell.capabilities.dialect}) has no sessions: it runs single commands only. Next: use the bash tool, or another shell.`,
    )
  }
  const directory = parsePath(cwd, scope.root)
  let commands = 0
  const origin = (): string => originOf({ actor, session: id, callId: `${id}.${++commands}` }, 'command')
  const session = await shell.openSession(id, { cwd: directory, env, columns, rows, origin })
  return Object.assign(session, checkedFunctions<CheckedFunctions>('session', session, sessionArguments))
}

function checkSides(options: OpenShellOptions): void {
  for (const name of ['columns', 'rows'] as const) {
    const side = options[name]
    if (side !== undefined && !(Number.isInteger(side) && side > 0 && side <= maxSide))
      throw new AnchorageError('workspace-options', `shell.open: ${name} must be a whole number from 1 to ${maxSide}.`)
  }
}

/** A person's own commands need no approval. An agent's may need it by the policy, and a session cannot request approval. */
function refuseAgent({ kind }: Actor, { policy }: WorkspaceScope): void {
  if (kind !== 'agent' || (policy.level === 'write' && policy.rules === noRules)) return
  throw new AnchorageError(
    'policy-refused',
    'The policy judges the commands of agents one by one, and a session cannot. Next: use the bash tool, or open the session for a person.',
  )
}
