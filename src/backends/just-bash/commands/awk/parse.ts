// The parser for awk programs.

import { AwkError } from './error.ts'
import type {
  BinaryOperator,
  Comparison,
  Expression,
  FunctionDefinition,
  Pattern,
  Program,
  Redirection,
  Rule,
  Statement,
  SwitchCase,
  Target,
} from './syntax.ts'
import { tokenize, type Located } from './tokens.ts'

/** Throws `AwkError`. */
export function parseProgram(source: string): Program {
  return new Parser(tokenize(source)).program()
}

const printBody: Statement = { kind: 'print', args: [], to: undefined }
const comparisons: ReadonlySet<string> = new Set(['<', '<=', '==', '!=', '>', '>='])
const assignments: ReadonlySet<string> = new Set(['=', '+=', '-=', '*=', '/=', '%=', '^='])

/** Restricts what an expression may contain: in a print statement, `>` is a redirection. */
interface Limits {
  readonly isPrint?: boolean
}

class Parser {
  private at = 0
  private loopDepth = 0
  private switchDepth = 0
  /** The special pattern, such as `BEGIN` or `END`, whose action is being read. */
  private special: string | undefined
  private readonly tokens: readonly Located[]

  constructor(tokens: readonly Located[]) {
    this.tokens = tokens
  }

  program(): Program {
    const begin: Statement[] = []
    const beginFile: Statement[] = []
    const rules: Rule[] = []
    const endFile: Statement[] = []
    const end: Statement[] = []
    const functions = new Map<string, FunctionDefinition>()
    for (;;) {
      this.skipTerminators()
      if (this.token.kind === 'end') break
      const { kind, value } = this.token
      if (kind === 'keyword' && value === 'function') {
        const definition = this.functionDefinition()
        if (functions.has(definition.name)) throw this.problem(`function ${definition.name} is defined twice`)
        functions.set(definition.name, definition)
      } else if (kind === 'keyword' && /^(?:BEGIN|END)(?:FILE)?$/.test(value)) {
        this.at += 1
        this.special = value
        const body = this.block()
        this.special = undefined
        if (value === 'BEGIN') begin.push(body)
        else if (value === 'END') end.push(body)
        else if (value === 'BEGINFILE') beginFile.push(body)
        else endFile.push(body)
      } else rules.push(this.rule())
    }
    return { begin, beginFile, rules, endFile, end, functions }
  }

  private get token(): Located {
    const token = this.tokens[this.at] ?? this.tokens.at(-1)
    if (token === undefined) throw new Error('unreachable: there is an end')
    return token
  }

  private problem(message?: string): AwkError {
    const { line, kind, value } = this.token
    const near = kind === 'end' ? 'the end of the program' : value === '\n' ? 'the end of the line' : `'${value}'`
    return new AwkError(`syntax error at source line ${line}: ${message ?? `unexpected ${near}`}`, 1)
  }

  private sees(...values: readonly string[]): boolean {
    const { kind, value } = this.token
    return (kind === 'operator' || kind === 'keyword' || kind === 'newline') && values.includes(String(value))
  }

  private takes(value: string): boolean {
    if (!this.sees(value)) return false
    this.at += 1
    return true
  }

  private expect(value: string): void {
    if (!this.takes(value)) throw this.problem()
  }

  private skipNewlines(): void {
    while (this.sees('\n')) this.at += 1
  }

  private skipTerminators(): void {
    while (this.sees('\n', ';')) this.at += 1
  }

  private name(): string {
    const { token } = this
    if (token.kind !== 'name') throw this.problem()
    this.at += 1
    return token.value
  }

  private functionDefinition(): FunctionDefinition {
    this.at += 1
    const name = this.name()
    this.expect('(')
    const parameters: string[] = []
    this.skipNewlines()
    while (!this.takes(')')) {
      parameters.push(this.name())
      this.skipNewlines()
      if (this.takes(',')) this.skipNewlines()
      else if (!this.sees(')')) throw this.problem()
    }
    this.skipNewlines()
    return { name, parameters, body: this.block() }
  }

