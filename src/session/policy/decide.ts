// The only module that decides about a call: by the first matching rule, or otherwise by the level.

import { ToolError } from '../../core/errors.ts'
import { displayPath, type VfsPath } from '../../core/path.ts'
import { permissionFor, type Permission, type RequiredLevel, type SessionPolicy } from './policy.ts'
import type { PolicyRule } from './rule.ts'

/** The properties of a tool that a policy uses. */
export interface JudgedTool {
  /** The tool's original name, even if the toolset renames it. */
  readonly name: string
  /** Another tool whose effects are included. The stricter of both decisions applies. */
  readonly alsoAs?: string | undefined
  readonly required: RequiredLevel
}

export interface Decision {
  readonly permission: Permission
  /** The rule that decided, or `undefined` if the level did. */
  readonly rule: PolicyRule | undefined
}

const permissionOfAction: Readonly<Record<PolicyRule['action'], Permission>> = { allow: 'allowed', ask: 'ask', deny: 'denied' }

const strictness: Readonly<Record<Permission, number>> = { allowed: 0, ask: 1, denied: 2 }

/** Decides about `tool` accessing `place`, or without a place about the call as a whole. */
export function decide({ level, rules }: SessionPolicy, tool: JudgedTool, place?: VfsPath): Decision {
  const decisionAs = (name: string): Decision => {
    const rule = rules.find(name, place)
    return { permission: rule === undefined ? permissionFor(level, tool.required) : permissionOfAction[rule.action], rule }
  }
  const own = decisionAs(tool.name)
  if (tool.alsoAs === undefined) return own
  const other = decisionAs(tool.alsoAs)
  return strictness[other.permission] > strictness[own.permission] ? other : own
}

/** Whether every call of `tool` would be denied, for all paths. */
export function isDeniedAlways(policy: SessionPolicy, { alsoAs, ...tool }: JudgedTool): boolean {
  if (alsoAs !== undefined && isDeniedAlways(policy, { ...tool, name: alsoAs })) return true
  if (decide(policy, tool).permission !== 'denied') return false
  return policy.rules.reachable(tool.name).every(({ action }) => action === 'deny')
}

/**
 * The rule that forbids commands to open `place`. A rule that asks also forbids, because a command cannot wait for an answer
 * about each file.
 */
export function closedToCommands({ rules }: SessionPolicy, place: VfsPath): PolicyRule | undefined {
  const rule = rules.find(shellToolName, place)
  return rule?.path === undefined || rule.action === 'allow' ? undefined : rule
}

/** The tool name for which rules apply to commands, regardless of which tool runs the command. */
const shellToolName = 'bash'

export function hasRulesForCommands({ rules }: SessionPolicy): boolean {
  return rules.reachable(shellToolName).some(({ path, action }) => path !== undefined && action !== 'allow')
}

export interface Denied {
  /** The name that the model uses. */
  readonly shownName: string
  readonly tool: JudgedTool
  readonly decision: Decision
  readonly policy: SessionPolicy
  readonly root: VfsPath
  readonly place?: VfsPath | undefined
}

/** `permission-denied`, with the rule's reason, or with the missing level. */
export function deniedError({ shownName, tool, decision, policy, root, place }: Denied): ToolError {
  const path = place === undefined ? undefined : displayPath(place, root)
  const where = path === undefined ? '' : ` on ${path}`
  const details = { required: tool.required, level: policy.level, ...(path === undefined ? {} : { path }) }
  if (decision.rule === undefined) {
    return new ToolError(
      'permission-denied',
      `${shownName} needs the permission level \`${tool.required}\`${where}; the current level is \`${policy.level}\`. Nothing was done.`,
      { nextStep: 'Ask the user to raise the level.', details },
    )
  }
  const { reason } = decision.rule
  return new ToolError(
    'permission-denied',
    `The policy does not allow ${shownName}${where}${reason === undefined ? '' : `: ${reason.replace(/[.\s]+$/, '')}`}. Nothing was done.`,
    {
      nextStep: 'Continue without it, or ask the user to change the policy; do not try the same in another way.',
      details: { ...details, ...(reason === undefined ? {} : { reason }) },
    },
  )
}
