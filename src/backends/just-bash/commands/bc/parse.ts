// The parser for bc programs.

export type Expression =
  | { readonly type: 'number'; readonly text: string }
  | { readonly type: 'place'; readonly place: Place }
  | { readonly type: 'assign'; readonly place: Place; readonly operator: string; readonly value: Expression }
  | { readonly type: 'step'; readonly place: Place; readonly by: 1 | -1; readonly isPrefix: boolean }
  | { readonly type: 'unary'; readonly operator: '-' | '!'; readonly value: Expression }
  | { readonly type: 'binary'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly type: 'call'; readonly name: string; readonly args: readonly Argument[] }
  | { readonly type: 'group'; readonly value: Expression }

/** A variable, an array element, or a special variable such as `scale`. */
export interface Place {
  readonly name: string
  readonly index: Expression | undefined
}

type Argument = Expression | { readonly type: 'array'; readonly name: string }

export type Statement =
  | { readonly type: 'expression'; readonly value: Expression }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'print'; readonly items: readonly (Expression | string)[] }
  | { readonly type: 'block'; readonly body: readonly Statement[] }
  | { readonly type: 'if'; readonly test: Expression; readonly whenTrue: Statement; readonly otherwise: Statement | undefined }
  | {
      readonly type: 'loop'
      readonly first: Expression | undefined
      readonly test: Expression | undefined
      readonly step: Expression | undefined
      readonly body: Statement
    }
  | { readonly type: 'return'; readonly value: Expression | undefined }
  | { readonly type: 'define'; readonly definition: Definition }
  | { readonly type: 'break' | 'continue' | 'halt' | 'quit' | 'nothing' }

export interface Definition {
  readonly name: string
  readonly parameters: readonly string[]
  /** The names declared with `auto`; array names end in `[]`. */
  readonly locals: readonly string[]
  readonly body: readonly Statement[]
  /** It gives no value, so nothing is printed for a call. */
  readonly isVoid: boolean
}

export class BcSyntaxError extends Error {
  readonly line: number
  constructor(line: number) {
    super('syntax error')
    this.line = line
  }
}

interface Token {
  readonly kind: 'number' | 'name' | 'text' | 'operator' | 'line' | 'end' | 'other'
  readonly text: string
  readonly line: number
}

