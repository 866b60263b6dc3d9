// Patterns that are combined with --and, --or, --not and parentheses, and the places where they match in a line.

import { fatal } from '../errors.ts'
import type { Options } from '../options.ts'
import type { GrepMatcher, Match } from './grep-matcher.ts'

export type GrepToken =
  | { readonly kind: 'pattern'; readonly source: string }
  | { readonly kind: 'and' | 'not' | 'open' | 'close' }

/** The patterns and signs between them, in the order given. */
export function grepTokens(options: Options): readonly GrepToken[] {
  const tokens: { readonly at: number; readonly token: GrepToken }[] = []
  for (const { key, value, wordsBefore = 0 } of options.given) {
    if (key === 'pattern' && value !== undefined)
      for (const source of value.split('\n')) tokens.push({ at: wordsBefore, token: { kind: 'pattern', source } })
    else if (key === 'and' || key === 'not') tokens.push({ at: wordsBefore, token: { kind: key } })
  }
  for (const [index, word] of options.words.entries()) {
    if (word !== '(' && word !== ')') continue
    // A parenthesis stands before the options that follow it.
    const before = tokens.findIndex(({ at }) => at > index)
    tokens.splice(before === -1 ? tokens.length : before, 0, { at: index, token: { kind: word === '(' ? 'open' : 'close' } })
  }
  return tokens.map(({ token }) => token)
}

export interface GrepExpression {
  readonly holds: (line: string) => boolean
  /** Each of them must be in some line of a file, with `--all-match`. */
  readonly alternatives: readonly ((line: string) => boolean)[]
  /** The first match of any pattern at or after a place. */
  readonly next: GrepMatcher['next']
  /** Where the first match begins, of the patterns that are negated an even number of times, or of the others. */
  readonly place: (line: string, ofNegated: boolean) => number | undefined
}

type Test = (line: string) => boolean

export function grepExpression(tokens: readonly GrepToken[], compile: (source: string) => GrepMatcher): GrepExpression {
  const matchers: GrepMatcher[] = []
  const negatedMatchers = new Set<GrepMatcher>()
  let isNegated = false
  let at = 0
  const either = (): readonly Test[] => {
    const found: Test[] = []
    while (at < tokens.length && tokens[at]?.kind !== 'close') {
      const next = both()
      if (next === undefined) throw fatal('not a pattern expression')
      found.push(next)
    }
    return found
  }
  const both = (): Test | undefined => {
    const left = negated()
    if (tokens[at]?.kind !== 'and') return left
    if (left === undefined) throw fatal('--and not preceded by pattern expression')
    at++
    const right = both()
    if (right === undefined) throw fatal('--and not followed by pattern expression')
    return line => left(line) && right(line)
  }
  const negated = (): Test | undefined => {
    if (tokens[at]?.kind !== 'not') return atom()
    at++
    isNegated = !isNegated
    const inner = negated()
    isNegated = !isNegated
    if (inner === undefined) throw fatal('--not not followed by pattern expression')
    return line => !inner(line)
  }
  const atom = (): Test | undefined => {
    const token = tokens[at]
    if (token?.kind === 'pattern') {
      at++
      const matcher = compile(token.source)
      matchers.push(matcher)
      if (isNegated) negatedMatchers.add(matcher)
      return matcher.holds
    }
    if (token?.kind !== 'open') return undefined
    at++
    const inner = either()
    if (tokens[at]?.kind !== 'close') throw fatal('unmatched ( for expression group')
    at++
    return line => inner.some(test => test(line))
  }
  const alternatives = either()
  if (at < tokens.length) throw fatal('incomplete pattern expression group: )')
  return {
    holds: line => alternatives.some(test => test(line)),
    alternatives,
    next: (line, from) => nextOf(matchers, line, from),
    place: (line, ofNegated) =>
      nextOf(
        matchers.filter(matcher => negatedMatchers.has(matcher) === ofNegated),
        line,
        0,
      )?.[0],
  }
}

/** The leftmost match, and of several there the longest. */
function nextOf(matchers: readonly GrepMatcher[], line: string, from: number): Match | undefined {
  let best: Match | undefined
  for (const matcher of matchers) {
    const found = matcher.next(line, from)
    if (found === undefined) continue
    if (best === undefined || found[0] < best[0] || (found[0] === best[0] && found[1] > best[1])) best = found
  }
  return best
}
