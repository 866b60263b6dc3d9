// The policy of a host for its agents, read once when a workspace opens. Levels and approvals are enforced at the start of each
// call (session/toolset.ts) and where its effects leave the session (approve.ts). `protect` is enforced below the tools
// (protect.ts). Rules about paths are enforced both where a call names a path and below the tools (ruled-session.ts).

import { AnchorageError } from '../../core/errors.ts'
import type { ToolAnnotations } from '../../core/tool.ts'
import type { Approve } from './approve.ts'
import { noRules, type PolicyRule, type RuleSet } from './rule.ts'
import type { RulePlace } from './rules.ts'

/** `ask` runs reading tools, and calls `approve` for each effect of the others. */
export type PermissionLevel = 'none' | 'read' | 'ask' | 'write'

/** The policy of a host for all toolsets of a workspace. */
export interface Policy {
  /** Default `write`. */
  readonly level?: PermissionLevel | undefined
  /**
   * Directories or files, relative to the root or absolute, that no tool and no command may change; they need not exist. The host's
   * `workspace.fs` is not restricted. A shell that is passed as an object, and not as a factory, would bypass this, so it is refused.
   */
  readonly protect?: readonly string[] | undefined
  /**
   * What is allowed, asked about or denied, by tool and by path. The first matching rule decides, otherwise the level. If a path is denied,
   * the whole call is refused before anything is written; listings and searches leave the path out and say so. For commands, rules decide
   * by tool. Paths that a rule for `bash` denies or asks about are inaccessible to every command, for reading too.
   */
  readonly rules?: readonly PolicyRule[] | undefined
  /** Called at level `ask` and by rules. Without it every such effect is refused. */
  readonly approve?: Approve | undefined
  /**
   * `review`: every command runs in a fork of the files. Afterwards `approve` is called with the changes, and an approval merges
   * them. A command without changes causes no question. Default `run`: commands work on the files directly. `review` is refused
   * with a shell that works on other files.
   */
  readonly bash?: 'run' | 'review' | undefined
  /** Whether atomic's `write` refuses to replace a file that says it is generated. Default true. */
  readonly generatedGuard?: boolean | undefined
}

/** A policy with all defaults filled in. */
export interface SessionPolicy {
  readonly level: PermissionLevel
  readonly protect: readonly string[]
  readonly rules: RuleSet
  readonly approve: Approve | undefined
  readonly generatedGuard: boolean
  readonly bash: 'run' | 'review'
}

/** The level that a tool requires. */
export type RequiredLevel = 'read' | 'write'

const levels: readonly PermissionLevel[] = ['none', 'read', 'ask', 'write']
const knownNames: readonly string[] = ['level', 'protect', 'rules', 'approve', 'generatedGuard', 'bash']

/**
 * Throws `AnchorageError` `workspace-options` for an invalid policy. A policy with a typing error must not be accepted, because
 * it would not protect.
 */
export async function openPolicy(policy: Policy = {}, place: RulePlace): Promise<SessionPolicy> {
  const checked = readPolicy(policy)
  if (policy.rules === undefined) return checked
  const { compileRules } = await import('./rules.ts')
  return { ...checked, rules: compileRules(policy.rules, place) }
}

/** Reads all options except the rules. */
export function readPolicy(policy: Policy = {}): SessionPolicy {
  for (const name of Object.keys(policy)) {
    if (!knownNames.includes(name))
      throw wrongPolicy(`"${name}" is not an option of a policy. Options: ${knownNames.join(', ')}.`)
  }
  const { level = 'write', protect = [], approve, generatedGuard = true, bash = 'run' } = policy
  if (!levels.includes(level)) throw wrongPolicy(`level must be one of ${levels.join(', ')}, not ${JSON.stringify(level)}.`)
  if (!Array.isArray(protect) || !protect.every(path => typeof path === 'string' && path !== '' && !path.includes('\0')))
    throw wrongPolicy('protect must be a list of non-empty paths.')
  if (approve !== undefined && typeof approve !== 'function') throw wrongPolicy('approve must be a function.')
  if (typeof generatedGuard !== 'boolean') throw wrongPolicy('generatedGuard must be true or false.')
  if (bash !== 'run' && bash !== 'review') throw wrongPolicy("bash must be 'run' or 'review'.")
  return { level, protect: [...protect], rules: noRules, approve, generatedGuard, bash }
}

export type Permission = 'allowed' | 'ask' | 'denied'

/** The decision for each level and permission. */
export function permissionFor(level: PermissionLevel, required: RequiredLevel): Permission {
  if (level === 'write') return 'allowed'
  if (level === 'none') return 'denied'
  if (required === 'read') return 'allowed'
  return level === 'ask' ? 'ask' : 'denied'
}

/** A tool with `readOnlyHint` requires `read`. Every other tool requires `write`, even if it declares nothing. */
export function requiredLevel({ readOnlyHint }: ToolAnnotations): RequiredLevel {
  return readOnlyHint ? 'read' : 'write'
}

function wrongPolicy(reason: string): AnchorageError {
  return new AnchorageError('workspace-options', `policy: ${reason}`)
}
