// Perl's regular expressions, as PCRE and Oniguruma read them.

import { union } from '../../../search/regex/code-points.ts'
import {
  asciiPartOf,
  complement,
  posixClass,
  propertySet,
  setOf,
  spaceSet,
  withBothCases,
  wordSet,
  type CharacterSet,
} from './character-set.ts'
import { hasOneLength } from './lengths.ts'
import { empty, PatternError, sequence, type Assertion, type Node, type Pattern } from './syntax.ts'

export interface PerlOptions {
  readonly ignoresCase?: boolean
  readonly dotMatchesNewline?: boolean
  readonly isExtended?: boolean
  readonly isMultiline?: boolean
  /** `\w`, `\d`, `\s`, `\b` and the classes of POSIX hold ASCII only, as with PCRE. */
  readonly isAscii?: boolean
  /** Repetitions are lazy, and with `?` greedy. */
  readonly isUngreedy?: boolean
  /** Characters are bytes: only ASCII letters have two cases. */
  readonly isBytes?: boolean
  /** `$` is also before `\r\n`. */
  readonly isCrlf?: boolean
}

/** Throws `PatternError`, also for what is not known here. */
export function parsePerl(source: string, options: PerlOptions): Pattern {
  return new Parser(source, options).parse()
}

class Parser {
  private at = 0
  private groups = 0
  private depth = 0
  private readonly names = new Map<string, number>()
  private readonly source: string
  private options: PerlOptions

  constructor(source: string, options: PerlOptions) {
    this.source = source
    this.options = options
  }

  parse(): Pattern {
    const node = this.alternation()
    if (this.at < this.source.length) throw new PatternError('unmatched closing parenthesis')
    return { node, groupCount: this.groups, names: this.names }
  }

  private alternation(): Node {
    this.depth += 1
    if (this.depth > 200) throw new PatternError('parentheses are too deeply nested')
    const nodes = [this.branch()]
    while (this.takes('|')) nodes.push(this.branch())
    this.depth -= 1
    return nodes.length === 1 ? (nodes[0] ?? empty) : { kind: 'alternation', nodes }
  }

  private takes(text: string): boolean {
    if (!this.source.startsWith(text, this.at)) return false
    this.at += text.length
    return true
  }

