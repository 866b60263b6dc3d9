// The stand-in's shell. just-bash runs the scripts. Before that, everything is refused that jsh is known or suspected not to support, with
// jsh's messages. It is stricter than the reports about the service, so that no test passes by luck.

import { Bash } from 'just-bash/browser'
import { field } from './files.ts'

/** Kinds of syntax that are refused, by their names in the syntax tree. Source: stackblitz/webcontainer-core#1608, #1519, #1079. */
const refusedTypes: ReadonlySet<string> = new Set([
  'FunctionDef',
  'Case',
  'CStyleFor',
  'ArithmeticCommand',
  'ConditionalCommand',
  'CommandSubstitution',
  'ProcessSubstitution',
  'ArithmeticExpansion',
  'HereDoc',
])

/** Commands of just-bash that the service does not have. Source: stackblitz/webcontainer-core#1013, #1254, #1330. */
const missingTools =
  'awk base64 bc column comm cut diff du egrep expr fgrep file find fold grep gunzip gzip join less md5sum mktemp more nl od paste ' +
  'printf rev rg sed seq sha1sum sha256sum split stat strings tac tar tee timeout tr tree uniq wc xargs yes zcat'

export type Verdict =
  | { readonly kind: 'run'; readonly script: string }
  | { readonly kind: 'refused'; readonly message: string; readonly code: number }
  /** It never ends and cannot be ended. */
  | { readonly kind: 'stuck' }

export interface JshOptions {
  readonly isRestricted: boolean
  readonly isUnkillable: boolean
}

/** The decision about a script. A script that cannot be parsed is run, and fails with its own message. */
export function judgeScript(script: string, { isRestricted, isUnkillable }: JshOptions): Verdict {
  if (isUnkillable && /\bwhile\s+(?:true|:)\s*;?\s*do\s+(?::|true)\s*;?\s*done/.test(script)) return { kind: 'stuck' }
  if (!isRestricted) return { kind: 'run', script }
  const what = refusedPart(script)
  if (what !== undefined) return { kind: 'refused', message: `jsh: unsupported shell syntax: ${what}\n`, code: 1 }
  return { kind: 'run', script: `${prelude} ${script}` }
}

// On the script's first line, so that messages have the right line numbers.
const prelude = missingTools
  .split(' ')
  .map(name => `${name}() { echo 'jsh: command not found: ${name}' >&2; return 127; };`)
  .join(' ')

function refusedPart(script: string): string | undefined {
  let tree: unknown
  try {
    tree = new Bash().transform(script).ast
  } catch {
    return undefined
  }
  const pending: unknown[] = [tree]
  for (;;) {
    const node = pending.pop()
    if (node === undefined) return /\bset\s+-o\b|\bexec\b/.exec(script)?.[0]
    if (typeof node !== 'object' || node === null) continue
    const type = field(node, 'type')
    if (typeof type === 'string' && refusedTypes.has(type)) return type
    if (field(node, 'negated') === true) return '!'
    if (field(node, 'background') === true) return '&'
    pending.push(...Object.values(node).filter(value => value !== undefined && value !== null))
  }
}
