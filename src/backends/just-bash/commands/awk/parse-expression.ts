// Parses the expressions of awk programs.

import type { Located } from './tokens.ts'
import { AwkError } from './error.ts'
import type { ArrayName, BinaryOperator, Comparison, Expression, Target } from './syntax.ts'

const comparisons: ReadonlySet<string> = new Set(['<', '<=', '==', '!=', '>', '>='])
const assignments: ReadonlySet<string> = new Set(['=', '+=', '-=', '*=', '/=', '%=', '^='])

/** Restricts what an expression may contain: in a print statement, `>` is a redirection. */
interface Limits {
  readonly isPrint?: boolean
}

export class ExpressionParser {
  protected at = 0
  protected readonly tokens: readonly Located[]

  constructor(tokens: readonly Located[]) {
    this.tokens = tokens
  }

  protected get token(): Located {
    const token = this.tokens[this.at] ?? this.tokens.at(-1)
    if (token === undefined) throw new Error('unreachable: there is an end')
    return token
  }

  protected problem(message?: string): AwkError {
    const { line, kind, value } = this.token
    const near = kind === 'end' ? 'the end of the program' : value === '\n' ? 'the end of the line' : `'${value}'`
    return new AwkError(`syntax error at source line ${line}: ${message ?? `unexpected ${near}`}`, 1)
  }

  protected sees(...values: readonly string[]): boolean {
    const { kind, value } = this.token
    return (kind === 'operator' || kind === 'keyword' || kind === 'newline') && values.includes(String(value))
  }

  protected takes(value: string): boolean {
    if (!this.sees(value)) return false
    this.at += 1
    return true
  }

  protected expect(value: string): void {
    if (!this.takes(value)) throw this.problem()
  }

  protected skipNewlines(): void {
    while (this.sees('\n')) this.at += 1
  }

  protected name(): string {
    const { token } = this
    if (token.kind !== 'name') throw this.problem()
    this.at += 1
    return token.value
  }

  protected list(close: string): readonly Expression[] {
    const items: Expression[] = []
    this.skipNewlines()
    while (!this.takes(close)) {
      items.push(this.expression())
      this.skipNewlines()
      if (this.takes(',')) this.skipNewlines()
      else if (!this.sees(close)) throw this.problem()
    }
    return items
  }

  protected expression(limits: Limits = {}): Expression {
    const left = this.condition(limits)
    const { value } = this.token
    if (this.token.kind !== 'operator' || !assignments.has(String(value)) || !isTarget(left)) return left
    this.at += 1
    this.skipNewlines()
    const operator = String(value).slice(0, -1) as BinaryOperator | ''
    return { kind: 'assign', target: left, operator, value: this.expression(limits) }
  }

  private condition(limits: Limits): Expression {
    const test = this.or(limits)
    if (!this.takes('?')) return test
    this.skipNewlines()
    const yes = this.expression(limits)
    this.skipNewlines()
    this.expect(':')
    this.skipNewlines()
    return { kind: 'condition', test, yes, no: this.expression(limits) }
  }

  private or(limits: Limits): Expression {
    let left = this.and(limits)
    while (this.takes('||')) {
      this.skipNewlines()
      left = { kind: 'or', left, right: this.and(limits) }
    }
    return left
  }

  private and(limits: Limits): Expression {
    let left = this.membership(limits)
    while (this.takes('&&')) {
      this.skipNewlines()
      left = { kind: 'and', left, right: this.membership(limits) }
    }
    return left
  }

  private membership(limits: Limits): Expression {
    let left = this.matching(limits)
    while (this.takes('in')) left = { kind: 'in', subscripts: [left], array: this.arrayName(this.name()) }
    return left
  }

  private matching(limits: Limits): Expression {
    let left = this.comparison(limits)
    for (;;) {
      const isNegated = this.sees('!~')
      if (!isNegated && !this.sees('~')) return left
      this.at += 1
      left = { kind: 'match', isNegated, left, right: this.comparison(limits) }
    }
  }

  private comparison(limits: Limits): Expression {
    let left = this.concatenation(limits)
    for (;;) {
      const { kind, value } = this.token
      if (kind === 'operator' && value === '|' && this.tokens[this.at + 1]?.value === 'getline') {
        this.at += 2
        left = { kind: 'getline', source: { kind: 'command', name: left }, target: this.optionalTarget() }
      } else if (kind === 'operator' && comparisons.has(value) && !(limits.isPrint === true && value === '>')) {
        this.at += 1
        left = { kind: 'comparison', operator: value as Comparison, left, right: this.concatenation(limits) }
      } else return left
    }
  }

  protected concatenation(limits: Limits): Expression {
    let left = this.additive(limits)
    while (this.beginsOperand()) left = { kind: 'concatenation', left, right: this.additive(limits) }
    return left
  }

  private beginsOperand(): boolean {
    const { kind, value } = this.token
    if (kind === 'number' || kind === 'string' || kind === 'regex' || kind === 'name' || kind === 'builtin') return true
    return kind === 'operator' && ['$', '!', '(', '-', '+', '++', '--'].includes(value)
  }

