// The parser for jq programs.

import {
  type BinaryOperator,
  type Definition,
  type Expression,
  identity,
  optional,
  type Pattern,
  type PatternEntry,
  type UpdateOperator,
} from './syntax.ts'
import { comparisons, TokenReader, updates } from './tokens.ts'

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

class Parser extends TokenReader {
  protected override interpolation(at: number): { readonly body: Expression; readonly end: number } {
    const inner = new Parser(this.source, at)
    const body = inner.pipe()
    if (!inner.isOperator(')')) throw inner.problem()
    return { body, end: inner.at }
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
