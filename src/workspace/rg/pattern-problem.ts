// Why ripgrep refuses a pattern: the place and the words of its error. The engine's own parser decides the meaning of a pattern; this
// one only looks for its first syntax error.

import { type PatternSpan, pictureOf } from './pattern-picture.ts'
import { type ClassItem, EscapeReader, isSpace, type ReadFlags, SyntaxProblem } from './escape-problem.ts'

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

/** What a repetition may stand on: `nothing` at the start of an alternative and after flags. */
type Before = 'nothing' | 'item'

interface OpenGroup {
  readonly start: number
  readonly flags: ReadFlags
}

const asciiClasses = /^(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit)$/

class PatternReader extends EscapeReader {
  readonly #groups: OpenGroup[] = []
  readonly #names = new Map<string, PatternSpan>()
  #before: Before = 'nothing'

  readAll(): void {
    for (;;) {
      this.skipSpace()
      const character = this.peek()
      if (character === undefined) break
      this.#readPart(character)
    }
    const open = this.#groups.at(-1)
    if (open !== undefined) this.fail('unclosed group', open.start, open.start + 1)
    if (this.later !== undefined) throw this.later
  }

  #readPart(character: string): void {
    const start = this.at
    switch (character) {
      case '(':
        return this.#openGroup()
      case ')': {
        const open = this.#groups.pop()
        if (open === undefined) this.fail('unopened group', start, start + 1)
        this.flags = open.flags
        this.#before = 'item'
        this.at++
        return
      }
      case '|':
        this.#before = 'nothing'
        this.at++
        return
      case '[':
        this.#readClass()
        break
      case '?':
      case '*':
      case '+':
        if (this.#before === 'nothing') this.fail('repetition operator missing expression', start, start)
        this.at++
        if (this.peek() === '?') this.at++
        return
      case '{':
        return this.#readBounds()
      case '\\':
        this.readEscape()
        break
      default:
        this.at++
    }
    this.#before = 'item'
  }