  private rule(): Rule {
    if (this.sees('{')) return { pattern: { kind: 'always' }, body: this.block() }
    const test = this.expression()
    let pattern: Pattern = { kind: 'when', test }
    if (this.takes(',')) {
      this.skipNewlines()
      pattern = { kind: 'range', from: test, to: this.expression() }
    }
    return { pattern, body: this.sees('{') ? this.block() : printBody }
  }

  private block(): Statement {
    this.expect('{')
    const body: Statement[] = []
    for (;;) {
      this.skipTerminators()
      if (this.takes('}')) return { kind: 'block', body }
      body.push(this.statement())
    }
  }

  /** The body of a loop or a condition; a lone semicolon is an empty body. */
  private body(): Statement {
    this.skipNewlines()
    if (this.takes(';')) return { kind: 'block', body: [] }
    return this.statement()
  }

  private repeatedBody(): Statement {
    this.loopDepth += 1
    const body = this.body()
    this.loopDepth -= 1
    return body
  }

  private endStatement(): void {
    if (this.sees('}') || this.token.kind === 'end') return
    if (!this.sees(';', '\n')) throw this.problem()
    this.skipTerminators()
  }

  private statement(): Statement {
    if (this.sees('{')) {
      return this.block()
    }
    const { kind, value } = this.token
    if (kind === 'keyword') {
      switch (value) {
        case 'if':
          return this.ifStatement()
        case 'while':
          this.at += 1
          return { kind: 'while', test: this.parenthesized(), body: this.repeatedBody(), isDo: false }
        case 'do':
          return this.doStatement()
        case 'for':
          return this.forStatement()
        case 'switch':
          return this.switchStatement()
        default:
      }
    }
    const statement = this.simple()
    this.endStatement()
    return statement
  }

  private parenthesized(): Expression {
    this.expect('(')
    const test = this.expression()
    this.skipNewlines()
    this.expect(')')
    return test
  }

  private ifStatement(): Statement {
    this.at += 1
    const test = this.parenthesized()
    const yes = this.body()
    const before = this.at
    this.skipTerminators()
    if (!this.takes('else')) {
      this.at = before
      return { kind: 'if', test, yes, no: undefined }
    }
    return { kind: 'if', test, yes, no: this.body() }
  }

  private doStatement(): Statement {
    this.at += 1
    const body = this.repeatedBody()
    this.skipTerminators()
    this.expect('while')
    const test = this.parenthesized()
    this.endStatement()
    return { kind: 'while', test, body, isDo: true }
  }

  private forStatement(): Statement {
    this.at += 1
    this.expect('(')
    const [variable, isIn, array, close] = [
      this.tokens[this.at],
      this.tokens[this.at + 1],
      this.tokens[this.at + 2],
      this.tokens[this.at + 3],
    ]
    if (variable?.kind === 'name' && isIn?.value === 'in' && array?.kind === 'name' && close?.value === ')') {
      this.at += 4
      return { kind: 'for-in', variable: variable.value, array: array.value, body: this.repeatedBody() }
    }
    const init = this.sees(';') ? undefined : this.simple()
    this.expect(';')
    this.skipNewlines()
    const test = this.sees(';') ? undefined : this.expression()
    this.expect(';')
    this.skipNewlines()
    const step = this.sees(')') ? undefined : this.simple()
    this.expect(')')
    return { kind: 'for', init, test, step, body: this.repeatedBody() }
  }

  private switchStatement(): Statement {
    this.at += 1
    const value = this.parenthesized()
    this.skipNewlines()
    this.expect('{')
    const cases: SwitchCase[] = []
    this.switchDepth += 1
    for (;;) {
      this.skipTerminators()
      if (this.takes('}')) {
        this.switchDepth -= 1
        return { kind: 'switch', value, cases }
      }
      const isDefault = this.takes('default')
      if (!isDefault) this.expect('case')
      const constant = isDefault ? undefined : this.additive({})
      this.expect(':')
      const body: Statement[] = []
      for (;;) {
        this.skipTerminators()
        if (this.sees('case', 'default', '}')) break
        body.push(this.statement())
      }
      cases.push({ value: constant, body })
    }
  }

