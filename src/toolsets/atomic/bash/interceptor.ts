// Sends a command that a tool does better to that tool. Off unless the host asks for it, and only for tools that the model has
// (seed: "`bash` and `bashInterceptor`"; atomic §10). It judges the first command of a script, and the first after a leading `cd`.

import { AnchorageError } from '../../../core/errors.ts'
import type { BashInterceptorOptions, InterceptorRule } from '../../../session/interceptor-options.ts'
import { firstCommand, withoutLeadingCd, type FirstCommand } from './first-command.ts'

export interface Interception {
  /** By its own name. */
  readonly tool: string
  /** As the model knows it. */
  readonly shownTool: string
  readonly rule: string
  readonly message: string
}

interface Rule {
  readonly name: string
  readonly tool: string
  readonly message: string
  readonly matches: (command: FirstCommand, text: string) => boolean
}

const builtInRules: readonly Rule[] = [
  {
    name: 'write-file',
    tool: 'write',
    message: 'Redirecting output makes files that carry no tag.',
    matches: ({ words, writesFile, hasHeredoc }) =>
      writesFile && (words[0] === 'echo' || words[0] === 'printf' || (words[0] === 'cat' && hasHeredoc)),
  },
  {
    name: 'read-file',
    tool: 'read',
    message: 'A file is better read with its tag and line numbers.',
    matches: ({ words }, text) => isOneOf(words[0], 'cat', 'head', 'tail', 'less', 'more') && /^\S+\s+\S/.test(text.trim()),
  },
  {
    name: 'search-text',
    tool: 'search',
    message: 'Searching pages its results and gives each file its tag.',
    matches: ({ words }) => isOneOf(words[0], 'grep', 'rg', 'ripgrep', 'ag', 'ack') && words.length > 1,
  },
  {
    name: 'find-path',
    tool: 'find',
    message: 'Finding paths obeys ignore files and shows the newest first.',
    matches: ({ words }) =>
      isOneOf(words[0], 'find', 'fd', 'locate') &&
      words.some(word => isOneOf(word, '-name', '-iname', '-type', '--type', '-glob')),
  },
  {
    name: 'edit-in-place',
    tool: 'edit',
    message: 'Editing in place does not notice that a file changed.',
    matches: ({ words: [name, ...args] }) =>
      (name === 'sed' && /^(?:-i|--in-place)/.test(args[0] ?? '')) ||
      (name === 'perl' && args.some(arg => /^-[pn]?i/.test(arg))) ||
      (name === 'awk' && args.some((arg, index) => arg === '-i' && args[index + 1] === 'inplace')),
  },
]

export interface Interceptor {
  /** `hasCwd`: the call names its directory itself, so a leading `cd` is part of what it wants to do. */
  readonly check: (command: string, hasCwd: boolean) => Interception | undefined
}

/** `shownNames`: own name → the name that the model knows, of the tools it has. Throws `AnchorageError` `toolset-options` for a host's rule that is no regular expression. */
export function createInterceptor(
  options: BashInterceptorOptions | undefined,
  shownNames: ReadonlyMap<string, string>,
): Interceptor {
  if (options?.enabled !== true) return { check: () => undefined }
  const rules = [...(options.rules ?? []).map(hostRule), ...builtInRules].filter(rule => shownNames.has(rule.tool))
  return {
    check(command, hasCwd) {
      const afterCd = hasCwd ? undefined : withoutLeadingCd(command)
      const forms = afterCd === undefined ? [command] : [command, afterCd]
      for (const form of forms) {
        const first = firstCommand(form)
        const rule = rules.find(candidate => candidate.matches(first, form))
        if (rule === undefined) continue
        return { tool: rule.tool, shownTool: shownNames.get(rule.tool) ?? rule.tool, rule: rule.name, message: rule.message }
      }
      return undefined
    },
  }
}

function hostRule({ pattern, tool, message }: InterceptorRule): Rule {
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
    matches: (_command, text) => expression.test(text.trim()),
  }
}

function isOneOf(word: string | undefined, ...names: readonly string[]): boolean {
  return word !== undefined && names.includes(word)
}
