// Parses arithmetic expressions: the grammar of C, extended by bash with 64-bit integers, assignments, `**` and arrays.

import { ArithmeticError } from './flow.ts'

export type Arithmetic =
  | { readonly type: 'number'; readonly value: bigint }
  | { readonly type: 'name'; readonly name: string; readonly subscript: string | undefined }
  | { readonly type: 'unary'; readonly operator: '+' | '-' | '!' | '~'; readonly operand: Arithmetic }
  | { readonly type: 'step'; readonly isPrefix: boolean; readonly by: 1n | -1n; readonly target: ArithmeticName }
  | { readonly type: 'binary'; readonly operator: string; readonly left: Arithmetic; readonly right: Arithmetic }
  | { readonly type: 'choice'; readonly condition: Arithmetic; readonly yes: Arithmetic; readonly no: Arithmetic }
  | { readonly type: 'assign'; readonly operator: string; readonly target: ArithmeticName; readonly value: Arithmetic }

export type ArithmeticName = Extract<Arithmetic, { type: 'name' }>

const cache = new Map<string, Arithmetic>()
const maxCached = 2000
const maxDepth = 500

/** Throws a `ShellError` for a text that is not an expression. An empty text is 0. */
export function parseArithmetic(text: string): Arithmetic {
  const known = cache.get(text)
  if (known !== undefined) return known
  const parsed = new Reader(text).read()
  if (cache.size >= maxCached) cache.clear()
  cache.set(text, parsed)
  return parsed
}

// Binary operators by precedence, the lowest first. All of them are left-associative.
const levels: readonly RegExp[] = [
  /\|\|/y,
  /&&/y,
  /\|(?![|=])/y,
  /\^(?!=)/y,
  /&(?![&=])/y,
  /[=!]=/y,
  /<=|>=|<(?!<)|>(?!>)/y,
  /(?:<<|>>)(?!=)/y,
  // `++` or `--` before a name is an increment or decrement, which cannot follow an operand.
  /\+(?!=|\+\s*[A-Za-z_])|-(?!=|-\s*[A-Za-z_])/y,
  /(?:\*(?!\*)|[/%])(?!=)/y,
]

class Reader {
  readonly #text: string
  #at = 0
  /** Where the last token began. */
  #last = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  read(): Arithmetic {
    if (/^[ \t\n]*$/.test(this.#text)) return { type: 'number', value: 0n }
    const result = this.#comma()
    this.#blanks()
    if (this.#at === this.#text.length) return result
    const isKnown = /[\w()+\-*/%<>=!&|^~?:,[\]]/.test(this.#text.charAt(this.#at))
    const problem = this.#problem(isKnown ? undefined : 'syntax error: invalid arithmetic operator')
    // bash reads a token ahead, so what is before a wrong character is not evaluated.
    if (isKnown) problem.before = [result]
    else if (result.type === 'binary' && result.operator === ',') problem.before = [result.left]
    throw problem
  }

  #problem(reason = 'syntax error in expression'): ArithmeticError {
    this.#blanks()
    // At the end it is the last token.
    const token = this.#text.slice(this.#at === this.#text.length ? this.#last : this.#at)
    return new ArithmeticError(`${this.#text.trimStart()}: ${reason} (error token is "${token}")`)
  }

  #blanks(): void {
    // Bash does not skip carriage returns.
    this.#take(/[ \t\n]+/y)
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#text)
    if (match === null) return undefined
    this.#at += match[0].length
    return match
  }

  #token(pattern: RegExp): string | undefined {
    this.#blanks()
    const at = this.#at
    const token = this.#take(pattern)?.[0]
    if (token !== undefined) this.#last = at
    return token
  }

  #comma(): Arithmetic {
    let left = this.#assignment()
    try {
      while (this.#token(/,/y) !== undefined) left = { type: 'binary', operator: ',', left, right: this.#assignment() }
      return left
    } catch (error) {
      if (error instanceof ArithmeticError) error.before = [left, ...error.before]
      throw error
    }
  }

