// Why ripgrep refuses a pattern: the place and the words of its error. The engine's own parser decides what a pattern means; this one only
// looks for the first error of its syntax, and knows nothing of matching.

import { breakProperty } from '../../search/regex/break-properties.ts'
import { propertyClass } from '../../search/regex/unicode.ts'
import { pictureOf, type PatternSpan } from './pattern-picture.ts'

export interface PatternProblem {
  readonly message: string
  /** PCRE2 can read it. */
  readonly isForPerl: boolean
}

/** Returns `undefined` if the syntax is right. `sources` are alternatives; ripgrep puts each into a group. */
export function problemOfPattern(sources: readonly string[], unicode: boolean): PatternProblem | undefined {
  const reader = new PatternReader([...sources.map(source => `(?:${source})`).join('|')], unicode)
  try {
    reader.readAll()
    return undefined
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error
    return { message: pictureOf(reader.codePoints, error.spans, error.message), isForPerl: error.isForPerl }
  }
}

class SyntaxProblem extends Error {
  readonly spans: readonly PatternSpan[]
  readonly isForPerl: boolean

  constructor(message: string, spans: readonly PatternSpan[], isForPerl: boolean = false) {
    super(message)
    this.spans = spans
    this.isForPerl = isForPerl
  }
}

/** What a repetition may stand on: `nothing` at the start of an alternative and after flags. */
type Before = 'nothing' | 'item'

interface OpenGroup {
  readonly start: number
  readonly flags: ReadFlags
}

interface ReadFlags {
  readonly ignoresSpace: boolean
  readonly unicode: boolean
}

type ClassItem = { readonly kind: 'literal'; readonly code: number } | { readonly kind: 'class' } | { readonly kind: 'position' }

