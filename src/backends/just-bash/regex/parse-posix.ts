// POSIX's basic and extended regular expressions with GNU's additions, as sed, grep and awk read them.

import { union } from '../../../search/regex/code-points.ts'
import { complement, posixClass, setOf, spaceSet, withBothCases, wordSet, type CharacterSet } from './character-set.ts'
import { decodeText } from '../../../shell/byte-text.ts'
import { empty, PatternError, sequence, type Assertion, type Node, type Pattern } from './syntax.ts'

export interface PosixOptions {
  readonly syntax: 'basic' | 'extended'
  /** Which escapes stand for characters: `sed` knows \n, \t, \xHH and others, `awk` these inside brackets too, and \ddd. */
  readonly escapes: 'none' | 'sed' | 'awk'
  /** As the C library reads: an operator that repeats nothing is an error, and in a basic expression one behind another too. */
  readonly isStrict?: boolean
  /** As `sed --posix` reads: `\+`, `\?`, `\|`, `\w` and their kind are characters, and a bracket knows no escapes. */
  readonly isWithoutExtensions?: boolean
  readonly ignoresCase?: boolean
  /** `^` and `$` are at the ends of each line (sed's flag M). */
  readonly isMultiline?: boolean
  /** As grep reads: a `)` alone means itself, and neither `.` nor `[^x]` takes the end of a line. */
  readonly isOfLines?: boolean
  /** Receives what is odd about an expression of lines, but allowed. */
  readonly onWarning?: (warning: string) => void
}

/** Throws `PatternError`. */
export function parsePosix(source: string, options: PosixOptions): Pattern {
  return new Parser(source, options).parse()
}

const mostRepeats = 0x7fff

class Parser {
  private at = 0
  private groups = 0
  private depth = 0
  /** Nothing but assertions and operators was read of this branch. */
  private isLeading = true
  private readonly closed = new Set<number>()
  private readonly source: string
  private readonly options: PosixOptions
  private readonly isBasic: boolean

  constructor(source: string, options: PosixOptions) {
    this.source = source
    this.options = options
    this.isBasic = options.syntax === 'basic'
  }

  parse(): Pattern {
    const node = this.alternation()
    if (this.at < this.source.length) throw new PatternError('Unmatched ) or \\)')
    return { node, groupCount: this.groups, names: new Map() }
  }

  private alternation(): Node {
    const before = [...this.closed]
    const nodes = [this.branch()]
    while (this.takes('|')) {
      // A group of one alternative is unknown in the next.
      const closed = [...this.closed]
      for (const group of closed) if (!before.includes(group)) this.closed.delete(group)
      nodes.push(this.branch())
      for (const group of closed) this.closed.add(group)
    }
    const [first = empty] = nodes
    return nodes.length === 1 ? first : { kind: 'alternation', nodes }
  }

  private branch(): Node {
    const nodes: Node[] = []
    // In a basic expression an asterisk at its beginning is a character; an extended one passes over it.
    let isStart = true
    this.isLeading = true
    while (this.at < this.source.length && !this.sees('|') && !(this.depth > 0 && this.sees(')'))) {
      if (this.sees(')') && (this.isBasic || this.options.escapes === 'sed')) break
      const atom = this.atom(isStart)
      if (atom === undefined) continue
      if (atom.kind !== 'assertion') this.isLeading = false
      isStart = this.isBasic && isStart && atom.kind === 'assertion' && this.source.charAt(this.at - 1) === '^'
      const mayRepeat = !isStart && (atom.kind !== 'assertion' || this.isBasic || this.repeatsAssertions(atom.assertion))
      nodes.push(mayRepeat ? this.repeated(atom) : atom)
    }
    return sequence(nodes)
  }

  private repeatsAssertions(assertion: Assertion): boolean {
    return this.options.isStrict !== true && (this.options.escapes !== 'awk' || assertion !== 'text-start')
  }

  /** Whether the operator `letter` comes next: with a backslash in a basic expression, without in an extended one. */
  private sees(letter: string): boolean {
    if (this.isBasic && this.options.isWithoutExtensions === true && /[+?|]/.test(letter)) return false
    if (this.isBasic) return this.source.charAt(this.at) === '\\' && this.source.charAt(this.at + 1) === letter
    return this.source.charAt(this.at) === letter
  }

