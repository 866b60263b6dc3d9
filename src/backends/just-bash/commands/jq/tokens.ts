// Reads the tokens of jq programs.

import type { Expression } from './syntax.ts'

/** Thrown for a program that has a syntax error or uses an unknown name. */
export class CompileError extends Error {
  override readonly name = 'CompileError'
}

type Token =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly parts: readonly (string | Expression)[] }
  | { readonly kind: 'name' | 'variable' | 'field' | 'format' | 'operator'; readonly value: string }
  | { readonly kind: 'end' }

const operators = [
  '?//=',
  '?//',
  '//=',
  '|=',
  '+=',
  '-=',
  '*=',
  '/=',
  '%=',
  '==',
  '!=',
  '<=',
  '>=',
  '//',
  '..',
  ...Array.from('.[]{}():;,|?=<>+-*/%$'),
]

export abstract class TokenReader {
  at: number
  protected token: Token
  /** Offset of `token` in the source. */
  protected start = 0
  protected readonly source: string

  constructor(source: string, at: number) {
    this.source = source
    this.at = at
    this.token = this.scan()
  }

  problem(message: string = 'syntax error'): CompileError {
    const line = this.source.slice(0, this.start).split('\n').length
    const near =
      this.token.kind === 'end'
        ? 'unexpected end of the program'
        : `near '${this.source.slice(this.start, this.start + 20).split('\n')[0] ?? ''}'`
    return new CompileError(`${message}, ${near} (Unix shell quoting issues?) at line ${line}`)
  }

  expectEnd(): void {
    if (!this.isAtEnd()) throw this.problem()
  }

  protected isAtEnd(): boolean {
    return this.token.kind === 'end'
  }

  private scan(): Token {
    const { source } = this
    for (;;) {
      const blank = /^(?:\s+|#[^\n]*)/.exec(source.slice(this.at, this.at + 2000))
      if (blank === null) break
      this.at += blank[0].length
    }
    this.start = this.at
    if (this.at >= source.length) return { kind: 'end' }
    const rest = source.slice(this.at, this.at + 200)
    const character = rest.charAt(0)
    if (character === '"') return { kind: 'text', parts: this.text() }
    const number = /^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/.exec(rest)
    if (number !== null) return this.taken(number[0], { kind: 'number', value: Number(number[0]) })
    const field = /^\.([A-Za-z_]\w*)/.exec(rest)
    if (field !== null) return this.taken(field[0], { kind: 'field', value: field[1] ?? '' })
    const variable = /^\$\s*((?:[A-Za-z_]\w*::)*[A-Za-z_]\w*)/.exec(rest)
    if (variable !== null) return this.taken(variable[0], { kind: 'variable', value: variable[1] ?? '' })
    const format = /^@\w+/.exec(rest)
    if (format !== null) return this.taken(format[0], { kind: 'format', value: format[0] })
    const name = /^(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*/.exec(rest)
    if (name !== null) return this.taken(name[0], { kind: 'name', value: name[0] })
    const operator = operators.find(candidate => rest.startsWith(candidate))
    if (operator === undefined) {
      this.token = { kind: 'operator', value: character }
      throw this.problem('syntax error, unexpected INVALID_CHARACTER')
    }
    return this.taken(operator, { kind: 'operator', value: operator })
  }

  private taken(text: string, token: Token): Token {
    this.at += text.length
    return token
  }

  /** Reads a string literal that begins at its opening quote, with the expressions interpolated in it. */
  private text(): readonly (string | Expression)[] {
    const parts: (string | Expression)[] = []
    let literal = ''
    this.at += 1
    for (;;) {
      const character = this.source.charAt(this.at)
      if (character === '') {
        this.token = { kind: 'end' }
        throw this.problem('syntax error, unterminated string')
      }
      if (character === '"') break
      if (character !== '\\') {
        literal += character
        this.at += 1
        continue
      }
      const next = this.source.charAt(this.at + 1)
      if (next === '(') {
        const { body, end } = this.interpolation(this.at + 2)
        this.at = end
        parts.push(literal, body)
        literal = ''
        continue
      }
      const [all = '', hex] = /^\\u([\da-fA-F]{4})/.exec(this.source.slice(this.at, this.at + 6)) ?? []
      const known = escapes[next]
      if (hex !== undefined) {
        literal += String.fromCharCode(Number.parseInt(hex, 16))
        this.at += all.length
      } else if (known !== undefined) {
        literal += known
        this.at += 2
      } else {
        this.start = this.at
        this.token = { kind: 'operator', value: next }
        throw this.problem('syntax error, invalid escape')
      }
    }
    this.at += 1
    parts.push(literal)
    return parts
  }

  isOperator(value: string): boolean {
    return this.token.kind === 'operator' && this.token.value === value
  }

  protected isName(value: string): boolean {
    return this.token.kind === 'name' && this.token.value === value
  }

  protected next(): void {
    this.token = this.scan()
  }

  protected takes(value: string): boolean {
    if (!this.isOperator(value) && !this.isName(value)) return false
    this.next()
    return true
  }

  protected expect(value: string): void {
    if (!this.takes(value)) throw this.problem()
  }

  protected name(): string {
    const { token } = this
    if (token.kind !== 'name') throw this.problem()
    this.next()
    return token.value
  }

  protected variable(): string {
    const { token } = this
    if (token.kind !== 'variable') throw this.problem()
    this.next()
    return token.value
  }

  /** The expression inside of a text that begins at an offset, and where its parenthesis ends. */
  protected abstract interpolation(at: number): { readonly body: Expression; readonly end: number }
}

const escapes: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

export const updates: ReadonlySet<string> = new Set(['=', '|=', '+=', '-=', '*=', '/=', '%=', '//='])
export const comparisons: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>='])
