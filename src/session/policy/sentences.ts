// The part of a tool's description about the policy. It is generated from the policy itself, so that it lists exactly the
// restrictions that are enforced.

import type { AnyTool } from '../tool.ts'
import { permissionFor, requiredLevel, type SessionPolicy } from './policy.ts'
import type { PolicyRule } from './rule.ts'

/** The number of rules that a description lists. The number of further rules is given. */
const maxListedRules = 20

export function policySentences(
  policy: SessionPolicy,
  tool: Pick<AnyTool, 'name' | 'annotations' | 'isSessionOnly'>,
): readonly string[] {
  const required = requiredLevel(tool.annotations)
  const rules = policy.rules.reachable(tool.name)
  const sentences: string[] = []
  if (rules.length > 0) sentences.push(ruleSentence(rules))
  const isDecided = rules.at(-1)?.path === undefined && rules.length > 0
  if (!isDecided) sentences.push(...levelSentence(policy, required, rules.length > 0))
  if (required === 'write' && policy.protect.length > 0)
    sentences.push(`Protected, so that nothing can be changed there: ${policy.protect.join(', ')}.`)
  return sentences
}

function levelSentence({ level }: SessionPolicy, required: 'read' | 'write', isRest: boolean): readonly string[] {
  const what = isRest ? 'Everything else' : 'Every call'
  switch (permissionFor(level, required)) {
    case 'allowed':
      return []
    case 'ask':
      return [`${what}: the user is shown what would change and may refuse it.`]
    case 'denied':
      return [`${what} is refused: it needs the permission level \`${required}\`, and the current level is \`${level}\`.`]
  }
}

const verbs: Readonly<Record<PolicyRule['action'], string>> = { allow: 'allowed', ask: 'the user is asked', deny: 'refused' }

function ruleSentence(rules: readonly PolicyRule[]): string {
  const listed = rules.slice(0, maxListedRules).map(({ path, action, reason }) => {
    const globs = path === undefined ? 'everything else' : typeof path === 'string' ? path : path.join(', ')
    return `${globs}: ${verbs[action]}${reason === undefined ? '' : ` (${reason.replaceAll(/\s+/g, ' ').trim()})`}`
  })
  const more = rules.length - listed.length
  if (more > 0) listed.push(`and ${more} more`)
  return `Policy (the first match applies): ${listed.join('; ')}.`
}