const tokenPattern =
  /(?<blank>(?:[ \t\r]|\\\n|\/\*[^]*?\*\/|#[^\n]*)+)|(?<line>\n)|(?<number>(?:[\dA-F](?:\\\n)?)+(?:\.[\dA-F]*)?|\.[\dA-F]+|\.)|(?<name>[a-z][a-z\d_]*)|(?<text>"[^"]*")|(?<operator>\+\+|--|&&|\|\||[-+*/%^=!<>]=|[-+*/%^=!<>(){}[\],;])|(?<other>[^])/y

function* tokensOf(source: string): Generator<Token, undefined> {
  let line = 1
  tokenPattern.lastIndex = 0
  for (let at = 0; at < source.length;) {
    tokenPattern.lastIndex = at
    const { groups, 0: all = '' } = tokenPattern.exec(source) ?? {}
    at = tokenPattern.lastIndex
    for (const kind of ['number', 'name', 'text', 'operator', 'line', 'other'] as const) {
      const text = groups?.[kind]
      if (text !== undefined) yield { kind, text: kind === 'number' ? text.replaceAll('\\\n', '') : text, line }
    }
    if (all.includes('\n')) line += all.split('\n').length - 1
  }
  yield { kind: 'end', text: '', line }
}

export class BcParser {
  readonly #source: Iterator<Token, undefined>
  /** The tokens of the line that is being read. */
  #tokens: Token[] = []
  #at = 0

  constructor(source: string) {
    this.#source = tokensOf(source)
  }

  /** The statements of the next line; `undefined` at the end of the input. */
  nextLine(): readonly Statement[] | undefined {
    this.#tokens.splice(0, this.#at)
    this.#at = 0
    if (this.#peek().kind === 'end') return undefined
    const statements: Statement[] = []
    for (;;) {
      const { kind, text } = this.#peek()
      if (kind === 'line' || kind === 'end') {
        this.#at += 1
        return statements
      }
      if (text === ';') this.#at += 1
      else {
        const statement = this.#statement()
        statements.push(statement)
        // What follows the body of a function needs no separator.
        if (statement.type !== 'define' && !this.#isStatementEnd()) throw new BcSyntaxError(this.#peek().line)
      }
    }
  }

  /** Skips the rest of the line after a syntax error. */
  skipLine(): void {
    while (this.#peek().kind !== 'line' && this.#peek().kind !== 'end') this.#at += 1
  }

  #peek(): Token {
    return this.#tokenAt(this.#at) ?? { kind: 'end', text: '', line: 0 }
  }

  #tokenAt(at: number): Token | undefined {
    while (this.#tokens.length <= at) {
      const { value } = this.#source.next()
      if (value === undefined) return undefined
      this.#tokens.push(value)
    }
    return this.#tokens[at]
  }

  #take(text: string): boolean {
    const token = this.#peek()
    if (token.text !== text || token.kind === 'text' || token.kind === 'line') return false
    this.#at += 1
    return true
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw new BcSyntaxError(this.#peek().line)
  }

  #skipLines(): void {
    while (this.#peek().kind === 'line') this.#at += 1
  }

  #name(): string {
    const { kind, text, line } = this.#peek()
    if (kind !== 'name') throw new BcSyntaxError(line)
    this.#at += 1
    return text
  }

  #statement(): Statement {
    const { kind, text } = this.#peek()
    if (kind === 'text') {
      this.#at += 1
      return { type: 'text', text: text.slice(1, -1) }
    }
    if (this.#take('{')) return { type: 'block', body: this.#block() }
    if (kind === 'name') {
      switch (text) {
        case 'if':
          return this.#ifStatement()
        case 'while': {
          this.#at += 1
          this.#expect('(')
          const test = this.#expression()
          this.#expect(')')
          return { type: 'loop', first: undefined, test, step: undefined, body: this.#body() }
        }
        case 'for':
          return this.#forStatement()
        case 'break':
        case 'continue':
        case 'halt':
        case 'quit':
          this.#at += 1
          return { type: text }
        case 'return':
          this.#at += 1
          return { type: 'return', value: this.#isStatementEnd() ? undefined : this.#expression() }
        case 'print':
          return this.#printStatement()
        case 'define':
          return this.#definition()
      }
    }
    return { type: 'expression', value: this.#expression() }
  }

  #isStatementEnd(): boolean {
    const { kind, text } = this.#peek()
    return kind === 'line' || kind === 'end' || text === ';' || text === '}'
  }

  #block(): Statement[] {
    const body: Statement[] = []
    for (;;) {
      this.#skipLines()
      if (this.#take('}')) return body
      if (!this.#take(';')) body.push(this.#statement())
    }
  }

  #body(): Statement {
    this.#skipLines()
    return this.#isStatementEnd() ? { type: 'nothing' } : this.#statement()
  }

  #ifStatement(): Statement {
    this.#at += 1
    this.#expect('(')
    const test = this.#expression()
    this.#expect(')')
    const whenTrue = this.#body()
    const before = this.#at
    if (this.#peek().text === ';') this.#at += 1
    this.#skipLines()
    if (this.#take('else')) return { type: 'if', test, whenTrue, otherwise: this.#body() }
    this.#at = before
    return { type: 'if', test, whenTrue, otherwise: undefined }
  }

  #forStatement(): Statement {
    this.#at += 1
    this.#expect('(')
    const part = (end: string): Expression | undefined => {
      const value = this.#peek().text === end ? undefined : this.#expression()
      this.#expect(end)
      return value
    }
    const [first, test, step] = [part(';'), part(';'), part(')')]
    return { type: 'loop', first, test, step, body: this.#body() }
  }

  #printStatement(): Statement {
    const items: (Expression | string)[] = []
    do {
      this.#at += 1
      const { kind, text } = this.#peek()
      if (kind === 'text') this.#at += 1
      items.push(kind === 'text' ? text.slice(1, -1) : this.#expression())
    } while (this.#peek().text === ',')
    return { type: 'print', items }
  }

  #definition(): Statement {
    this.#at += 1
    const isVoid = this.#take('void')
    const name = this.#name()
    this.#expect('(')
    const parameters = this.#names(')')
    this.#skipLines()
    this.#expect('{')
    this.#skipLines()
    const locals: string[] = []
    while (this.#take('auto')) {
      locals.push(...this.#names(undefined))
      this.#take(';')
      this.#skipLines()
    }
    return { type: 'define', definition: { name, parameters, locals, body: this.#block(), isVoid } }
  }

  #names(end: string | undefined): string[] {
    const names: string[] = []
    if (end !== undefined && this.#take(end)) return names
    do {
      const name = this.#name()
      const isArray = this.#take('[')
      if (isArray) this.#expect(']')
      names.push(isArray ? `${name}[]` : name)
    } while (this.#take(','))
    if (end !== undefined) this.#expect(end)
    return names
  }

  #expression(): Expression {
    return this.#binary(['||'], () => this.#binary(['&&'], () => this.#not()))
  }

  #not(): Expression {
    return this.#take('!') ? { type: 'unary', operator: '!', value: this.#not() } : this.#relation()
  }

  #relation(): Expression {
    return this.#binary(['<', '<=', '>', '>=', '==', '!='], () => this.#sum())
  }

  #sum(): Expression {
    return this.#binary(['+', '-'], () => this.#binary(['*', '/', '%'], () => this.#power()))
  }

  #binary(operators: readonly string[], next: () => Expression): Expression {
    let left = next()
    for (;;) {
      const { kind, text } = this.#peek()
      if (kind !== 'operator' || !operators.includes(text)) return left
      this.#at += 1
      left = { type: 'binary', operator: text, left, right: next() }
    }
  }

  #power(): Expression {
    const left = this.#unary()
    if (!this.#take('^')) return left
    return { type: 'binary', operator: '^', left, right: this.#power() }
  }

  #unary(): Expression {
    if (this.#take('-')) return { type: 'unary', operator: '-', value: this.#unary() }
    for (const [operator, by] of [
      ['++', 1],
      ['--', -1],
    ] as const) {
      if (!this.#take(operator)) continue
      const target = this.#primary()
      if (target.type !== 'place') throw new BcSyntaxError(this.#peek().line)
      return { type: 'step', place: target.place, by, isPrefix: true }
    }
    const value = this.#primary()
    if (value.type !== 'place') return value
    const { place } = value
    if (this.#take('++')) return { type: 'step', place, by: 1, isPrefix: false }
    if (this.#take('--')) return { type: 'step', place, by: -1, isPrefix: false }
    for (const operator of ['=', '+=', '-=', '*=', '/=', '%=', '^='])
      if (this.#take(operator)) return { type: 'assign', place, operator: operator.slice(0, -1), value: this.#sum() }
    return value
  }

  #primary(): Expression {
    const { kind, text, line } = this.#peek()
    this.#at += 1
    if (kind === 'number')
      return text === '.' ? { type: 'place', place: { name: 'last', index: undefined } } : { type: 'number', text }
    if (text === '(' && kind === 'operator') {
      const value = this.#expression()
      this.#expect(')')
      return { type: 'group', value }
    }
    if (kind !== 'name') {
      // A newline stays in the input, because the next line begins after it.
      this.#at -= 1
      throw new BcSyntaxError(line)
    }
    if (this.#take('(')) return { type: 'call', name: text, args: this.#arguments() }
    if (this.#take('[')) {
      const index = this.#expression()
      this.#expect(']')
      return { type: 'place', place: { name: text, index } }
    }
    return { type: 'place', place: { name: text, index: undefined } }
  }

  #arguments(): Argument[] {
    const args: Argument[] = []
    if (this.#take(')')) return args
    do {
      const [{ kind, text }, open, close] = [this.#peek(), this.#tokenAt(this.#at + 1), this.#tokenAt(this.#at + 2)]
      if (kind === 'name' && open?.text === '[' && close?.text === ']') {
        this.#at += 3
        args.push({ type: 'array', name: text })
      } else args.push(this.#expression())
    } while (this.#take(','))
    this.#expect(')')
    return args
  }
}
