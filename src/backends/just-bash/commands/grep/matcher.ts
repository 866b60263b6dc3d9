// Compiles the patterns of one call to a single matcher.

import { eitherOf } from '../../regex/alternatives.ts'
import { firstWayRegex } from '../../regex/perl-regex.ts'
import { parsePerl } from '../../regex/parse-perl.ts'
import { parsePosix } from '../../regex/parse-posix.ts'
import { asciiWordSet, setOf, withBothCases } from '../../regex/character-set.ts'
import { longestRegex } from '../../regex/regex.ts'
import { requiredText } from '../../regex/required.ts'
import { PatternError, sequence, type Node, type Pattern } from '../../regex/syntax.ts'

export interface LineMatcher {
  /** A string that every matching line contains; `undefined` if none is known. */
  readonly required: string | undefined
  /** How many beginnings of a match to try in one step. */
  readonly stepLength: number
  /**
   * The first match at or after `from`. Within one step of a line, only matches that begin before `to` count. Throws `PatternLimitError`
   * if matching takes too long.
   */
  find(line: string, from: number, to?: number): readonly [start: number, end: number] | undefined
  test(line: string): boolean
}

export interface PatternOptions {
  readonly syntax: 'basic' | 'extended' | 'fixed' | 'perl'
  readonly ignoresCase: boolean
  /** `-x`: a match is a whole line; `-w`: a match is surrounded by non-word characters. */
  readonly whole: 'line' | 'word' | undefined
}

/** Throws `PatternError`. `warnings` receives what is odd about the patterns. */
export function createMatcher(patterns: readonly string[], options: PatternOptions, warnings: string[] = []): LineMatcher {
  if (patterns.length === 0) return { required: undefined, stepLength: Infinity, find: () => undefined, test: () => false }
  if (options.syntax === 'perl') return perlMatcher(patterns, options)
  const parsed = [...new Set(patterns)].map(pattern => parse(pattern, options, warnings))
  // A backreference counts the groups of its own pattern, so patterns with backreferences are not merged with others.
  const plain = parsed.filter(({ node }) => !hasReference(node))
  const together: Pattern[] = parsed.filter(({ node }) => hasReference(node))
  if (plain.length > 0)
    together.push({ node: eitherOf(plain.map(({ node }) => withoutGroups(node))), groupCount: 0, names: new Map() })
  const wrapped = together.map(pattern => ({ ...pattern, node: wrap(pattern.node, options.whole) }))
  const regexes = wrapped.map(longestRegex)
  const [only] = regexes
  const [onlyPattern] = wrapped
  if (regexes.length === 1 && only !== undefined && onlyPattern !== undefined)
    return {
      required: requiredText(onlyPattern.node),
      stepLength: Infinity,
      find: (line, from) => only.find(line, from),
      test: line => only.test(line),
    }
  return {
    required: undefined,
    stepLength: Infinity,
    test: line => regexes.some(regex => regex.test(line)),
    find(line, from) {
      let best: readonly [number, number] | undefined
      for (const regex of regexes) {
        const found = regex.find(line, from)
        if (found !== undefined && (best === undefined || found[0] < best[0] || (found[0] === best[0] && found[1] > best[1])))
          best = found
      }
      return best
    },
  }
}

function parse(pattern: string, { syntax, ignoresCase }: PatternOptions, warnings: string[]): Pattern {
  if (syntax === 'basic' || syntax === 'extended')
    return parsePosix(pattern, {
      syntax,
      escapes: 'none',
      ignoresCase,
      isOfLines: true,
      onWarning: warning => warnings.push(warning),
    })
  const nodes = Array.from(pattern, (character): Node => {
    const set = setOf(character.codePointAt(0) ?? 0)
    return { kind: 'set', set: ignoresCase ? withBothCases(set) : set }
  })
  return { node: sequence(nodes), groupCount: 0, names: new Map() }
}

function perlMatcher(patterns: readonly string[], { ignoresCase, whole }: PatternOptions): LineMatcher {
  const [pattern = ''] = patterns
  if (patterns.length > 1) throw new PatternError('the -P option only supports a single pattern')
  const parsed = parsePerl(pattern, { dialect: 'grep', ignoresCase })
  const regex = firstWayRegex({ ...parsed, node: wrap(parsed.node, whole, asciiSides) })
  return {
    required: requiredText(parsed.node),
    stepLength: 64 * 1024,
    test: line => regex.exec(line) !== undefined,
    find(line, from, to) {
      const places = regex.exec(line, from, to)
      return places === undefined ? undefined : [places[0] ?? 0, places[1] ?? 0]
    },
  }
}

const sides: readonly [Node, Node] = [
  { kind: 'assertion', assertion: 'no-word-before' },
  { kind: 'assertion', assertion: 'no-word-behind' },
]
const asciiSides: readonly [Node, Node] = [
  { kind: 'look', isBehind: true, isNegative: true, node: { kind: 'set', set: asciiWordSet } },
  { kind: 'look', isBehind: false, isNegative: true, node: { kind: 'set', set: asciiWordSet } },
]

function wrap(node: Node, whole: PatternOptions['whole'], [before, behind] = sides): Node {
  if (whole === undefined) return node
  if (whole === 'word') return { kind: 'sequence', nodes: [before, node, behind] }
  return {
    kind: 'sequence',
    nodes: [{ kind: 'assertion', assertion: 'text-start' }, node, { kind: 'assertion', assertion: 'text-end' }],
  }
}

function hasReference(node: Node): boolean {
  switch (node.kind) {
    case 'backreference':
      return true
    case 'sequence':
    case 'alternation':
      return node.nodes.some(hasReference)
    case 'group':
    case 'repeat':
    case 'look':
    case 'atomic':
      return hasReference(node.node)
    default:
      return false
  }
}

/** Replaces capture groups by their content, because their positions are not needed. */
function withoutGroups(node: Node): Node {
  switch (node.kind) {
    case 'group':
      return withoutGroups(node.node)
    case 'sequence':
    case 'alternation':
      return { ...node, nodes: node.nodes.map(withoutGroups) }
    case 'repeat':
      return { ...node, node: withoutGroups(node.node) }
    default:
      return node
  }
}