  private takes(letter: string): boolean {
    if (!this.sees(letter)) return false
    this.at += this.isBasic ? 2 : 1
    return true
  }

  private atom(isStart: boolean): Node | undefined {
    const { source } = this
    const character = source.charAt(this.at)
    if (this.takes('(')) return this.group()
    if (this.isBasic && character === '*' && isStart) return this.literal('*', 1)
    if (!this.isBasic && /[*+?]/.test(character)) {
      if (this.options.isStrict === true) throw new PatternError('Invalid preceding regular expression')
      // Nothing to repeat: awk takes it as a character, and GNU's other programs pass over it.
      if (this.options.escapes === 'awk') return this.literal(character, 1)
      this.at += 1
      this.passedOver(character)
      return undefined
    }
    if (isStart && this.sees('{') && this.options.escapes !== 'awk') {
      const isInterval = !this.isBasic && this.interval() !== undefined
      if (isInterval && this.options.isOfLines === true) {
        this.passedOver('{...}')
        return undefined
      }
      if (isInterval || this.options.isStrict === true) throw new PatternError('Invalid preceding regular expression')
      return this.literal('{', this.isBasic ? 2 : 1)
    }
    if (character === '[') return this.bracket()
    if (character === '.') {
      this.at += 1
      return { kind: 'set', set: complement(this.options.isOfLines === true ? setOf(10) : []) }
    }
    if (character === '^' && (!this.isBasic || this.isAnchorStart())) {
      this.at += 1
      return { kind: 'assertion', assertion: this.options.isMultiline === true ? 'line-start' : 'text-start' }
    }
    if (character === '$' && (!this.isBasic || this.isAnchorEnd())) {
      this.at += 1
      return { kind: 'assertion', assertion: this.options.isMultiline === true ? 'line-end' : 'text-end' }
    }
    if (character === '\\') return this.escape()
    const whole = String.fromCodePoint(source.codePointAt(this.at) ?? 0)
    return this.literal(whole, whole.length)
  }

  private isAnchorStart(): boolean {
    return (
      this.at === 0 || (/\\[(|]$|\n$/.test(this.source.slice(0, this.at)) && !/\\\\[(|]$/.test(this.source.slice(0, this.at)))
    )
  }

  private isAnchorEnd(): boolean {
    const rest = this.source.slice(this.at + 1)
    return rest === '' || rest.startsWith('\\)') || rest.startsWith('\\|') || rest.startsWith('\n')
  }

  private literal(character: string, length: number): Node {
    this.at += length
    return this.set(setOf(character.codePointAt(0) ?? 0))
  }

  private set(set: CharacterSet): Node {
    return { kind: 'set', set: this.options.ignoresCase === true ? withBothCases(set) : set }
  }

  private group(): Node {
    this.groups += 1
    const index = this.groups
    this.depth += 1
    if (this.depth > 200) throw new PatternError('Regular expression too big')
    const node = this.alternation()
    if (!this.takes(')')) throw new PatternError('Unmatched ( or \\(')
    this.depth -= 1
    this.closed.add(index)
    return { kind: 'group', index, node }
  }

  private repeated(atom: Node): Node {
    let node = atom
    for (let isFirst = true; ; isFirst = false) {
      const character = this.source.charAt(this.at)
      if (!isFirst && this.isBasic && this.options.isStrict === true && (character === '*' || this.sees('{')))
        throw new PatternError('Invalid preceding regular expression')
      if (character === '*') this.at += 1
      const isStar = character === '*'
      const isPlus = !isStar && this.takes('+')
      const isOptional = !isStar && !isPlus && this.takes('?')
      if (isStar || isPlus || isOptional) {
        if (atom.kind === 'assertion') this.passedOver(character)
        node = repeat(node, isPlus ? 1 : 0, isOptional ? 1 : Number.POSITIVE_INFINITY)
        continue
      }
      const bounds = this.sees('{') ? this.interval() : undefined
      if (bounds === undefined) return node
      if (atom.kind === 'assertion') this.passedOver('{...}')
      node = repeat(node, bounds.min, bounds.max)
    }
  }

  /** An operator repeats nothing. grep then takes a parenthesis behind it for a character. */
  private passedOver(operator: string): void {
    if (this.isBasic || this.options.isOfLines !== true) return
    const isInterval = operator.length > 1
    if (!isInterval && this.depth > 0 && this.source.charAt(this.at) === ')') throw new PatternError('Unmatched ( or \\(')
    if (this.isLeading) this.options.onWarning?.(`${operator} at start of expression`)
    if (isInterval) this.isLeading = false
  }

  private interval(): { readonly min: number; readonly max: number } | undefined {
    const begin = this.at + (this.isBasic ? 2 : 1)
    const found = (this.isBasic ? /^(\d*)(,?)(\d*)\\\}/ : /^(\d*)(,?)(\d*)\}/).exec(this.source.slice(begin))
    const [all = '', low = '', comma = '', high = ''] = found ?? []
    if (found === null || (low === '' && comma === '')) {
      const isTooLong = /^\d*,\d*,/.test(this.source.slice(begin))
      if (!this.isBasic && this.options.isStrict !== true && !isTooLong) return undefined
      const isClosed = this.source.includes(this.isBasic ? '\\}' : '}', begin)
      throw new PatternError(isClosed ? 'Invalid content of \\{\\}' : 'Unmatched \\{')
    }
    this.at = begin + all.length
    const min = low === '' ? 0 : Number(low)
    const max = comma === '' ? min : high === '' ? Number.POSITIVE_INFINITY : Number(high)
    if (min > max) throw new PatternError('Invalid content of \\{\\}')
    if (min > mostRepeats || (max !== Number.POSITIVE_INFINITY && max > mostRepeats))
      throw new PatternError('Regular expression too big')
    return { min, max }
  }

