// Reads the escapes of a pattern and finds what is wrong with them.

import type { PatternSpan } from './pattern-picture.ts'
import { propertyClass } from '../../search/regex/unicode.ts'
import { breakProperty } from '../../search/regex/break-properties.ts'

export class SyntaxProblem extends Error {
  readonly spans: readonly PatternSpan[]
  readonly isForPerl: boolean

  constructor(message: string, spans: readonly PatternSpan[], isForPerl: boolean = false) {
    super(message)
    this.spans = spans
    this.isForPerl = isForPerl
  }
}

export interface ReadFlags {
  readonly ignoresSpace: boolean
  readonly unicode: boolean
}

export type ClassItem =
  | { readonly kind: 'literal'; readonly code: number }
  | { readonly kind: 'class' }
  | { readonly kind: 'position' }

const isMeta = (character: string): boolean => /^[\\.+*?()|[\]{}^$#&\-~]$/.test(character)
export const isSpace = (character: string | undefined): boolean => character !== undefined && /^\s$/u.test(character)

const maxCode = 0x10ffff

/** Properties whose values are known, or at least their names. */
const propertyNames =
  /^(?:gc|generalcategory|sc|script|scx|scriptextensions|gcb|graphemeclusterbreak|wb|wordbreak|sb|sentencebreak)$/

/** What is wrong with the name of a class of Unicode. Ages exist in ripgrep, so they are not an error of the pattern. */
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

export class EscapeReader {
  readonly codePoints: readonly string[]
  protected at = 0
  protected flags: ReadFlags
  /** About a name, which counts only if the syntax is right. */
  protected later: SyntaxProblem | undefined

  constructor(codePoints: readonly string[], unicode: boolean) {
    this.codePoints = codePoints
    this.flags = { ignoresSpace: false, unicode }
  }

  protected fail(message: string, start: number, end: number, ...others: readonly PatternSpan[]): never {
    throw new SyntaxProblem(message, [{ start, end }, ...others])
  }

  protected peek(ahead: number = 0): string | undefined {
    return this.codePoints[this.at + ahead]
  }

  protected get isAtEnd(): boolean {
    return this.at >= this.codePoints.length
  }

  /** With the flag `x`, blanks and comments do not count. */
  protected skipSpace(): void {
    if (!this.flags.ignoresSpace) return
    for (;;) {
      while (isSpace(this.peek())) this.at++
      if (this.peek() !== '#') return
      while (!this.isAtEnd && this.peek() !== '\n') this.at++
    }
  }

  /** One character on, and blanks as the flag `x` says. */
  protected step(): boolean {
    this.at++
    this.skipSpace()
    return !this.isAtEnd
  }

  protected readEscape(): ClassItem {
    const start = this.at
    this.at++
    const letter = this.peek()
    if (letter === undefined) this.fail('incomplete escape sequence, reached end of pattern prematurely', start, this.at)
    if (/^[0-9]$/.test(letter)) throw new SyntaxProblem('backreferences are not supported', [{ start, end: this.at + 1 }], true)
    if (/^[xuU]$/.test(letter)) return this.#readHex(letter)
    if (letter === 'p' || letter === 'P') return this.#readProperty(start)
    this.at++
    if (/^[dswDSW]$/.test(letter)) return { kind: 'class' }
    if (letter === 'b') return this.#readBoundary(start)
    if (/^[AzB<>]$/.test(letter)) return { kind: 'position' }
    const control = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 }[letter]
    if (control !== undefined) return { kind: 'literal', code: control }
    if (!isMeta(letter) && !/^(?![0-9A-Za-z])[\0-\x7f]$/.test(letter)) this.fail('unrecognized escape sequence', start, this.at)
    return { kind: 'literal', code: letter.codePointAt(0) ?? 0 }
  }

  /** After `\b`: a name in braces, or the braces of a repetition. */
  #readBoundary(start: number): ClassItem {
    const isNamePart = (character: string | undefined): boolean => character !== undefined && /^[A-Za-z-]$/.test(character)
    if (this.peek() !== '{') return { kind: 'position' }
    const brace = this.at
    if (!this.step()) {
      this.fail(
        'found either the beginning of a special word boundary or a bounded repetition on a \\b with an opening brace, but no closing brace',
        start,
        this.at,
      )
    }
    if (!isNamePart(this.peek())) {
      this.at = brace
      return { kind: 'position' }
    }
    const nameStart = this.at
    let name = ''
    for (; isNamePart(this.peek()); this.step()) name += this.peek() ?? ''
    if (this.peek() !== '}')
      this.fail('special word boundary assertion is either unclosed or contains an invalid character', brace, this.at)
    const nameEnd = this.at
    this.at++
    if (!['start', 'end', 'start-half', 'end-half'].includes(name)) {
      this.fail(
        'unrecognized special word boundary assertion, valid choices are: start, end, start-half or end-half',
        nameStart,
        nameEnd,
      )
    }
    return { kind: 'position' }
  }

  #readHex(letter: string): ClassItem {
    const atEnd = (from: number): never =>
      this.fail('incomplete escape sequence, reached end of pattern prematurely', from, this.at)
    if (!this.step()) atEnd(this.at)
    const brace = this.at
    let digits = ''
    if (this.peek() === '{') {
      while (this.step() && this.peek() !== '}') digits += this.#hexDigit()
      if (this.isAtEnd) atEnd(brace)
      const end = this.at
      this.step()
      if (digits === '') this.fail('hexadecimal literal empty', brace, this.at)
      return this.#character(digits, brace + 1, end)
    }
    const count = { x: 2, u: 4 }[letter] ?? 8
    for (let index = 0; index < count; index++) {
      if (index > 0 && !this.step()) atEnd(this.at)
      digits += this.#hexDigit()
    }
    this.step()
    return this.#character(digits, brace, this.at)
  }

  #hexDigit(): string {
    const digit = this.peek() ?? ''
    if (!/^[0-9A-Fa-f]$/.test(digit)) this.fail('invalid hexadecimal digit', this.at, this.at + 1)
    return digit
  }

  #character(digits: string, start: number, end: number): ClassItem {
    const code = Number.parseInt(digits, 16)
    if (code > maxCode || (code >= 0xd800 && code <= 0xdfff))
      this.fail('hexadecimal literal is not a Unicode scalar value', start, end)
    return { kind: 'literal', code }
  }

  #readProperty(start: number): ClassItem {
    if (!this.step()) this.fail('incomplete escape sequence, reached end of pattern prematurely', this.at, this.at)
    let name = ''
    if (this.peek() === '{') {
      while (this.step() && this.peek() !== '}') name += this.peek() ?? ''
      if (this.isAtEnd) this.fail('incomplete escape sequence, reached end of pattern prematurely', this.at, this.at)
      this.at++
    } else {
      name = this.peek() ?? ''
      if (name === '\\') this.fail('invalid Unicode character class', this.at, this.at + 1)
      this.step()
    }
    const message = this.flags.unicode ? problemOfProperty(name) : 'Unicode not allowed here'
    if (message !== undefined) this.later ??= new SyntaxProblem(message, [{ start, end: this.at }])
    return { kind: 'class' }
  }
}
