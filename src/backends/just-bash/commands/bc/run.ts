// The interpreter for bc statements.

import {
  add,
  compare,
  divide,
  multiply,
  negated,
  ofInteger,
  one,
  parsed,
  power,
  remainder,
  rescaled,
  shown,
  squareRoot,
  zero,
  type Decimal,
} from './decimal.ts'
import { arctangent, bessel, cosine, exponential, logarithm, sine } from './functions.ts'
import type { Definition, Expression, Place, Statement } from './parse.ts'

const maxDepth = 2000

/** A runtime error, which ends the current statement. */
export class BcRuntimeError extends Error {}

/** Thrown by `quit` and `halt`. */
export class BcEnd extends Error {}

/** Thrown for what would read lines of the input that are not statements: nothing behind it can be run. */
export class BcUnavailableError extends Error {}

class LoopEnd extends Error {
  readonly kind: 'break' | 'continue'
  constructor(kind: 'break' | 'continue') {
    super(kind)
    this.kind = kind
  }
}

class Returned extends Error {
  readonly value: Decimal
  constructor(value: Decimal) {
    super('return')
    this.value = value
  }
}

type Cells = Map<string, Decimal>

const escapes: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', q: '"', '\\': '\\' }

interface BcOptions {
  /** `-l`: defines the functions s, c, a, l, e and j, and sets `scale` to 20. */
  readonly hasLibrary: boolean
  /** Where a line of the output is broken; 0 for nowhere. */
  readonly lineLength: number
  readonly isStopped: () => boolean
  readonly warn: (problem: string) => void
  /** Lets others run, if it is time to do so. */
  readonly rest: () => Promise<void> | undefined
}

export class BcMachine {
  /** Output that the caller has not yet taken. */
  output = ''
  #scale: number
  #inputBase = 10
  #outputBase = 10
  #last: Decimal = zero
  #depth = 0
  #column = 0
  #variables = new Map<string, Decimal>()
  #arrays = new Map<string, Cells>()
  readonly #functions = new Map<string, Definition>()
  readonly #options: BcOptions

  constructor(options: BcOptions) {
    this.#options = options
    this.#scale = options.hasLibrary ? 20 : 0
  }

  /** Runs a top-level statement, where `break` and `return` have no effect. */
  async execute(statement: Statement): Promise<void> {
    try {
      await this.#runInTurns(statement)
    } catch (error) {
      if (!(error instanceof LoopEnd) && !(error instanceof Returned)) throw error
    }
  }