const isMeta = (character: string): boolean => /^[\\.+*?()|[\]{}^$#&\-~]$/.test(character)
const isSpace = (character: string | undefined): boolean => character !== undefined && /^\s$/u.test(character)
const asciiClasses = /^(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit)$/
const maxCode = 0x10ffff

/** Properties whose values are known, or at least their names. */
const propertyNames =
  /^(?:gc|generalcategory|sc|script|scx|scriptextensions|gcb|graphemeclusterbreak|wb|wordbreak|sb|sentencebreak)$/

/** What is wrong with the name of a class of Unicode. Ages exist in ripgrep, so they are no error of the pattern. */
function problemOfProperty(name: string): string | undefined {
  const written = name.replace('!=', '=')
  if (propertyClass(written) !== undefined || breakProperty(written) !== undefined) return undefined
  const property = /^([^=:]*)[=:]/
    .exec(written)?.[1]
    ?.toLowerCase()
    .replaceAll(/[\s_-]/g, '')
  if (property === 'age') return undefined
  return property !== undefined && propertyNames.test(property)
    ? 'Unicode property value not found'
    : 'Unicode property not found'
}

class PatternReader {
  readonly codePoints: readonly string[]
  readonly #groups: OpenGroup[] = []
  readonly #names = new Map<string, PatternSpan>()
  #at = 0
  #flags: ReadFlags
  #before: Before = 'nothing'
  /** About a name, which counts only if the syntax is right. */
  #later: SyntaxProblem | undefined

  constructor(codePoints: readonly string[], unicode: boolean) {
    this.codePoints = codePoints
    this.#flags = { ignoresSpace: false, unicode }
  }

  readAll(): void {
    for (;;) {
      this.#skipSpace()
      const character = this.#peek()
      if (character === undefined) break
      this.#readPart(character)
    }
    const open = this.#groups.at(-1)
    if (open !== undefined) this.#fail('unclosed group', open.start, open.start + 1)
    if (this.#later !== undefined) throw this.#later
  }

  #readPart(character: string): void {
    const start = this.#at
    switch (character) {
      case '(':
        return this.#openGroup()
      case ')': {
        const open = this.#groups.pop()
        if (open === undefined) this.#fail('unopened group', start, start + 1)
        this.#flags = open.flags
        this.#before = 'item'
        this.#at++
        return
      }
      case '|':
        this.#before = 'nothing'
        this.#at++
        return
      case '[':
        this.#readClass()
        break
      case '?':
      case '*':
      case '+':
        if (this.#before === 'nothing') this.#fail('repetition operator missing expression', start, start)
        this.#at++
        if (this.#peek() === '?') this.#at++
        return
      case '{':
        return this.#readBounds()
      case '\\':
        this.#readEscape()
        break
      default:
        this.#at++
    }
    this.#before = 'item'
  }

  #fail(message: string, start: number, end: number, ...others: readonly PatternSpan[]): never {
    throw new SyntaxProblem(message, [{ start, end }, ...others])
  }

  #peek(ahead: number = 0): string | undefined {
    return this.codePoints[this.#at + ahead]
  }

  get #isAtEnd(): boolean {
    return this.#at >= this.codePoints.length
  }

  /** With the flag `x`, blanks and comments do not count. */
  #skipSpace(): void {
    if (!this.#flags.ignoresSpace) return
    for (;;) {
      while (isSpace(this.#peek())) this.#at++
      if (this.#peek() !== '#') return
      while (!this.#isAtEnd && this.#peek() !== '\n') this.#at++
    }
  }

  /** One character on, and blanks as the flag `x` says. */
  #step(): boolean {
    this.#at++
    this.#skipSpace()
    return !this.#isAtEnd
  }

  #take(text: string): boolean {
    if (this.codePoints.slice(this.#at, this.#at + text.length).join('') !== text) return false
    this.#at += text.length
    return true
  }

  #openGroup(): void {
    const start = this.#at
    const outer = this.#flags
    this.#at++
    this.#skipSpace()
    const inner = this.#at
    if (['?=', '?!', '?<=', '?<!'].some(prefix => this.#take(prefix))) {
      throw new SyntaxProblem(
        'look-around, including look-ahead and look-behind, is not supported',
        [{ start, end: this.#at }],
        true,
      )
    }
    if (this.#take('?P<') || this.#take('?<')) this.#readName()
    else if (this.#take('?')) {
      if (this.#isAtEnd) this.#fail('unclosed group', start, start + 1)
      const count = this.#readFlags()
      if (this.#peek() === ')') {
        this.#at++
        if (count === 0) this.#fail('repetition operator missing expression', inner, inner)
        this.#before = 'nothing'
        return
      }
      this.#at++
    }
    this.#groups.push({ start, flags: outer })
    this.#before = 'nothing'
  }

  #readName(): void {
    const start = this.#at
    for (; !this.#isAtEnd && this.#peek() !== '>'; this.#at++) {
      const character = this.#peek() ?? ''
      const isNamePart = this.#at === start ? /^[_\p{Alphabetic}]$/u : /^[_.[\]\p{Alphabetic}\p{N}]$/u
      if (!isNamePart.test(character)) this.#fail('invalid capture group character', this.#at, this.#at + 1)
    }
    const end = this.#at
    if (this.#isAtEnd) this.#fail('unclosed capture group name', end, end)
    this.#at++
    if (end === start) this.#fail('empty capture group name', start, start)
    const name = this.codePoints.slice(start, end).join('')
    const earlier = this.#names.get(name)
    if (earlier !== undefined) this.#fail('duplicate capture group name', start, end, earlier)
    this.#names.set(name, { start, end })
  }

  /** Up to the `:` or `)` that ends them. Returns how many there are. */
  #readFlags(): number {
    const seen = new Map<string, number>()
    let isOn = true
    let lastWasNegation = false
    while (this.#peek() !== ':' && this.#peek() !== ')') {
      const at = this.#at
      const letter = this.#peek() ?? ''
      const earlier = seen.get(letter)
      const others = earlier === undefined ? [] : [{ start: earlier, end: earlier + 1 }]
      lastWasNegation = letter === '-'
      if (letter !== '-' && !/^[imsUuxR]$/.test(letter)) this.#fail('unrecognized flag', at, at + 1)
      if (earlier !== undefined) {
        this.#fail(letter === '-' ? 'flag negation operator repeated' : 'duplicate flag', at, at + 1, ...others)
      }
      seen.set(letter, at)
      if (letter === '-') isOn = false
      if (letter === 'x') this.#flags = { ...this.#flags, ignoresSpace: isOn }
      if (letter === 'u') this.#flags = { ...this.#flags, unicode: isOn }
      this.#at++
      if (this.#isAtEnd) this.#fail('expected flag but got end of regex', this.#at, this.#at)
    }
    if (lastWasNegation) this.#fail('dangling flag negation operator', this.#at - 1, this.#at)
    return seen.size
  }

  #readBounds(): void {
    const start = this.#at
    const unclosed = (): never => this.#fail('unclosed counted repetition', start, this.#at)
    if (this.#before === 'nothing') this.#fail('repetition operator missing expression', start, start)
    if (!this.#step()) unclosed()
    const min = this.#readDecimal()
    if (this.#isAtEnd) unclosed()
    let max = min
    if (this.#peek() === ',') {
      if (!this.#step()) unclosed()
      if (this.#peek() === '}') max = { ...min, value: Number.POSITIVE_INFINITY }
      else {
        this.#needDecimal(min)
        max = this.#readDecimal()
        this.#needDecimal(max)
      }
    }
    this.#needDecimal(min)
    if (this.#isAtEnd || this.#peek() !== '}') unclosed()
    this.#at++
    if (this.#peek() === '?') this.#at++
    if ((min.value ?? 0) > (max.value ?? 0)) {
      this.#fail('invalid repetition count range, the start must be <= the end', start, this.#at)
    }
  }

  #readDecimal(): { readonly value: number | undefined; readonly start: number; readonly end: number } {
    while (isSpace(this.#peek())) this.#at++
    const start = this.#at
    let digits = ''
    for (let digit = this.#peek(); digit !== undefined && /^[0-9]$/.test(digit); digit = this.#peek()) {
      digits += digit
      this.#step()
    }
    const end = this.#at
    while (isSpace(this.#peek())) this.#step()
    if (Number(digits) >= 2 ** 32) this.#fail('decimal literal invalid', start, end)
    return { value: digits === '' ? undefined : Number(digits), start, end }
  }

  #needDecimal({
    value,
    start,
    end,
  }: {
    readonly value: number | undefined
    readonly start: number
    readonly end: number
  }): void {
    if (value === undefined) this.#fail('repetition quantifier expects a valid decimal', start, end)
  }

  #readEscape(): ClassItem {
    const start = this.#at
    this.#at++
    const letter = this.#peek()
    if (letter === undefined) {
      this.#fail('incomplete escape sequence, reached end of pattern prematurely', start, this.#at)
    }
    if (/^[0-9]$/.test(letter)) {
      throw new SyntaxProblem('backreferences are not supported', [{ start, end: this.#at + 1 }], true)
    }
    if (/^[xuU]$/.test(letter)) return this.#readHex(letter)
    if (letter === 'p' || letter === 'P') return this.#readProperty(start)
    this.#at++
    if (/^[dswDSW]$/.test(letter)) return { kind: 'class' }
    if (letter === 'b') return this.#readBoundary(start)
    if (/^[AzB<>]$/.test(letter)) return { kind: 'position' }
    const control = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 }[letter]
    if (control !== undefined) return { kind: 'literal', code: control }
    if (!isMeta(letter) && !/^(?![0-9A-Za-z])[\0-\x7f]$/.test(letter)) {
      this.#fail('unrecognized escape sequence', start, this.#at)
    }
    return { kind: 'literal', code: letter.codePointAt(0) ?? 0 }
  }

  /** After `\b`: a name in braces, or the braces of a repetition. */
  #readBoundary(start: number): ClassItem {
    const isNamePart = (character: string | undefined): boolean => character !== undefined && /^[A-Za-z-]$/.test(character)
    if (this.#peek() !== '{') return { kind: 'position' }
    const brace = this.#at
    if (!this.#step()) {
      this.#fail(
        'found either the beginning of a special word boundary or a bounded repetition on a \\b with an opening brace, but no closing brace',
        start,
        this.#at,
      )
    }
    if (!isNamePart(this.#peek())) {
      this.#at = brace
      return { kind: 'position' }
    }
    const nameStart = this.#at
    let name = ''
    for (; isNamePart(this.#peek()); this.#step()) name += this.#peek() ?? ''
    if (this.#peek() !== '}') {
      this.#fail('special word boundary assertion is either unclosed or contains an invalid character', brace, this.#at)
    }
    const nameEnd = this.#at
    this.#at++
    if (!['start', 'end', 'start-half', 'end-half'].includes(name)) {
      this.#fail(
        'unrecognized special word boundary assertion, valid choices are: start, end, start-half or end-half',
        nameStart,
        nameEnd,
      )
    }
    return { kind: 'position' }
  }

  #readHex(letter: string): ClassItem {
    const atEnd = (from: number): never =>
      this.#fail('incomplete escape sequence, reached end of pattern prematurely', from, this.#at)
    if (!this.#step()) atEnd(this.#at)
    const brace = this.#at
    let digits = ''
    if (this.#peek() === '{') {
      while (this.#step() && this.#peek() !== '}') digits += this.#hexDigit()
      if (this.#isAtEnd) atEnd(brace)
      const end = this.#at
      this.#step()
      if (digits === '') this.#fail('hexadecimal literal empty', brace, this.#at)
      return this.#character(digits, brace + 1, end)
    }
    const count = { x: 2, u: 4 }[letter] ?? 8
    for (let index = 0; index < count; index++) {
      if (index > 0 && !this.#step()) atEnd(this.#at)
      digits += this.#hexDigit()
    }
    this.#step()
    return this.#character(digits, brace, this.#at)
  }

  #hexDigit(): string {
    const digit = this.#peek() ?? ''
    if (!/^[0-9A-Fa-f]$/.test(digit)) this.#fail('invalid hexadecimal digit', this.#at, this.#at + 1)
    return digit
  }

  #character(digits: string, start: number, end: number): ClassItem {
    const code = Number.parseInt(digits, 16)
    if (code > maxCode || (code >= 0xd800 && code <= 0xdfff)) {
      this.#fail('hexadecimal literal is not a Unicode scalar value', start, end)
    }
    return { kind: 'literal', code }
  }

  #readProperty(start: number): ClassItem {
    if (!this.#step()) this.#fail('incomplete escape sequence, reached end of pattern prematurely', this.#at, this.#at)
    let name = ''
    if (this.#peek() === '{') {
      while (this.#step() && this.#peek() !== '}') name += this.#peek() ?? ''
      if (this.#isAtEnd) this.#fail('incomplete escape sequence, reached end of pattern prematurely', this.#at, this.#at)
      this.#at++
    } else {
      name = this.#peek() ?? ''
      if (name === '\\') this.#fail('invalid Unicode character class', this.#at, this.#at + 1)
      this.#step()
    }
    const message = this.#flags.unicode ? problemOfProperty(name) : 'Unicode not allowed here'
    if (message !== undefined) this.#later ??= new SyntaxProblem(message, [{ start, end: this.#at }])
    return { kind: 'class' }
  }

  #readClass(): void {
    const opened: PatternSpan[] = []
    this.#openClass(opened)
    while (opened.length > 0) {
      this.#skipSpace()
      const character = this.#peek()
      if (character === undefined) this.#unclosedClass(opened)
      if (character === '[') {
        if (!this.#takeAsciiClass()) this.#openClass(opened)
      } else if (character === ']') {
        opened.pop()
        this.#at++
      } else if ('&-~'.includes(character) && this.#peek(1) === character) this.#at += 2
      else this.#readRange(opened)
    }
  }

  #unclosedClass(opened: readonly PatternSpan[]): never {
    const { start, end } = opened.at(-1) ?? { start: this.#at, end: this.#at }
    this.#fail('unclosed character class', start, end)
  }

  #openClass(opened: PatternSpan[]): void {
    const start = this.#at
    const step = (end?: number): void => {
      if (!this.#step()) this.#fail('unclosed character class', start, end ?? this.#at)
    }
    step()
    if (this.#peek() === '^') step()
    const first = this.#at
    while (this.#peek() === '-') step(start)
    if (this.#at === first && this.#peek() === ']') step()
    opened.push({ start, end: this.#at })
  }

  /** `[:alpha:]`; another name is no such class. */
  #takeAsciiClass(): boolean {
    const rest = this.codePoints.slice(this.#at).join('')
    const name = /^\[:\^?([^:]*):\]/su.exec(rest)
    if (name?.[1] === undefined || !asciiClasses.test(name[1])) return false
    this.#at += [...name[0]].length
    return true
  }

  #readRange(opened: readonly PatternSpan[]): void {
    const start = this.#at
    const first = this.#readClassItem()
    const firstEnd = this.#at
    this.#skipSpace()
    if (this.#isAtEnd) this.#unclosedClass(opened)
    if (this.#peek() !== '-' || this.#isBeforeEnd()) {
      if (first.kind === 'position') this.#fail('invalid escape sequence found in character class', start, firstEnd)
      return
    }
    if (!this.#step()) this.#unclosedClass(opened)
    const secondStart = this.#at
    const second = this.#readClassItem()
    if (first.kind !== 'literal') this.#fail('invalid range boundary, must be a literal', start, firstEnd)
    if (second.kind !== 'literal') this.#fail('invalid range boundary, must be a literal', secondStart, this.#at)
    if (first.code > second.code) {
      this.#fail('invalid character class range, the start must be <= the end', start, this.#at)
    }
  }

  /** Whether the dash here is the last of the class, or one of two. */
  #isBeforeEnd(): boolean {
    let ahead = 1
    if (this.#flags.ignoresSpace) while (isSpace(this.#peek(ahead))) ahead++
    return this.#peek(ahead) === ']' || this.#peek(ahead) === '-'
  }

  #readClassItem(): ClassItem {
    if (this.#peek() === '\\') return this.#readEscape()
    const code = this.#peek()?.codePointAt(0) ?? 0
    this.#at++
    return { kind: 'literal', code }
  }
}