  private escape(): Node {
    const { source } = this
    const letter = source.charAt(this.at + 1)
    if (letter === '') throw new PatternError('Trailing backslash')
    const isAwk = this.options.escapes === 'awk'
    const isPlain = this.options.isWithoutExtensions === true
    const assertion = isPlain
      ? undefined
      : isAwk && letter === 'b'
        ? undefined
        : assertions[isAwk && letter === 'y' ? 'b' : letter]
    if (assertion !== undefined) {
      this.at += 2
      return { kind: 'assertion', assertion }
    }
    const set = isPlain ? undefined : escapedSet(letter)
    if (set !== undefined) {
      this.at += 2
      return { kind: 'set', set }
    }
    if (!isAwk && /[1-9]/.test(letter)) {
      const index = Number(letter)
      if (!this.closed.has(index)) throw new PatternError('Invalid back reference')
      this.at += 2
      return { kind: 'backreference', index, ignoresCase: this.options.ignoresCase === true }
    }
    const found = characterEscape(source, this.at, this.options.escapes)
    if (found !== undefined) {
      this.at = found.end
      return this.set(setOf(found.codePoint))
    }
    // In a basic expression `\{` behind nothing; everything else means itself.
    const whole = String.fromCodePoint(source.codePointAt(this.at + 1) ?? 0)
    return this.literal(whole, 1 + whole.length)
  }

  private bracket(): Node {
    const { source } = this
    const begin = this.at
    this.at += 1
    const isNegative = source.charAt(this.at) === '^'
    if (isNegative) this.at += 1
    const sets: CharacterSet[] = []
    for (let isFirst = true; ; isFirst = false) {
      if (this.at >= source.length) throw new PatternError('Unmatched [, [^, [:, [., or [=')
      if (source.charAt(this.at) === ']' && !isFirst) break
      sets.push(this.bracketItem())
    }
    this.at += 1
    if (this.options.escapes !== 'awk' && /^\[:[^\]]*:\]$/.test(source.slice(begin, this.at)))
      throw new PatternError('character class syntax is [[:space:]], not [:space:]')
    const inside = union(...sets, isNegative && this.options.isOfLines === true ? setOf(10) : [])
    const whole = this.options.ignoresCase === true ? withBothCases(inside) : inside
    return { kind: 'set', set: isNegative ? complement(whole) : whole }
  }

  private bracketItem(): CharacterSet {
    const { source } = this
    const [named, kind, name = ''] = /^\[([:=.])([^]*?)\1\]/.exec(source.slice(this.at, this.at + 40)) ?? []
    if (named !== undefined && kind === ':') {
      const set = posixClass(name)
      if (set === undefined) throw new PatternError('Invalid character class name')
      this.at += named.length
      return set
    }
    if (this.options.escapes === 'awk' && source.charAt(this.at) === '\\') {
      const set = escapedSet(source.charAt(this.at + 1))
      if (set !== undefined) {
        this.at += 2
        return set
      }
    }
    const low = this.bracketCharacter()
    if (source.charAt(this.at) !== '-' || source.charAt(this.at + 1) === ']' || this.at + 1 >= source.length) return setOf(low)
    this.at += 1
    const high = this.bracketCharacter()
    if (high < low) throw new PatternError('Invalid range end')
    return [low, high]
  }

  private bracketCharacter(): number {
    const { source } = this
    const [named, , name = ''] = /^\[([=.])([^]+?)\1\]/.exec(source.slice(this.at, this.at + 40)) ?? []
    if (named !== undefined) {
      if (Array.from(name).length !== 1) throw new PatternError('Invalid collation character')
      this.at += named.length
      return name.codePointAt(0) ?? 0
    }
    const { escapes } = this.options
    if (source.charAt(this.at) === '\\' && escapes !== 'none' && this.options.isWithoutExtensions !== true) {
      const found = characterEscape(source, this.at, escapes)
      if (found !== undefined) {
        this.at = found.end
        return found.codePoint
      }
      if (escapes === 'awk' && this.at + 1 < source.length) this.at += 1
    }
    const codePoint = source.codePointAt(this.at) ?? 0
    this.at += codePoint > 0xffff ? 2 : 1
    return codePoint
  }
}

