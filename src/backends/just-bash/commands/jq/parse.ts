// The parser for jq programs.

import type { BinaryOperator, Definition, Expression, Pattern, PatternEntry, UpdateOperator } from './syntax.ts'

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
const updates: ReadonlySet<string> = new Set(['=', '|=', '+=', '-=', '*=', '/=', '%=', '//='])
const comparisons: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>='])
const identity: Expression = { kind: 'identity' }

/** Throws `CompileError`. */
export function parseProgram(source: string): Expression {
  const parser = new Parser(source, 0)
  const program = parser.program()
  parser.expectEnd()
  return program
}

/** Parses a list of function definitions, as in a library. */
export function parseDefinitions(source: string): readonly Definition[] {
  return new Parser(source, 0).definitions()
}

class Parser {
  at: number
  private token: Token
  /** Offset of `token` in the source. */
  private start = 0
  private readonly source: string

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

  program(): Expression {
    if (this.token.kind === 'end') return identity
    const definitions: Definition[] = []
    while (this.isName('def')) definitions.push(this.definition())
    const body: Expression = this.isAtEnd() ? identity : this.pipe()
    return definitions.reduceRight<Expression>((inner, definition) => ({ kind: 'define', definition, body: inner }), body)
  }

  definitions(): readonly Definition[] {
    const definitions: Definition[] = []
    while (this.isName('def')) definitions.push(this.definition())
    this.expectEnd()
    return definitions
  }

  expectEnd(): void {
    if (!this.isAtEnd()) throw this.problem()
  }

