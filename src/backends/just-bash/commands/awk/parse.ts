// The parser for awk programs.

import type { Expression, FunctionDefinition, Pattern, Program, Redirection, Rule, Statement, SwitchCase } from './syntax.ts'
import { checkDialect, wholeLanguage, type Dialect } from './dialect.ts'
import { tokenize } from './tokens.ts'
import { ExpressionParser } from './parse-expression.ts'

/** Throws `AwkError`. */
export function parseProgram(source: string, dialect: Dialect = wholeLanguage): Program {
  const program = new Parser(tokenize(source, dialect.language)).program()
  checkDialect(program, dialect)
  return program
}

const printBody: Statement = { kind: 'print', args: [], to: undefined }

class Parser extends ExpressionParser {
  private loopDepth = 0
  private switchDepth = 0
  /** The special pattern, such as `BEGIN` or `END`, whose action is being read. */
  private special: string | undefined

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

  private skipTerminators(): void {
    while (this.sees('\n', ';')) this.at += 1
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
    const begin = this.at
    const [variable, isIn, first] = this.tokens.slice(begin, begin + 3)
    if (variable?.kind === 'name' && isIn?.value === 'in' && first?.kind === 'name') {
      this.at += 3
      const array = this.arrayName(first.value)
      if (this.takes(')')) return { kind: 'for-in', variable: variable.value, array, body: this.repeatedBody() }
      this.at = begin
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
          const array = this.arrayName(this.name())
          if (isGrouped) this.expect(')')
          return typeof array === 'string' ? { kind: 'delete', array, subscripts: undefined } : { ...array, kind: 'delete' }
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
}