function repeat(node: Node, min: number, max: number): Node {
  return { kind: 'repeat', node, min, max, mode: 'greedy' }
}

const assertions: Readonly<Record<string, Assertion>> = {
  b: 'word-boundary',
  B: 'not-word-boundary',
  '<': 'word-start',
  '>': 'word-end',
  '`': 'text-start',
  "'": 'text-end',
}

function escapedSet(letter: string): CharacterSet | undefined {
  switch (letter) {
    case 'w':
      return wordSet()
    case 'W':
      return complement(wordSet())
    case 's':
      return spaceSet()
    case 'S':
      return complement(spaceSet())
    default:
      return undefined
  }
}

const letterEscapes: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 }

/** The character that an escape such as \t, \x41 or \101 stands for. */
export function characterEscape(
  source: string,
  at: number,
  escapes: PosixOptions['escapes'],
): { readonly codePoint: number; readonly end: number } | undefined {
  if (escapes === 'none') return undefined
  const letter = source.charAt(at + 1)
  const known = letterEscapes[letter] ?? (escapes === 'awk' && letter === 'b' ? 8 : undefined)
  if (known !== undefined) return { codePoint: known, end: at + 2 }
  if (escapes === 'sed' && letter === 'c' && at + 2 < source.length)
    return {
      codePoint:
        source
          .charAt(at + 2)
          .toUpperCase()
          .charCodeAt(0) ^ 0x40,
      end: at + 3,
    }
  const first = byteEscape(source, at, escapes)
  if (first === undefined || first.codePoint < 0x80) return first
  // Bytes beyond ASCII that follow each other may be a character together.
  const bytes = [first.codePoint]
  for (let next = first; bytes.length < 4;) {
    const further = byteEscape(source, next.end, escapes)
    if (further === undefined) break
    bytes.push(further.codePoint)
    next = further
    const text = decodeText(Uint8Array.from(bytes))
    const codePoint = text.codePointAt(0) ?? 0
    if (Array.from(text).length === 1) return { codePoint, end: next.end }
  }
  return { codePoint: 0xdc00 + first.codePoint, end: first.end }
}

function byteEscape(
  source: string,
  at: number,
  escapes: PosixOptions['escapes'],
): { readonly codePoint: number; readonly end: number } | undefined {
  const found = (escapes === 'sed' ? sedNumber : awkNumber).exec(source.slice(at, at + 5))
  if (found === null) return undefined
  const { hex, decimal, octal = '' } = found.groups ?? {}
  const value = hex !== undefined ? Number.parseInt(hex, 16) : decimal !== undefined ? Number(decimal) : Number.parseInt(octal, 8)
  return { codePoint: value & 0xff, end: at + found[0].length }
}

const sedNumber = /^\\(?:x(?<hex>[\da-fA-F]{1,2})|d(?<decimal>\d{1,3})|o(?<octal>[0-7]{1,3}))/
const awkNumber = /^\\(?:x(?<hex>[\da-fA-F]{1,2})|(?<octal>[0-7]{1,3}))/