  private isAtEnd(): boolean {
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
        const inner = new Parser(this.source, this.at + 2)
        const body = inner.pipe()
        if (!inner.isOperator(')')) throw inner.problem()
        this.at = inner.at
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

  private isName(value: string): boolean {
    return this.token.kind === 'name' && this.token.value === value
  }

  private next(): void {
    this.token = this.scan()
  }

  private takes(value: string): boolean {
    if (!this.isOperator(value) && !this.isName(value)) return false
    this.next()
    return true
  }

  private expect(value: string): void {
    if (!this.takes(value)) throw this.problem()
  }

  private name(): string {
    const { token } = this
    if (token.kind !== 'name') throw this.problem()
    this.next()
    return token.value
  }

  private variable(): string {
    const { token } = this
    if (token.kind !== 'variable') throw this.problem()
    this.next()
    return token.value
  }

  private definition(): Definition {
    this.next()
    const name = this.name()
    const parameters: string[] = []
    if (this.takes('(')) {
      do parameters.push(this.token.kind === 'variable' ? `$${this.variable()}` : this.name())
      while (this.takes(';'))
      this.expect(')')
    }
    this.expect(':')
    const body = this.pipe()
    this.expect(';')
    return { name, parameters, body }
  }

  pipe(): Expression {
    const left = this.comma()
    return this.takes('|') ? { kind: 'pipe', left, right: this.pipe() } : left
  }

  private comma(): Expression {
    let left = this.alternative()
    while (this.takes(',')) left = { kind: 'comma', left, right: this.alternative() }
    return left
  }

  /** `//` binds looser than the assignment operators, which bind looser than `or`. */
  private alternative(): Expression {
    const left = this.update()
    return this.takes('//') ? { kind: 'alternative', left, right: this.alternative() } : left
  }

  private update(): Expression {
    const target = this.or()
    const { token } = this
    if (token.kind !== 'operator' || !updates.has(token.value)) return target
    this.next()
    return { kind: 'update', operator: token.value as UpdateOperator, target, value: this.alternative() }
  }

  private or(): Expression {
    let left = this.and()
    while (this.takes('or')) left = { kind: 'or', left, right: this.and() }
    return left
  }

  private and(): Expression {
    let left = this.comparison()
    while (this.takes('and')) left = { kind: 'and', left, right: this.comparison() }
    return left
  }

  private comparison(): Expression {
    const left = this.additive()
    const { token } = this
    if (token.kind !== 'operator' || !comparisons.has(token.value)) return left
    this.next()
    return { kind: 'binary', operator: token.value as BinaryOperator, left, right: this.additive() }
  }

  private additive(): Expression {
    let left = this.multiplicative()
    for (;;) {
      const operator = this.isOperator('+') ? '+' : this.isOperator('-') ? '-' : undefined
      if (operator === undefined) return left
      this.next()
      left = { kind: 'binary', operator, left, right: this.multiplicative() }
    }
  }

  private multiplicative(): Expression {
    let left = this.negation()
    for (;;) {
      const operator = this.isOperator('*') ? '*' : this.isOperator('/') ? '/' : this.isOperator('%') ? '%' : undefined
      if (operator === undefined) return left
      this.next()
      left = { kind: 'binary', operator, left, right: this.negation() }
    }
  }

  private negation(): Expression {
    return this.takes('-') ? { kind: 'negate', body: this.negation() } : this.bound()
  }

  /**
   * Reads a postfix term, or a binding form: the body of `TERM as $x | BODY`, `def f: …; BODY` and `label $x | BODY` extends as
   * far to the right as possible.
   */
  private bound(): Expression {
    if (this.isName('def')) {
      const definition = this.definition()
      return { kind: 'define', definition, body: this.pipe() }
    }
    if (this.takes('label')) {
      const name = this.variable()
      this.expect('|')
      return { kind: 'label', name, body: this.pipe() }
    }
    const source = this.postfix()
    if (!this.takes('as')) return source
    const patterns = [this.pattern()]
    while (this.takes('?//')) patterns.push(this.pattern())
    this.expect('|')
    return { kind: 'bind', source, patterns, body: this.pipe() }
  }

  private postfix(): Expression {
    let term = this.term()
    for (;;) {
      const { token } = this
      if (token.kind === 'field') {
        this.next()
        term = { kind: 'index', target: term, index: { kind: 'literal', value: token.value } }
      } else if (this.isOperator('.')) {
        this.next()
        if (this.token.kind === 'text') term = { kind: 'index', target: term, index: this.textTerm(undefined) }
        else if (this.isOperator('[')) term = this.brackets(term)
        else throw this.problem()
      } else if (this.isOperator('[')) term = this.brackets(term)
      else if (this.takes('?')) term = optional(term)
      else return term
    }
  }

  private brackets(target: Expression): Expression {
    this.expect('[')
    if (this.takes(']')) return { kind: 'iterate', target }
    if (this.takes(':')) {
      const to = this.pipe()
      this.expect(']')
      return { kind: 'slice', target, from: undefined, to }
    }
    const index = this.pipe()
    if (!this.takes(':')) {
      this.expect(']')
      return { kind: 'index', target, index }
    }
    const to = this.isOperator(']') ? undefined : this.pipe()
    this.expect(']')
    return { kind: 'slice', target, from: index, to }
  }

  private textTerm(format: string | undefined): Expression {
    const { token } = this
    if (token.kind !== 'text') throw this.problem()
    this.next()
    const [only] = token.parts
    if (token.parts.length === 1 && typeof only === 'string') return { kind: 'literal', value: only }
    return { kind: 'text', format, parts: token.parts }
  }

  private term(): Expression {
    const { token } = this
    switch (token.kind) {
      case 'number':
        this.next()
        return { kind: 'literal', value: token.value }
      case 'text':
        return this.textTerm(undefined)
      case 'format':
        this.next()
        return this.token.kind === 'text' ? this.textTerm(token.value) : { kind: 'format', name: token.value }
      case 'field':
        this.next()
        return { kind: 'index', target: identity, index: { kind: 'literal', value: token.value } }
      case 'variable':
        if (token.value === '__loc__') {
          const line = this.source.slice(0, this.start).split('\n').length
          this.next()
          return { kind: 'location', line }
        }
        this.next()
        return { kind: 'variable', name: token.value }
      case 'name':
        return this.named(token.value)
      case 'operator':
        return this.punctuated(token.value)
      default:
        throw this.problem()
    }
  }

  private punctuated(operator: string): Expression {
    switch (operator) {
      case '.':
        this.next()
        if (this.token.kind === 'text') return { kind: 'index', target: identity, index: this.textTerm(undefined) }
        return this.isOperator('[') ? this.brackets(identity) : identity
      case '..':
        this.next()
        return { kind: 'recurse' }
      case '(': {
        this.next()
        const inner = this.pipe()
        this.expect(')')
        return inner
      }
      case '[': {
        this.next()
        if (this.takes(']')) return { kind: 'array', body: undefined }
        const body = this.pipe()
        this.expect(']')
        return { kind: 'array', body }
      }
      case '{':
        return this.object()
      default:
        throw this.problem()
    }
  }

  private object(): Expression {
    this.expect('{')
    const entries: { key: Expression; value: Expression }[] = []
    while (!this.takes('}')) {
      entries.push(this.entry())
      if (!this.takes(',') && !this.isOperator('}')) throw this.problem()
    }
    return { kind: 'object', entries }
  }

  private entry(): { key: Expression; value: Expression } {
    const { token } = this
    if (token.kind === 'variable') {
      const value = this.term()
      const name = value.kind === 'location' ? '__loc__' : token.value
      return { key: { kind: 'literal', value: name }, value }
    }
    let key: Expression
    if (token.kind === 'operator' && token.value === '(') {
      this.next()
      key = this.pipe()
      this.expect(')')
      this.expect(':')
      return { key, value: this.entryValue() }
    }
    if (token.kind === 'name') {
      this.next()
      key = { kind: 'literal', value: token.value }
    } else if (token.kind === 'number') {
      this.next()
      throw this.problem('object keys must be strings')
    } else if (token.kind === 'text' || token.kind === 'format') key = this.term()
    else throw this.problem()
    if (this.takes(':')) return { key, value: this.entryValue() }
    return { key, value: { kind: 'index', target: identity, index: key } }
  }

  private entryValue(): Expression {
    let value = this.negation()
    while (this.takes('|')) value = { kind: 'pipe', left: value, right: this.negation() }
    return value
  }

  private pattern(): Pattern {
    if (this.token.kind === 'variable') return { kind: 'variable', name: this.variable() }
    if (this.takes('[')) {
      const items = [this.pattern()]
      while (this.takes(',')) items.push(this.pattern())
      this.expect(']')
      return { kind: 'array', items }
    }
    this.expect('{')
    const entries: PatternEntry[] = []
    do entries.push(this.patternEntry())
    while (this.takes(','))
    this.expect('}')
    return { kind: 'object', entries }
  }

  private patternEntry(): PatternEntry {
    const { token } = this
    if (token.kind === 'variable') {
      const variable = this.variable()
      return { key: { kind: 'literal', value: variable }, variable, value: this.takes(':') ? this.pattern() : undefined }
    }
    let key: Expression
    if (this.takes('(')) {
      key = this.pipe()
      this.expect(')')
    } else if (token.kind === 'name') key = { kind: 'literal', value: this.name() }
    else key = this.textTerm(undefined)
    this.expect(':')
    return { key, variable: undefined, value: this.pattern() }
  }

  private named(name: string): Expression {
    this.next()
    switch (name) {
      case 'if':
        return this.condition()
      case 'try': {
        const body = this.postfixWithoutTry()
        return { kind: 'try', body, handler: this.takes('catch') ? this.postfixWithoutTry() : undefined }
      }
      case 'reduce':
      case 'foreach':
        return this.fold(name)
      case 'def': {
        throw this.problem()
      }
      case 'import':
      case 'include':
        throw this.problem('modules are not available here')
      case 'break':
        return { kind: 'break', name: this.variable() }
      case 'null':
        return { kind: 'literal', value: null }
      case 'true':
      case 'false':
        return { kind: 'literal', value: name === 'true' }
      case 'then':
      case 'elif':
      case 'else':
      case 'end':
      case 'as':
      case 'catch':
      case 'and':
      case 'or':
        throw this.problem()
      default: {
        const args: Expression[] = []
        if (this.takes('(')) {
          do args.push(this.pipe())
          while (this.takes(';'))
          this.expect(')')
        }
        return { kind: 'call', name, args }
      }
    }
  }

  private postfixWithoutTry(): Expression {
    return this.takes('-') ? { kind: 'negate', body: this.postfix() } : this.postfix()
  }

  private condition(): Expression {
    const test = this.pipe()
    this.expect('then')
    const yes = this.pipe()
    if (this.takes('elif')) return { kind: 'if', test, yes, no: this.condition() }
    const no = this.takes('else') ? this.pipe() : undefined
    this.expect('end')
    return { kind: 'if', test, yes, no }
  }

  private fold(kind: 'reduce' | 'foreach'): Expression {
    const source = this.postfix()
    this.expect('as')
    const pattern = this.pattern()
    this.expect('(')
    const init = this.pipe()
    this.expect(';')
    const update = this.pipe()
    const extract = kind === 'foreach' && this.takes(';') ? this.pipe() : undefined
    this.expect(')')
    return kind === 'reduce' ? { kind, source, pattern, init, update } : { kind, source, pattern, init, update, extract }
  }
}

/** `?` covers only the last step of a path: `.a.b?` still fails if `.a` fails. */
function optional(term: Expression): Expression {
  const isPlain = (part: Expression | undefined): boolean => part === undefined || part.kind === 'literal'
  const isStep =
    (term.kind === 'index' && isPlain(term.index)) ||
    term.kind === 'iterate' ||
    (term.kind === 'slice' && isPlain(term.from) && isPlain(term.to))
  if (!isStep) return { kind: 'optional', body: term }
  return { kind: 'pipe', left: term.target, right: { kind: 'optional', body: { ...term, target: identity } } }
}

const escapes: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
