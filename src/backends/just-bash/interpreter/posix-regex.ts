// The regular expressions of `[[ … =~ … ]]`: POSIX extended regular expressions with leftmost-longest matching.

import { PatternError, PatternLimitError } from '../regex/syntax.ts'
import type { Regex } from '../regex/regex.ts'
import { ShellError } from './flow.ts'

const compiled = new Map<string, Regex | undefined>()
const mostCompiled = 100

/** Returns `undefined` for an invalid expression. */
async function compileRegex(source: string, ignoresCase: boolean): Promise<Regex | undefined> {
  const key = `${ignoresCase ? 'i' : ''}/${source}`
  if (compiled.has(key)) return compiled.get(key)
  const { posixRegex } = await import('../regex/regex.ts')
  let regex: Regex | undefined
  try {
    regex = posixRegex(source, { syntax: 'extended', escapes: 'none', isStrict: true, ignoresCase })
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
  }
  if (compiled.size >= mostCompiled) compiled.clear()
  compiled.set(key, regex)
  return regex
}

/**
 * Returns the match and its capture groups, or an empty list. Throws a `ShellError` for an invalid expression. `rest` is called between
 * parts of a long text.
 */
export async function matchExtended(
  source: string,
  text: string,
  ignoresCase: boolean,
  rest: () => Promise<void>,
): Promise<readonly string[]> {
  const regex = await compileRegex(source, ignoresCase)
  if (regex === undefined) throw new ShellError('', 2, 'command')
  try {
    const search = regex.execInSteps(text)
    let step = search.next()
    for (; step.done !== true; step = search.next()) await rest()
    const places = step.value
    if (places === undefined) return []
    return Array.from({ length: regex.groupCount + 1 }, (_, group) => {
      const start = places[2 * group] ?? -1
      return start < 0 ? '' : text.slice(start, places[2 * group + 1])
    })
  } catch (error) {
    if (!(error instanceof PatternLimitError)) throw error
    throw new ShellError(error.message, 2, 'command')
  }
}

/** Whether a bracket expression of `source` is still open at the end. A backslash is literal in it. */
export function endsInBracket(source: string): boolean {
  for (let at = 0; at < source.length; at++) {
    const character = source.charAt(at)
    if (character === '\\') at += 1
    if (character !== '[') continue
    const [bracket] = /^\[\^?\]?(?:\[([:.=])[^]*?\1\]|[^\]])*\]/.exec(source.slice(at)) ?? []
    if (bracket === undefined) return true
    at += bracket.length - 1
  }
  return false
}