  #assignment(): Arithmetic {
    return this.#nested(() => {
      const left = this.#choice()
      const operator = this.#token(/(?:[+*/%&|^-]|<<|>>)?=(?!=)/y)
      if (operator === undefined) return left
      if (left.type !== 'name') {
        this.#at = this.#last
        throw this.#problem('attempted assignment to non-variable')
      }
      return { type: 'assign', operator: operator.slice(0, -1), target: left, value: this.#assignment() }
    })
  }

  #nested(read: () => Arithmetic): Arithmetic {
    this.#depth += 1
    if (this.#depth > maxDepth) throw new ArithmeticError('expression recursion level exceeded')
    const node = read()
    this.#depth -= 1
    return node
  }

  #choice(): Arithmetic {
    const condition = this.#binary(0)
    if (this.#token(/\?/y) === undefined) return condition
    this.#blanks()
    if (/^(?::|$)/.test(this.#text.slice(this.#at))) throw this.#problem('expression expected')
    const yes = this.#comma()
    if (this.#token(/:/y) === undefined) throw this.#problem("`:' expected for conditional expression")
    this.#blanks()
    if (this.#at === this.#text.length) throw this.#problem('expression expected')
    return { type: 'choice', condition, yes, no: this.#assignment() }
  }

  #binary(level: number): Arithmetic {
    const pattern = levels[level]
    if (pattern === undefined) return this.#power()
    let left = this.#binary(level + 1)
    for (let operator = this.#token(pattern); operator !== undefined; operator = this.#token(pattern))
      left = { type: 'binary', operator, left, right: this.#binary(level + 1) }
    return left
  }

  #power(): Arithmetic {
    const left = this.#unary()
    if (this.#token(/\*\*/y) === undefined) return left
    return { type: 'binary', operator: '**', left, right: this.#nested(() => this.#power()) }
  }

  #unary(): Arithmetic {
    const step = this.#token(/\+\+(?=\s*[A-Za-z_])|--(?=\s*[A-Za-z_])/y)
    if (step !== undefined) {
      const target = this.#primary()
      if (target.type !== 'name') throw this.#problem()
      return { type: 'step', isPrefix: true, by: step === '++' ? 1n : -1n, target }
    }
    const operator = this.#token(/[+\-!~]/y)
    if (operator === undefined) return this.#postfix()
    const operand = this.#nested(() => this.#unary())
    return { type: 'unary', operator: operator as '+' | '-' | '!' | '~', operand }
  }

  #postfix(): Arithmetic {
    const operand = this.#primary()
    if (operand.type !== 'name') return operand
    const step = this.#token(/\+\+|--/y)
    return step === undefined ? operand : { type: 'step', isPrefix: false, by: step === '++' ? 1n : -1n, target: operand }
  }

  #primary(): Arithmetic {
    if (this.#token(/\(/y) !== undefined) {
      const inner = this.#comma()
      if (this.#token(/\)/y) === undefined) throw this.#problem("missing `)'")
      return inner
    }
    const number = this.#token(/\d[\w@#]*/y)
    if (number !== undefined) return { type: 'number', value: numberOf(number) }
    const name = this.#token(/[A-Za-z_]\w*/y)
    if (name === undefined) throw this.#problem('syntax error: operand expected')
    return { type: 'name', name, subscript: this.#subscript() }
  }

  #subscript(): string | undefined {
    if (this.#text[this.#at] !== '[') return undefined
    let depth = 0
    for (let at = this.#at; at < this.#text.length; at++) {
      if (this.#text[at] === '[') depth += 1
      if (this.#text[at] === ']') depth -= 1
      if (depth > 0) continue
      const subscript = this.#text.slice(this.#at + 1, at)
      this.#at = at + 1
      return subscript
    }
    this.#at = this.#last
    throw this.#problem('bad array subscript')
  }
}

/** Parses a number literal or the value of a variable: `0x1f`, `017`, `2#101`, `36#z`. Throws if a digit is not valid in the base. */
function numberOf(text: string): bigint {
  const problem = (reason: string): ArithmeticError => new ArithmeticError(`${text}: ${reason} (error token is "${text}")`)
  if (/^[1-9]\d*$|^0$/.test(text)) return BigInt.asIntN(64, BigInt(text))
  if (/^0[xX]/.test(text)) {
    if (text.length === 2) return 0n
    if (!/^0[xX][\da-fA-F]+$/.test(text)) throw problem('value too great for base')
    return BigInt.asIntN(64, BigInt(text))
  }
  if (/^0\d*$/.test(text)) {
    if (/[89]/.test(text)) throw problem('value too great for base')
    return BigInt.asIntN(64, BigInt(`0o${text}`))
  }
  const based = /^(\d+)#([\w@]+)$/.exec(text)
  // A zero in front has said the base already: bash reads up to the #, and finds a second base there.
  if (/^0\d*#/.test(text)) throw problem(/^\d*[89]/.test(text) ? 'value too great for base' : 'invalid number')
  if (based === null) throw problem(/^\d/.test(text) && /#/.test(text) ? 'invalid number' : 'value too great for base')
  const base = Number(based[1])
  if (base < 2 || base > 64) throw problem('invalid arithmetic base')
  let value = 0n
  for (const character of based[2] ?? '') {
    const digit = digitOf(character, base)
    if (digit >= base) throw problem('value too great for base')
    value = BigInt.asIntN(64, value * BigInt(base) + BigInt(digit))
  }
  return value
}

function digitOf(character: string, base: number): number {
  if (character === '@') return 62
  if (character === '_') return 63
  if (/\d/.test(character)) return Number(character)
  const letter = character.toLowerCase().charCodeAt(0) - 87
  return base > 36 && character >= 'A' && character <= 'Z' ? letter + 26 : letter
}
