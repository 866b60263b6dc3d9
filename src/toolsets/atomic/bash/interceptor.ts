// Sends a command that a tool does better to that tool. Off by default, and only for tools that the model has.
// What a script would run is read from its syntax tree, never guessed from its text.

import { AnchorageError } from '../../../core/errors.ts'
import type { BashInterceptorOptions, InterceptorForm, InterceptorRule } from './interceptor-options.ts'
import type { ParsedCommand, ParsedScript, ParseScript } from '../../../shell/parsed-script.ts'
import { builtInRules, textsOf, withoutPrefix } from './rules.ts'

export interface Interception {
  /** By its original name; a host's handler may name none. */
  readonly tool: string | undefined
  /** The name that the model knows, if it has that tool. */
  readonly shownTool: string | undefined
  readonly rule: string
  readonly message: string
}

export interface InterceptedCall {
  readonly command: string
  /** The directory that the call names. If it is absent, a leading `cd` belongs to the request. */
  readonly cwd?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
}

/** `undefined`: the command may run. The call's session parses the script. */
export type Interceptor = (call: InterceptedCall, parse: ParseScript | undefined) => Promise<Interception | undefined>

interface Rule {
  readonly name: string
  readonly tool: string
  readonly message: string
  readonly matches: (form: InterceptorForm) => boolean
}

/**
 * `shownNames`: original name → the name that the model knows, for the tools that it has. Throws `AnchorageError` `toolset-options` if a
 * rule of the host is not a valid regular expression.
 */
export function createInterceptor(
  options: BashInterceptorOptions | undefined,
  shownNames: ReadonlyMap<string, string>,
): Interceptor {
  if (options?.enabled !== true) return () => Promise.resolve(undefined)
  const { scope = 'first', handler } = options
  const rules = [...(options.rules ?? []).map(hostRule), ...builtIn(scope)].filter(rule => shownNames.has(rule.tool))
  return async (call, parse) => {
    const forms = await formsOf(call, parse ?? (() => Promise.resolve(undefined)))
    const judged = scope === 'anywhere' ? forms : forms.filter(({ kind }) => kind !== 'without-prefix')
    const rule = judged.flatMap(form => rules.find(candidate => candidate.matches(form)) ?? [])[0]
    const byRule =
      rule === undefined
        ? undefined
        : { tool: rule.tool, shownTool: shownNames.get(rule.tool), rule: rule.name, message: rule.message }
    if (handler === undefined) return byRule
    const said = byRule === undefined ? undefined : { tool: byRule.tool, rule: byRule.rule, message: byRule.message }
    const answer = await handler({ forms, cwd: call.cwd, env: call.env ?? {}, rule: said })
    if (answer === undefined) return byRule
    if (answer.kind === 'allow') return undefined
    const shownTool = answer.tool === undefined ? undefined : shownNames.get(answer.tool)
    return { tool: answer.tool, shownTool, rule: 'handler', message: answer.message }
  }
}

async function formsOf({ command, cwd }: InterceptedCall, parse: ParseScript): Promise<readonly InterceptorForm[]> {
  const parsed = await parse(command)
  const forms: InterceptorForm[] = [{ kind: 'original', script: command, parsed }]
  const afterCd = cwd === undefined || cwd === '' ? withoutLeadingCd(command) : undefined
  if (afterCd !== undefined) forms.push({ kind: 'without-cd', script: afterCd, parsed: await parse(afterCd) })
  const bare = parsed?.commands.some(each => withoutPrefix(each) !== undefined) === true ? bareScript(parsed) : undefined
  if (bare !== undefined) forms.push({ kind: 'without-prefix', script: command, parsed: bare })
  return forms
}

function bareScript({ commands, isCut }: ParsedScript): ParsedScript {
  return { commands: commands.map(command => withoutPrefix(command) ?? command), isCut }
}

/** The rest of `cd somewhere && rest` or `cd somewhere; rest`; `undefined` if the script does not start with `cd`. */
function withoutLeadingCd(script: string): string | undefined {
  return /^\s*cd\s+(?:"[^"]*"|'[^']*'|[^\s;&|]+)\s*(?:&&|;)([^]*)$/.exec(script)?.[1]
}

function builtIn(scope: 'first' | 'anywhere'): readonly Rule[] {
  const isJudged = (command: ParsedCommand): boolean => scope === 'anywhere' || command.position === 'first'
  return builtInRules.map(rule => ({
    ...rule,
    matches: ({ parsed }) => parsed?.commands.some(command => isJudged(command) && rule.matches(command)) === true,
  }))
}

function hostRule({ pattern, tool, message, against = 'script' }: InterceptorRule): Rule {
  let expression: RegExp
  try {
    expression = new RegExp(pattern)
  } catch (error) {
    throw new AnchorageError('toolset-options', `The interceptor rule ${JSON.stringify(pattern)} is not a regular expression.`, {
      cause: error,
    })
  }
  return {
    name: pattern,
    tool,
    message: message ?? 'The host asks for it.',
    matches: ({ script, parsed }) =>
      against === 'script'
        ? expression.test(script.trim())
        : parsed?.commands.some(command => expression.test(textsOf(command).join(' '))) === true,
  }
}