  private simple(): Statement {
    const { kind, value } = this.token
    if (kind === 'keyword') {
      switch (value) {
        case 'print':
        case 'printf':
          return this.print(value)
        case 'break':
        case 'continue':
          if (this.loopDepth === 0 && !(value === 'break' && this.switchDepth > 0))
            throw this.problem(`'${value}' is not allowed outside a loop`)
          this.at += 1
          return { kind: value }
        case 'next':
        case 'nextfile':
          if (this.special === 'BEGIN' || this.special === 'END' || (this.special !== undefined && value === 'next'))
            throw this.problem(`'${value}' used in ${this.special} action`)
          this.at += 1
          return { kind: value }
        case 'exit':
        case 'return':
          this.at += 1
          return { kind: value, value: this.sees(';', '\n', '}') ? undefined : this.expression() }
        case 'delete': {
          this.at += 1
          const isGrouped = this.takes('(')
          const array = this.name()
          const subscripts = this.takes('[') ? this.list(']') : undefined
          if (isGrouped) this.expect(')')
          return { kind: 'delete', array, subscripts }
        }
        default:
      }
    }
    return { kind: 'expression', expression: this.expression() }
  }

  private print(kind: 'print' | 'printf'): Statement {
    this.at += 1
    let args: readonly Expression[] = []
    if (!this.sees(';', '\n', '}', '>', '>>', '|') && this.token.kind !== 'end') args = this.printArguments()
    let to: Redirection | undefined
    for (const [operator, redirection] of [
      ['>', 'file'],
      ['>>', 'append'],
      ['|', 'pipe'],
    ] as const) {
      if (to === undefined && this.takes(operator)) to = { kind: redirection, name: this.concatenation({ isPrint: true }) }
    }
    if (kind === 'printf' && args.length === 0) throw this.problem('printf needs a format')
    return { kind, args, to }
  }

  /** `print (a, b) > "f"` has two arguments, and so has `print (a) b, c`: its first one is `(a) b`. */
  private printArguments(): readonly Expression[] {
    if (this.sees('(')) {
      const before = this.at
      this.at += 1
      const inner = this.list(')')
      if (this.sees(';', '\n', '}', '>', '>>', '|') || this.token.kind === 'end') return inner
      this.at = before
    }
    const args = [this.expression({ isPrint: true })]
    while (this.takes(',')) {
      this.skipNewlines()
      args.push(this.expression({ isPrint: true }))
    }
    return args
  }

  private list(close: string): readonly Expression[] {
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

  private expression(limits: Limits = {}): Expression {
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
    while (this.takes('in')) left = { kind: 'in', subscripts: [left], array: this.name() }
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

  private concatenation(limits: Limits): Expression {
    let left = this.additive(limits)
    while (this.beginsOperand()) left = { kind: 'concatenation', left, right: this.additive(limits) }
    return left
  }

  private beginsOperand(): boolean {
    const { kind, value } = this.token
    if (kind === 'number' || kind === 'string' || kind === 'regex' || kind === 'name' || kind === 'builtin') return true
    return kind === 'operator' && ['$', '!', '(', '-', '+', '++', '--'].includes(value)
  }

  private additive(limits: Limits): Expression {
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
    if (this.takes('[')) return { kind: 'element', array: name, subscripts: this.list(']') }
    return { kind: 'variable', name }
  }

  private grouped(): Expression {
    const inner = this.list(')')
    const [first] = inner
    if (first === undefined) throw this.problem()
    if (inner.length === 1) return { kind: 'group', inner: first }
    if (!this.takes('in')) throw this.problem()
    return { kind: 'in', subscripts: inner, array: this.name() }
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