  protected additive(limits: Limits): Expression {
    let left = this.multiplicative(limits)
    for (;;) {
      const operator = this.sees('+') ? '+' : this.sees('-') ? '-' : undefined
      if (operator === undefined) return left
      this.at += 1
      left = { kind: 'binary', operator, left, right: this.multiplicative(limits) }
    }
  }

  private multiplicative(limits: Limits): Expression {
    let left = this.unary(limits)
    for (;;) {
      const operator = this.sees('*') ? '*' : this.sees('/') ? '/' : this.sees('%') ? '%' : undefined
      if (operator === undefined) return left
      this.at += 1
      left = { kind: 'binary', operator, left, right: this.unary(limits) }
    }
  }

  private unary(limits: Limits): Expression {
    if (this.takes('!')) return { kind: 'not', operand: this.unary(limits) }
    if (this.takes('-')) return { kind: 'minus', operand: this.unary(limits) }
    if (this.takes('+')) return { kind: 'plus', operand: this.unary(limits) }
    return this.power(limits)
  }

  private power(limits: Limits): Expression {
    const base = this.postfix(limits)
    if (!this.takes('^')) return base
    return { kind: 'binary', operator: '^', left: base, right: this.exponent(limits) }
  }

  private exponent(limits: Limits): Expression {
    if (this.takes('-')) return { kind: 'minus', operand: this.exponent(limits) }
    if (this.takes('+')) return { kind: 'plus', operand: this.exponent(limits) }
    if (this.takes('!')) return { kind: 'not', operand: this.exponent(limits) }
    return this.power(limits)
  }

  private postfix(limits: Limits): Expression {
    for (const [operator, by] of [
      ['++', 1],
      ['--', -1],
    ] as const) {
      if (!this.takes(operator)) continue
      const target = this.primary(limits)
      if (!isTarget(target)) throw this.problem(`${operator} needs a variable`)
      return { kind: 'increment', target, by, isPrefix: true }
    }
    const operand = this.primary(limits)
    if (isTarget(operand)) {
      if (this.takes('++')) return { kind: 'increment', target: operand, by: 1, isPrefix: false }
      if (this.takes('--')) return { kind: 'increment', target: operand, by: -1, isPrefix: false }
    }
    return operand
  }

  private primary(limits: Limits): Expression {
    const { token } = this
    switch (token.kind) {
      case 'number':
        this.at += 1
        return { kind: 'number', value: token.value }
      case 'string':
        this.at += 1
        return { kind: 'string', value: token.value }
      case 'regex':
        this.at += 1
        return { kind: 'regex', source: token.value }
      case 'builtin':
        this.at += 1
        return { kind: 'builtin', name: token.value, args: this.takes('(') ? this.list(')') : [] }
      case 'name':
        return this.named(token.value, token.isCalled)
      case 'operator':
        if (this.takes('$')) return { kind: 'field', index: this.fieldIndex(limits) }
        if (this.takes('(')) return this.grouped()
        throw this.problem()
      case 'keyword':
        if (this.takes('getline')) return this.getline(limits)
        throw this.problem()
      default:
        throw this.problem()
    }
  }

  private fieldIndex(limits: Limits): Expression {
    if (this.takes('-')) return { kind: 'minus', operand: this.fieldIndex(limits) }
    if (this.sees('++', '--')) return this.postfix(limits)
    return this.primary(limits)
  }

  private named(name: string, isCalled: boolean): Expression {
    this.at += 1
    if (isCalled) {
      this.at += 1
      return { kind: 'call', name, args: this.list(')') }
    }
    const named = this.arrayName(name)
    return typeof named === 'string' ? { kind: 'variable', name } : { ...named, kind: 'element' }
  }

  /** What follows the name of an array: none, one or several subscripts. */
  protected arrayName(name: string): ArrayName {
    let array: ArrayName = name
    while (this.takes('[')) array = { kind: 'subarray', array, subscripts: this.list(']') }
    return array
  }

  private grouped(): Expression {
    const inner = this.list(')')
    const [first] = inner
    if (first === undefined) throw this.problem()
    if (inner.length === 1) return { kind: 'group', inner: first }
    if (!this.takes('in')) throw this.problem()
    return { kind: 'in', subscripts: inner, array: this.arrayName(this.name()) }
  }

  private optionalTarget(): Target | undefined {
    const { kind } = this.token
    if (kind !== 'name' && !this.sees('$')) return undefined
    const target = this.primary({})
    if (!isTarget(target)) throw this.problem('getline needs a variable')
    return target
  }

  private getline(limits: Limits): Expression {
    const target = this.optionalTarget()
    if (!this.takes('<')) return { kind: 'getline', source: { kind: 'input' }, target }
    return { kind: 'getline', source: { kind: 'file', name: this.postfix(limits) }, target }
  }
}

function isTarget(expression: Expression): expression is Target {
  return expression.kind === 'variable' || expression.kind === 'field' || expression.kind === 'element'
}