  private branch(): Node {
    const nodes: Node[] = []
    for (;;) {
      if (this.options.isExtended === true) this.skip(/^(?:\s|#[^\n]*)+/)
      const character = this.source.charAt(this.at)
      if (character === '' || character === '|' || character === ')') return sequence(nodes)
      const atom = this.atom(character)
      nodes.push(this.repeated(atom))
    }
  }

  private skip(pattern: RegExp): string {
    const [found = ''] = pattern.exec(this.source.slice(this.at, this.at + 300)) ?? []
    this.at += found.length
    return found
  }

  private repeated(atom: Node): Node {
    let node = atom
    for (;;) {
      if (this.options.isExtended === true) this.skip(/^(?:\s|#[^\n]*)+/)
      const [all, , low = '', comma = '', high = ''] =
        /^(?:[*+?]|(\{(\d+)(,?)(\d*)\}))/.exec(this.source.slice(this.at, this.at + 30)) ?? []
      if (all === undefined) return node
      this.at += all.length
      const min = all === '*' || all === '?' ? 0 : all === '+' ? 1 : Number(low)
      const max =
        all === '?'
          ? 1
          : all === '*' || all === '+'
            ? Number.POSITIVE_INFINITY
            : comma === ''
              ? min
              : high === ''
                ? Number.POSITIVE_INFINITY
                : Number(high)
      if (min > max || min > 65_535) throw new PatternError('numbers out of order in {} quantifier')
      const isSwapped = this.takes('?') !== (this.options.isUngreedy === true)
      const mode = isSwapped ? 'lazy' : this.takes('+') ? 'possessive' : 'greedy'
      node = { kind: 'repeat', node, min, max, mode }
    }
  }

  private atom(character: string): Node {
    switch (character) {
      case '(':
        this.at += 1
        return this.group()
      case '[':
        this.at += 1
        return { kind: 'set', set: this.bracket() }
      case '.':
        this.at += 1
        return { kind: 'set', set: complement(this.options.dotMatchesNewline === true ? [] : setOf(10)) }
      case '^':
        this.at += 1
        return { kind: 'assertion', assertion: this.options.isMultiline === true ? 'perl-line-start' : 'text-start' }
      case '$':
        this.at += 1
        return this.lineEnd()
      case '\\':
        return this.escape()
      case '*':
      case '+':
      case '?':
        throw new PatternError('quantifier does not follow a repeatable item')
      default:
        return this.literal(this.codePoint())
    }
  }

  private lineEnd(): Node {
    if (this.options.isMultiline !== true) return { kind: 'assertion', assertion: 'perl-end' }
    const lineEnd: Node = { kind: 'assertion', assertion: 'line-end' }
    if (this.options.isCrlf !== true) return lineEnd
    const node: Node = {
      kind: 'sequence',
      nodes: [
        { kind: 'set', set: setOf(13) },
        { kind: 'set', set: setOf(10) },
      ],
    }
    return { kind: 'alternation', nodes: [{ kind: 'look', isBehind: false, isNegative: false, node }, lineEnd] }
  }

  private codePoint(): number {
    const codePoint = this.source.codePointAt(this.at) ?? 0
    this.at += codePoint > 0xffff ? 2 : 1
    return codePoint
  }

  private literal(codePoint: number): Node {
    return { kind: 'set', set: this.cased(setOf(codePoint)) }
  }

  private cased(set: CharacterSet): CharacterSet {
    if (this.options.ignoresCase !== true) return set
    return this.options.isBytes === true ? union(set, withBothCases(asciiPartOf(set))) : withBothCases(set)
  }

  private group(): Node {
    const outer = this.options
    if (!this.takes('?')) return this.closed(this.captured(undefined), outer)
    const [, name] = /^(?:P?<([A-Za-z_]\w*)>|'[A-Za-z_]\w*')/.exec(this.source.slice(this.at, this.at + 100)) ?? []
    if (name !== undefined) {
      this.at = this.source.indexOf('>', this.at) + 1
      return this.closed(this.captured(name), outer)
    }
    if (this.takes('#')) {
      const end = this.source.indexOf(')', this.at)
      if (end < 0) throw new PatternError('missing ) after (?# comment')
      this.at = end + 1
      return empty
    }
    for (const [text, isBehind, isNegative] of [
      ['=', false, false],
      ['!', false, true],
      ['<=', true, false],
      ['<!', true, true],
    ] as const) {
      if (this.takes(text)) {
        const node = this.alternation()
        const ways = node.kind === 'alternation' ? node.nodes : [node]
        if (isBehind && !ways.every(hasOneLength)) throw new PatternError('lookbehind assertion is not fixed length')
        return this.closed({ kind: 'look', isBehind, isNegative, node }, outer)
      }
    }
    if (this.takes('>')) return this.closed({ kind: 'atomic', node: this.alternation() }, outer)
    const flags = this.skip(/^[imsxU]*(?:-[imsxU]*)?/)
    this.options = withFlags(outer, flags)
    if (this.takes(':')) return this.closed(this.alternation(), outer)
    // `(?i)` holds to the end of the group around it.
    if (this.takes(')')) {
      const rest = this.alternation()
      this.options = outer
      return rest
    }
    throw new PatternError('this kind of group is not available here')
  }

  private captured(name: string | undefined): Node {
    this.groups += 1
    const index = this.groups
    if (name !== undefined) this.names.set(name, index)
    return { kind: 'group', index, node: this.alternation() }
  }

  private closed(node: Node, outer: PerlOptions): Node {
    if (!this.takes(')')) throw new PatternError('missing closing parenthesis')
    this.options = outer
    return node
  }

  private escape(): Node {
    this.at += 1
    const letter = this.source.charAt(this.at)
    if (letter === '') throw new PatternError('\\ at end of pattern')
    const assertion = assertions[letter]
    if (assertion !== undefined) {
      this.at += 1
      return {
        kind: 'assertion',
        assertion: (this.options.isAscii === true ? asciiAssertions[assertion] : undefined) ?? assertion,
      }
    }
    const set = this.escapedClass()
    if (set !== undefined) return { kind: 'set', set }
    if (letter === 'K') {
      this.at += 1
      return { kind: 'keep-out' }
    }
    if (letter === 'Q') {
      const end = this.source.indexOf('\\E', this.at)
      const text = this.source.slice(this.at + 1, end < 0 ? undefined : end)
      this.at = end < 0 ? this.source.length : end + 2
      return sequence(Array.from(text, character => this.literal(character.codePointAt(0) ?? 0)))
    }
    if (letter === 'R') {
      this.at += 1
      const nodes: Node[] = [
        sequence([this.literal(13), this.literal(10)]),
        { kind: 'set', set: [10, 13, 0x85, 0x85, 0x2028, 0x2029] },
      ]
      return { kind: 'alternation', nodes }
    }
    const [all, name, number, inBraces] =
      /^(?:k(?:<|\{|')(\w+)(?:>|\}|')|g?([1-9]\d?)|g\{(-?[1-9]\d?|[A-Za-z_]\w*)\})/.exec(
        this.source.slice(this.at, this.at + 60),
      ) ?? []
    if (all !== undefined) {
      const named = name ?? inBraces ?? ''
      const written = number === undefined ? (this.names.get(named) ?? Number(named)) : Number(number)
      // A negative number counts back from here.
      const index = written < 0 ? this.groups + 1 + written : written
      if (!Number.isInteger(index) || index < 1 || index > this.groups)
        throw new PatternError('reference to a group that does not exist')
      this.at += all.length
      return { kind: 'backreference', index, ignoresCase: this.options.ignoresCase === true }
    }
    return this.literal(this.escapedCharacter())
  }

  /** Behind the backslash: `\w` and its like, `\p{…}`; nothing is taken where it is none of them. */
  private escapedClass(): CharacterSet | undefined {
    const [all, letter, short, long] = /^([pP])(?:([A-Z])|\{(\^?\w+)\})/.exec(this.source.slice(this.at, this.at + 60)) ?? []
    if (all !== undefined) {
      const name = short ?? long ?? ''
      const set = propertySet(name.replace('^', ''))
      if (set === undefined) throw new PatternError('unknown property name after \\P or \\p')
      this.at += all.length
      return (letter === 'P') === name.startsWith('^') ? set : complement(set)
    }
    const name = this.source.charAt(this.at)
    const set = classOf(name.toLowerCase())
    if (set === undefined && name !== 'N') return undefined
    this.at += 1
    if (set === undefined) return complement(setOf(10))
    return name === name.toLowerCase() ? this.narrowed(set) : complement(this.narrowed(set))
  }

  private narrowed(set: CharacterSet): CharacterSet {
    return this.options.isAscii === true ? asciiPartOf(set) : set
  }

  /** Behind the backslash. */
  private escapedCharacter(): number {
    const [all, short, long, octal] =
      /^(?:x([\da-fA-F]{1,2})|[xu]\{?([\da-fA-F]{1,6})\}?|0([0-7]{0,2}))/.exec(this.source.slice(this.at, this.at + 12)) ?? []
    if (all !== undefined) {
      this.at += all.length
      return octal === undefined ? Number.parseInt(short ?? long ?? '0', 16) : Number.parseInt(octal || '0', 8)
    }
    const letter = this.source.charAt(this.at)
    const known = controls[letter]
    if (known !== undefined) {
      this.at += 1
      return known
    }
    if (/[A-Za-z]/.test(letter)) throw new PatternError(`\\${letter} is not available here`)
    return this.codePoint()
  }

  private bracket(): CharacterSet {
    const isNegative = this.takes('^')
    const sets: CharacterSet[] = []
    for (let isFirst = true; ; isFirst = false) {
      if (this.at >= this.source.length) throw new PatternError('missing terminating ] for character class')
      if (!isFirst && this.takes(']')) break
      sets.push(this.bracketItem())
    }
    const inside = this.cased(union(...sets))
    return isNegative ? complement(inside) : inside
  }

  private bracketItem(): CharacterSet {
    const [named, isNot, name = ''] = /^\[:(\^?)(\w+):\]/.exec(this.source.slice(this.at, this.at + 20)) ?? []
    if (named !== undefined) {
      const found = name === 'word' ? wordSet() : posixClass(name)
      if (found === undefined) throw new PatternError('unknown POSIX class name')
      const set = this.narrowed(found)
      this.at += named.length
      return isNot === '^' ? complement(set) : set
    }
    if (this.source.charAt(this.at) === '\\') {
      this.at += 1
      const set = this.escapedClass()
      if (set !== undefined) return set
      this.at -= 1
    }
    const low = this.bracketCharacter()
    if (this.source.charAt(this.at) !== '-' || /^-(?:\]|\\[wWdDsS]|$)/.test(this.source.slice(this.at, this.at + 3)))
      return setOf(low)
    this.at += 1
    const high = this.bracketCharacter()
    if (high < low) throw new PatternError('range out of order in character class')
    return [low, high]
  }

  private bracketCharacter(): number {
    if (!this.takes('\\')) return this.codePoint()
    if (this.takes('b')) return 8
    return this.escapedCharacter()
  }
}

function withFlags(options: PerlOptions, flags: string): PerlOptions {
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
  }
}

const assertions = {
  b: 'word-boundary',
  B: 'not-word-boundary',
  A: 'text-start',
  z: 'text-end',
  Z: 'perl-end',
} as Readonly<Record<string, 'word-boundary' | 'not-word-boundary' | 'text-start' | 'text-end' | 'perl-end'>>

const asciiAssertions: Partial<Readonly<Record<Assertion, Assertion>>> = {
  'word-boundary': 'ascii-boundary',
  'not-word-boundary': 'not-ascii-boundary',
}

const controls: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, f: 12, a: 7, e: 27 }
const digits: CharacterSet = [48, 57]
const blanks: CharacterSet = [9, 9, 32, 32, 160, 160]
const lineEnds: CharacterSet = [10, 13, 0x85, 0x85, 0x2028, 0x2029]

function classOf(letter: string): CharacterSet | undefined {
  switch (letter) {
    case 'd':
      return digits
    case 'w':
      return wordSet()
    case 's':
      return spaceSet()
    case 'h':
      return blanks
    case 'v':
      return lineEnds
    default:
      return undefined
  }
}