  /** As `run`, but others run between the turns of loops that are not inside a function. */
  async #runInTurns(statement: Statement): Promise<void> {
    if (statement.type === 'block') for (const inner of statement.body) await this.#runInTurns(inner)
    else if (statement.type === 'if') {
      const chosen = this.#isTrue(statement.test) ? statement.whenTrue : statement.otherwise
      if (chosen !== undefined) await this.#runInTurns(chosen)
    } else if (statement.type === 'loop') {
      const { first, test, step, body } = statement
      if (first !== undefined) this.#value(first)
      while (test === undefined || this.#isTrue(test)) {
        await this.#options.rest()
        try {
          await this.#runInTurns(body)
        } catch (error) {
          if (!(error instanceof LoopEnd)) throw error
          if (error.kind === 'break') return
        }
        if (step !== undefined) this.#value(step)
      }
    } else this.#run(statement)
  }

  #run(statement: Statement): void {
    if (this.#options.isStopped()) throw new BcEnd()
    switch (statement.type) {
      case 'expression': {
        const value = this.#value(statement.value)
        if (statement.value.type === 'assign' || this.#isVoid(statement.value)) return
        this.#last = value
        this.#print(`${shown(value, this.#outputBase)}\n`)
        return
      }
      case 'text':
        return this.#print(statement.text)
      case 'print':
        for (const item of statement.items) {
          if (typeof item === 'string') {
            this.#print(item.replace(/\\([^])/g, (all, letter: string) => escapes[letter] ?? all))
            continue
          }
          this.#last = this.#value(item)
          this.#print(shown(this.#last, this.#outputBase))
        }
        return
      case 'block':
        for (const inner of statement.body) this.#run(inner)
        return
      case 'if':
        if (this.#isTrue(statement.test)) this.#run(statement.whenTrue)
        else if (statement.otherwise !== undefined) this.#run(statement.otherwise)
        return
      case 'loop':
        return this.#loop(statement)
      case 'return':
        throw new Returned(statement.value === undefined ? zero : this.#value(statement.value))
      case 'define':
        this.#functions.set(statement.definition.name, statement.definition)
        return
      case 'break':
      case 'continue':
        throw new LoopEnd(statement.type)
      case 'halt':
      case 'quit':
        throw new BcEnd()
      case 'nothing':
        return
    }
  }

  /** Breaks long lines behind a backslash. */
  #print(text: string): void {
    const width = this.#options.lineLength
    for (const line of text.split(/(?<=\n)/)) {
      const length = line.endsWith('\n') ? line.length - 1 : line.length
      let from = 0
      while (width > 0 && this.#column + length - from > width - 2) {
        const to = from + width - 2 - this.#column
        this.output += `${line.slice(from, to)}\\\n`
        from = to
        this.#column = 0
      }
      this.output += line.slice(from)
      this.#column = line.endsWith('\n') ? 0 : this.#column + length - from
    }
  }

  #loop({ first, test, step, body }: Extract<Statement, { type: 'loop' }>): void {
    if (first !== undefined) this.#value(first)
    while (test === undefined || this.#isTrue(test)) {
      if (this.#options.isStopped()) throw new BcEnd()
      try {
        this.#run(body)
      } catch (error) {
        if (!(error instanceof LoopEnd)) throw error
        if (error.kind === 'break') return
      }
      if (step !== undefined) this.#value(step)
    }
  }

  #isTrue(test: Expression): boolean {
    return this.#value(test).digits !== 0n
  }

  #value(expression: Expression): Decimal {
    switch (expression.type) {
      case 'number':
        return parsed(expression.text, this.#inputBase)
      case 'group':
        return this.#value(expression.value)
      case 'place':
        return this.#get(expression.place)
      case 'assign': {
        const { place, operator, value } = expression
        const right = this.#value(value)
        this.#set(place, operator === '' ? right : this.#worked(operator, this.#get(place), right))
        return this.#get(place)
      }
      case 'step': {
        const before = this.#get(expression.place)
        const after = add(before, ofInteger(expression.by))
        this.#set(expression.place, after)
        return expression.isPrefix ? after : before
      }
      case 'unary': {
        const value = this.#value(expression.value)
        return expression.operator === '-' ? negated(value) : truth(value.digits === 0n)
      }
      case 'binary': {
        // The left operands of a long sum are nested as deep as the sum is long.
        const chain: (typeof expression)[] = []
        let first: Expression = expression
        for (; first.type === 'binary'; first = first.left) chain.push(first)
        return chain.reduceRight(
          (left, { operator, right }) => this.#worked(operator, left, this.#value(right)),
          this.#value(first),
        )
      }
      case 'call':
        return this.#call(expression)
    }
  }

  #worked(operator: string, a: Decimal, b: Decimal): Decimal {
    const scale = this.#scale
    switch (operator) {
      case '+':
        return add(a, b)
      case '-':
        return add(a, negated(b))
      case '*':
        return multiply(a, b, scale)
      case '/':
        return divide(a, b, scale) ?? fail('Divide by zero')
      case '%':
        return remainder(a, b, scale) ?? fail('Modulo by zero')
      case '^':
        if (b.digits % 10n ** BigInt(b.scale) !== 0n) this.#options.warn('non-zero scale in exponent')
        return power(a, b, scale) ?? fail('Divide by zero')
      case '&&':
        return truth(a.digits !== 0n && b.digits !== 0n)
      case '||':
        return truth(a.digits !== 0n || b.digits !== 0n)
      default: {
        const order = compare(a, b)
        const isSo =
          operator === '<'
            ? order < 0
            : operator === '<='
              ? order <= 0
              : operator === '>'
                ? order > 0
                : operator === '>='
                  ? order >= 0
                  : operator === '=='
                    ? order === 0
                    : order !== 0
        return truth(isSo)
      }
    }
  }

  #get({ name, index }: Place): Decimal {
    if (index !== undefined) return this.#arrays.get(name)?.get(this.#key(index)) ?? zero
    if (name === 'scale') return ofInteger(this.#scale)
    if (name === 'ibase') return ofInteger(this.#inputBase)
    if (name === 'obase') return ofInteger(this.#outputBase)
    if (name === 'last') return this.#last
    return this.#variables.get(name) ?? zero
  }

  #set({ name, index }: Place, value: Decimal): void {
    if (index !== undefined) {
      const key = this.#key(index)
      const cells = this.#arrays.get(name) ?? new Map<string, Decimal>()
      cells.set(key, value)
      this.#arrays.set(name, cells)
    } else if (name === 'scale' || name === 'ibase' || name === 'obase') this.#setSetting(name, Number(rescaled(value, 0).digits))
    else if (name === 'last') this.#last = value
    else this.#variables.set(name, value)
  }

  #setSetting(name: 'scale' | 'ibase' | 'obase', value: number): void {
    const [least, most] = name === 'scale' ? [0, 100_000] : name === 'ibase' ? [2, 36] : [2, 1_000_000]
    const kept = Math.min(most, Math.max(least, value))
    if (kept !== value)
      this.#options.warn(
        name === 'scale' && value < 0
          ? 'negative scale, set to 0'
          : `${name} too ${value < least ? 'small' : 'large'}, set to ${kept}`,
      )
    if (name === 'scale') this.#scale = kept
    else if (name === 'ibase') this.#inputBase = kept
    else this.#outputBase = kept
  }

  #key(index: Expression): string {
    return rescaled(this.#value(index), 0).digits.toString()
  }

  #call({ name, args }: Extract<Expression, { type: 'call' }>): Decimal {
    const defined = this.#functions.get(name)
    if (defined !== undefined) return this.#callDefined(defined, args)
    const values = args.map(arg => (arg.type === 'array' ? fail(`${name} does not take an array`) : this.#value(arg)))
    const [x = zero, y = zero] = values
    if (values.length === (name === 'j' ? 2 : 1)) {
      if (name === 'length') return ofInteger(x.digits === 0n ? Math.max(1, x.scale) : Math.max(digitCount(x.digits), x.scale))
      if (name === 'scale') return ofInteger(x.scale)
      if (name === 'sqrt') return squareRoot(x, this.#scale) ?? fail('Square root of a negative number')
      if (this.#options.hasLibrary) {
        const known = this.#library(name, x, y)
        if (known !== undefined) return known
      }
    }
    if (name === 'read') throw new BcUnavailableError('read() is not available here; give the number in the program')
    return fail(`Function ${name} not defined.`)
  }

  #library(name: string, x: Decimal, y: Decimal): Decimal | undefined {
    const scale = this.#scale
    switch (name) {
      case 's':
        return x.digits === 0n ? zero : sine(x, scale)
      case 'c':
        return cosine(x, scale)
      case 'a':
        return x.digits === 0n ? zero : arctangent(x, scale)
      case 'e':
        return exponential(x, scale)
      case 'l':
        if (x.digits <= 0n) return rescaled(add(one, negated({ digits: 10n ** BigInt(scale), scale: 0 })), scale)
        return compare(x, one) === 0 ? zero : logarithm(x, scale)
      case 'j':
        return bessel(Number(rescaled(x, 0).digits), y, scale)
      default:
        return undefined
    }
  }

  #isVoid(expression: Expression): boolean {
    return expression.type === 'call' && this.#functions.get(expression.name)?.isVoid === true
  }

  #callDefined({ parameters, locals, body }: Definition, args: Extract<Expression, { type: 'call' }>['args']): Decimal {
    if (args.length !== parameters.length) fail('Parameter number mismatch')
    if (this.#depth >= maxDepth) fail(`functions call each other more than ${maxDepth} deep`)
    const given = args.map(arg => (arg.type === 'array' ? new Map(this.#arrays.get(arg.name)) : this.#value(arg)))
    const [variables, arrays] = [this.#variables, this.#arrays]
    const names = [...parameters, ...locals]
    const kept = names.map(name => (name.endsWith('[]') ? arrays.get(name.slice(0, -2)) : variables.get(name)))
    this.#depth += 1
    try {
      for (const [index, name] of names.entries()) this.#bind(name, given[index])
      for (const statement of body) this.#run(statement)
      return zero
    } catch (error) {
      if (error instanceof Returned) return error.value
      throw error
    } finally {
      this.#depth -= 1
      for (const [index, name] of names.entries()) this.#bind(name, kept[index])
    }
  }

  #bind(name: string, value: Decimal | Cells | undefined): void {
    if (name.endsWith('[]')) this.#arrays.set(name.slice(0, -2), value instanceof Map ? value : new Map<string, Decimal>())
    else this.#variables.set(name, value === undefined || value instanceof Map ? zero : value)
  }
}

function fail(problem: string): never {
  throw new BcRuntimeError(problem)
}

function truth(isSo: boolean): Decimal {
  return isSo ? one : zero
}

function digitCount(digits: bigint): number {
  return (digits < 0n ? -digits : digits).toString().length
}
