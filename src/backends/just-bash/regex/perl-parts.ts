// Small parts of Perl's patterns, for parse-perl.ts.

import { union } from '../../../search/regex/code-points.ts'
import { invalidBytes, setOf, type CharacterSet } from './character-set.ts'
import { lengthsOf } from './lengths.ts'
import { escapedClass, PatternSource } from './perl-class.ts'
import type { PerlDialect } from './perl-sets.ts'
import { PatternError, sequence, type Assertion, type Cut, type Look, type Node } from './syntax.ts'

export interface PerlOptions {
  readonly dialect: PerlDialect
  readonly ignoresCase?: boolean
  readonly dotMatchesNewline?: boolean
  readonly isExtended?: boolean
  readonly isMultiline?: boolean
  /** Repetitions are lazy, and with `?` greedy. */
  readonly isUngreedy?: boolean
  /** Parentheses without a name do not capture. */
  readonly capturesNamesOnly?: boolean
  /** `\r` and `\r\n` end lines, too. */
  readonly isCrlf?: boolean
}

const longestLookBehind = 255

/** What no repetition may follow, as it is written: an anchor, a setting of options, a verb. */
export const unrepeatable: RegExp = /^(?:[$^]|\\[bBAzZGK]|\(\?[\^imnsxU-]*\)|\(\*[A-Z]*(?::[^)]*)?\))$/

export const setNode = (set: CharacterSet): Node => ({ kind: 'set', set })
export const lookAhead = (codePoint: number): Look => ({
  kind: 'look',
  isBehind: false,
  isNegative: false,
  node: setNode(setOf(codePoint)),
})
export const lookBehind = (codePoint: number): Look => ({ ...lookAhead(codePoint), isBehind: true })
export const not = (node: Node): Look =>
  node.kind === 'look' ? { ...node, isNegative: !node.isNegative } : { kind: 'look', isBehind: false, isNegative: true, node }

interface LookKind {
  readonly sign: string
  readonly names: readonly string[]
  readonly isBehind: boolean
  readonly isNegative: boolean
}

export const looks: readonly LookKind[] = [
  { sign: '=', names: ['pla', 'positive_lookahead'], isBehind: false, isNegative: false },
  { sign: '!', names: ['nla', 'negative_lookahead'], isBehind: false, isNegative: true },
  { sign: '<=', names: ['plb', 'positive_lookbehind'], isBehind: true, isNegative: false },
  { sign: '<!', names: ['nlb', 'negative_lookbehind'], isBehind: true, isNegative: true },
]

export function checkLookBehind(node: Node, groupOf: (index: number) => Node | undefined): void {
  const { max } = lengthsOf(node, groupOf)
  if (!Number.isFinite(max)) throw new PatternError('length of lookbehind assertion is not limited')
  if (max > longestLookBehind) throw new PatternError('lookbehind assertion is too long')
}

/** Verbs behind which there is no way back. */
export const cuts: ReadonlyMap<string, Cut> = new Map([
  ['PRUNE', 'further'],
  ['SKIP', 'here'],
  ['COMMIT', 'nowhere'],
])

export const noFlags: Partial<PerlOptions> = {
  ignoresCase: false,
  dotMatchesNewline: false,
  isExtended: false,
  isMultiline: false,
  capturesNamesOnly: false,
}

export function withFlags(options: PerlOptions, flags: string): PerlOptions {
  const [on = '', off = ''] = flags.split('-')
  const flag = (letter: string, before: boolean | undefined): boolean =>
    on.includes(letter) ? true : off.includes(letter) ? false : before === true
  return {
    ...options,
    ignoresCase: flag('i', options.ignoresCase),
    dotMatchesNewline: flag('s', options.dotMatchesNewline),
    isExtended: flag('x', options.isExtended),
    isMultiline: flag('m', options.isMultiline),
    isUngreedy: flag('U', options.isUngreedy),
    capturesNamesOnly: flag('n', options.capturesNamesOnly),
  }
}

export const assertions: Readonly<Record<string, Assertion>> = {
  b: 'word-boundary',
  B: 'not-word-boundary',
  A: 'text-start',
  z: 'text-end',
  Z: 'perl-end',
  G: 'search-start',
}

export const asciiAssertions: Partial<Readonly<Record<Assertion, Assertion>>> = {
  'word-boundary': 'ascii-boundary',
  'not-word-boundary': 'not-ascii-boundary',
}

/** Of the words of PCRE2 with Unicode. */
export function wideBoundary(isNegative: boolean): Node {
  const set = escapedClass(new PatternSource('w'), { dialect: 'ripgrep', ignoresCase: false }) ?? []
  const before: Look = { kind: 'look', isBehind: true, isNegative: false, node: setNode(set) }
  const behind: Look = { ...before, isBehind: false }
  if (!isNegative) {
    const ways = [sequence([before, not(behind)]), sequence([not(before), behind])]
    return { kind: 'alternation', nodes: ways }
  }
  // Beside a byte that is not a character, `\B` never matches.
  const noneBefore: Look = { ...before, isNegative: true, node: setNode(union(set, invalidBytes)) }
  const ways = [sequence([before, behind]), sequence([noneBefore, { ...noneBefore, isBehind: false }])]
  return { kind: 'alternation', nodes: ways }
}