  #take(text: string): boolean {
    if (this.codePoints.slice(this.at, this.at + text.length).join('') !== text) return false
    this.at += text.length
    return true
  }

  #openGroup(): void {
    const start = this.at
    const outer = this.flags
    this.at++
    this.skipSpace()
    const inner = this.at
    if (['?=', '?!', '?<=', '?<!'].some(prefix => this.#take(prefix))) {
      throw new SyntaxProblem(
        'look-around, including look-ahead and look-behind, is not supported',
        [{ start, end: this.at }],
        true,
      )
    }
    if (this.#take('?P<') || this.#take('?<')) this.#readName()
    else if (this.#take('?')) {
      if (this.isAtEnd) this.fail('unclosed group', start, start + 1)
      const count = this.#readFlags()
      if (this.peek() === ')') {
        this.at++
        if (count === 0) this.fail('repetition operator missing expression', inner, inner)
        this.#before = 'nothing'
        return
      }
      this.at++
    }
    this.#groups.push({ start, flags: outer })
    this.#before = 'nothing'
  }

  #readName(): void {
    const start = this.at
    for (; !this.isAtEnd && this.peek() !== '>'; this.at++) {
      const character = this.peek() ?? ''
      const isNamePart = this.at === start ? /^[_\p{Alphabetic}]$/u : /^[_.[\]\p{Alphabetic}\p{N}]$/u
      if (!isNamePart.test(character)) this.fail('invalid capture group character', this.at, this.at + 1)
    }
    const end = this.at
    if (this.isAtEnd) this.fail('unclosed capture group name', end, end)
    this.at++
    if (end === start) this.fail('empty capture group name', start, start)
    const name = this.codePoints.slice(start, end).join('')
    const earlier = this.#names.get(name)
    if (earlier !== undefined) this.fail('duplicate capture group name', start, end, earlier)
    this.#names.set(name, { start, end })
  }

  /** Up to the `:` or `)` that ends them. Returns how many there are. */
  #readFlags(): number {
    const seen = new Map<string, number>()
    let isOn = true
    let lastWasNegation = false
    while (this.peek() !== ':' && this.peek() !== ')') {
      const at = this.at
      const letter = this.peek() ?? ''
      const earlier = seen.get(letter)
      const others = earlier === undefined ? [] : [{ start: earlier, end: earlier + 1 }]
      lastWasNegation = letter === '-'
      if (letter !== '-' && !/^[imsUuxR]$/.test(letter)) this.fail('unrecognized flag', at, at + 1)
      if (earlier !== undefined)
        this.fail(letter === '-' ? 'flag negation operator repeated' : 'duplicate flag', at, at + 1, ...others)
      seen.set(letter, at)
      if (letter === '-') isOn = false
      if (letter === 'x') this.flags = { ...this.flags, ignoresSpace: isOn }
      if (letter === 'u') this.flags = { ...this.flags, unicode: isOn }
      this.at++
      if (this.isAtEnd) this.fail('expected flag but got end of regex', this.at, this.at)
    }
    if (lastWasNegation) this.fail('dangling flag negation operator', this.at - 1, this.at)
    return seen.size
  }

  #readBounds(): void {
    const start = this.at
    const unclosed = (): never => this.fail('unclosed counted repetition', start, this.at)
    if (this.#before === 'nothing') this.fail('repetition operator missing expression', start, start)
    if (!this.step()) unclosed()
    const min = this.#readDecimal()
    if (this.isAtEnd) unclosed()
    let max = min
    if (this.peek() === ',') {
      if (!this.step()) unclosed()
      if (this.peek() === '}') max = { ...min, value: Number.POSITIVE_INFINITY }
      else {
        this.#needDecimal(min)
        max = this.#readDecimal()
        this.#needDecimal(max)
      }
    }
    this.#needDecimal(min)
    if (this.isAtEnd || this.peek() !== '}') unclosed()
    this.at++
    if (this.peek() === '?') this.at++
    if ((min.value ?? 0) > (max.value ?? 0))
      this.fail('invalid repetition count range, the start must be <= the end', start, this.at)
  }

  #readDecimal(): { readonly value: number | undefined; readonly start: number; readonly end: number } {
    while (isSpace(this.peek())) this.at++
    const start = this.at
    let digits = ''
    for (let digit = this.peek(); digit !== undefined && /^[0-9]$/.test(digit); digit = this.peek()) {
      digits += digit
      this.step()
    }
    const end = this.at
    while (isSpace(this.peek())) this.step()
    if (Number(digits) >= 2 ** 32) this.fail('decimal literal invalid', start, end)
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
    if (value === undefined) this.fail('repetition quantifier expects a valid decimal', start, end)
  }

  #readClass(): void {
    const opened: PatternSpan[] = []
    this.#openClass(opened)
    while (opened.length > 0) {
      this.skipSpace()
      const character = this.peek()
      if (character === undefined) this.#unclosedClass(opened)
      if (character === '[') {
        if (!this.#takeAsciiClass()) this.#openClass(opened)
      } else if (character === ']') {
        opened.pop()
        this.at++
      } else if ('&-~'.includes(character) && this.peek(1) === character) this.at += 2
      else this.#readRange(opened)
    }
  }

  #unclosedClass(opened: readonly PatternSpan[]): never {
    const { start, end } = opened.at(-1) ?? { start: this.at, end: this.at }
    this.fail('unclosed character class', start, end)
  }

  #openClass(opened: PatternSpan[]): void {
    const start = this.at
    const step = (end?: number): void => {
      if (!this.step()) this.fail('unclosed character class', start, end ?? this.at)
    }
    step()
    if (this.peek() === '^') step()
    const first = this.at
    while (this.peek() === '-') step(start)
    if (this.at === first && this.peek() === ']') step()
    opened.push({ start, end: this.at })
  }

  /** `[:alpha:]`; false for an unknown name. */
  #takeAsciiClass(): boolean {
    const rest = this.codePoints.slice(this.at).join('')
    const name = /^\[:\^?([^:]*):\]/su.exec(rest)
    if (name?.[1] === undefined || !asciiClasses.test(name[1])) return false
    this.at += [...name[0]].length
    return true
  }

  #readRange(opened: readonly PatternSpan[]): void {
    const start = this.at
    const first = this.#readClassItem()
    const firstEnd = this.at
    this.skipSpace()
    if (this.isAtEnd) this.#unclosedClass(opened)
    if (this.peek() !== '-' || this.#isBeforeEnd()) {
      if (first.kind === 'position') this.fail('invalid escape sequence found in character class', start, firstEnd)
      return
    }
    if (!this.step()) this.#unclosedClass(opened)
    const secondStart = this.at
    const second = this.#readClassItem()
    if (first.kind !== 'literal') this.fail('invalid range boundary, must be a literal', start, firstEnd)
    if (second.kind !== 'literal') this.fail('invalid range boundary, must be a literal', secondStart, this.at)
    if (first.code > second.code) this.fail('invalid character class range, the start must be <= the end', start, this.at)
  }

  /** Whether the dash here is the last of the class, or one of two. */
  #isBeforeEnd(): boolean {
    let ahead = 1
    if (this.flags.ignoresSpace) while (isSpace(this.peek(ahead))) ahead++
    return this.peek(ahead) === ']' || this.peek(ahead) === '-'
  }

  #readClassItem(): ClassItem {
    if (this.peek() === '\\') return this.readEscape()
    const code = this.peek()?.codePointAt(0) ?? 0
    this.at++
    return { kind: 'literal', code }
  }
}
