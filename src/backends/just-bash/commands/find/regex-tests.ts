// Evaluates -regex with grep, whose engine limits the time of a match, for all entries of a directory at once.

import type { CommandContext } from '../command.ts'
import { bytesOfArgument } from '../inputs.ts'
import { nameOf, type Entry } from './entry.ts'
import { ExpressionError, type Expression } from './expression.ts'

type Regex = Extract<Expression, { readonly kind: 'regex' }>

export interface RegexTests {
  /** Whether the whole path matches. */
  fits(regex: Regex, entry: Entry): Promise<boolean>
}

export function createRegexTests({ fs, exec }: CommandContext): RegexTests {
  const known = new Map<Regex, { readonly directory: string; readonly asked: Set<string>; readonly fitting: Set<string> }>()
  const ask = async ({ pattern, ignoresCase, syntax }: Regex, paths: readonly string[]): Promise<Set<string>> => {
    const written = syntax === 'emacs' ? extendedOf(pattern) : pattern
    const flags = ['-n', '-x', syntax === 'basic' ? '-G' : '-E', ...(ignoresCase ? ['-i'] : []), '-e', written]
    const result = await exec('grep', flags, undefined, bytesOfArgument(paths.map(path => `${path}\n`).join('')))
    if (result.exitCode > 1) throw new ExpressionError(`the pattern of -regex cannot be read: ${pattern}`)
    const numbers = Array.from(result.stdout.matchAll(/^(\d+):/gm), ([, number]) => Number(number))
    return new Set(numbers.map(number => paths[number - 1] ?? ''))
  }
  return {
    async fits(regex, entry) {
      const directory = entry.shown.slice(0, entry.shown.length - nameOf(entry).length)
      const answered = known.get(regex)
      if (answered?.directory === directory && answered.asked.has(entry.shown)) return answered.fitting.has(entry.shown)
      const above = entry.path.slice(0, entry.path.lastIndexOf('/')) || '/'
      const names = entry.depth === 0 ? [nameOf(entry)] : await fs.readdir(above)
      // A name that contains a newline would count as two lines.
      const paths = [entry.shown, ...names.map(name => directory + name)].filter(path => !path.includes('\n'))
      const fitting = await ask(regex, paths)
      known.set(regex, { directory, asked: new Set([entry.shown, ...paths]), fitting })
      return fitting.has(entry.shown)
    },
  }
}

/**
 * Converts the default syntax of find (Emacs regular expressions) to the extended syntax: groups and alternation need a
 * backslash, repetition operators do not.
 */
function extendedOf(pattern: string): string {
  return pattern.replace(/\\([()|])|\\[^]|[(){}|]/g, (all, escaped?: string) => escaped ?? (all.length === 1 ? `\\${all}` : all))
}
