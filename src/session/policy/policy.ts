// What a host lets an agent do, read once when a workspace opens. Levels and approvals are enforced where every tool call begins
// (session/toolset.ts) and where its effects leave the session (approve.ts). `protect` is enforced below the tools (protect.ts). Rules
// about paths are enforced both where a call names a path and below the tools (ruled-session.ts).

import { AnchorageError } from '../../core/errors.ts'
import type { ToolAnnotations } from '../../core/tool.ts'
import type { Approve } from './approve.ts'
import { noRules, type PolicyRule, type RuleSet } from './rule.ts'
import type { RulePlace } from './rules.ts'

/** `ask` lets reading tools run, and asks `approve` about every effect of the others. */
export type PermissionLevel = 'none' | 'read' | 'ask' | 'write'

/** What a host decides for every toolset of a workspace. */
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
   * `review`: every command runs in a fork of the files. Afterwards `approve` is asked with what the command changed, and a yes merges that;
   * a command that changes nothing is not asked about. Default `run`: on the files themselves. Refused with a shell that works on other files.
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

/** The level that a tool needs. */
export type RequiredLevel = 'read' | 'write'

const levels: readonly PermissionLevel[] = ['none', 'read', 'ask', 'write']
const knownNames: readonly string[] = ['level', 'protect', 'rules', 'approve', 'generatedGuard', 'bash']

/** Throws `AnchorageError` `workspace-options` for an invalid policy: one with a typing error must not seem to protect. */
export async function openPolicy(policy: Policy = {}, place: RulePlace): Promise<SessionPolicy> {
  const checked = readPolicy(policy)
  if (policy.rules === undefined) return checked
  const { compileRules } = await import('./rules.ts')
  return { ...checked, rules: compileRules(policy.rules, place) }
}

/** Reads everything but the rules. */
export function readPolicy(policy: Policy = {}): SessionPolicy {
  for (const name of Object.keys(policy)) {
    if (!knownNames.includes(name)) {
      throw wrongPolicy(`"${name}" is not an option of a policy. Options: ${knownNames.join(', ')}.`)
    }
  }
  const { level = 'write', protect = [], approve, generatedGuard = true, bash = 'run' } = policy
  if (!levels.includes(level)) throw wrongPolicy(`level must be one of ${levels.join(', ')}, not ${JSON.stringify(level)}.`)
  if (!Array.isArray(protect) || !protect.every(path => typeof path === 'string' && path !== '' && !path.includes('\0'))) {
    throw wrongPolicy('protect must be a list of non-empty paths.')
  }
  if (approve !== undefined && typeof approve !== 'function') throw wrongPolicy('approve must be a function.')
  if (typeof generatedGuard !== 'boolean') throw wrongPolicy('generatedGuard must be true or false.')
  if (bash !== 'run' && bash !== 'review') throw wrongPolicy("bash must be 'run' or 'review'.")
  return { level, protect: [...protect], rules: noRules, approve, generatedGuard, bash }
}

export type Permission = 'allowed' | 'ask' | 'denied'

/** The truth table of levels. */
export function permissionFor(level: PermissionLevel, required: RequiredLevel): Permission {
  if (level === 'write') return 'allowed'
  if (level === 'none') return 'denied'
  if (required === 'read') return 'allowed'
  return level === 'ask' ? 'ask' : 'denied'
}

/** A tool with `readOnlyHint` needs `read`; every other one needs `write`, also one that declares nothing. */
export function requiredLevel({ readOnlyHint }: ToolAnnotations): RequiredLevel {
  return readOnlyHint ? 'read' : 'write'
}

function wrongPolicy(reason: string): AnchorageError {
  return new AnchorageError('workspace-options', `policy: ${reason}`)
}
