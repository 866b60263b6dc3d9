// Evaluates arithmetic expressions in 64-bit integers.

import { isStackOverflow } from '../errno.ts'
import { parseArithmetic, type Arithmetic, type ArithmeticName } from './arithmetic-parser.ts'
import { ArithmeticError } from './flow.ts'

export interface ArithmeticScope {
  /** Returns `undefined` for an unset variable. Throws under `set -u`. */
  get(name: string, subscript: string | undefined): string | undefined
  set(name: string, subscript: string | undefined, value: bigint): void
}

const maxDepth = 200

type Binary = Extract<Arithmetic, { type: 'binary' }>

/** Throws a `ShellError` for a text that cannot be parsed or computed. */
export function evaluate(text: string, scope: ArithmeticScope): bigint {
  // Plain decimal numbers, such as loop counters, need no parser.
  if (/^\d{1,15}$/.test(text) && !text.startsWith('0')) return BigInt(text)
  const evaluator = new Evaluator(scope, text)
  try {
    return evaluator.value(parseArithmetic(text))
  } catch (error) {
    if (isStackOverflow(error)) throw new ArithmeticError('expression recursion level exceeded')
    if (error instanceof ArithmeticError) for (const node of error.before) evaluator.value(node)
    throw error
  }
}

class Evaluator {
  readonly #scope: ArithmeticScope
  readonly #text: string
  #depth = 0

  constructor(scope: ArithmeticScope, text: string) {
    this.#scope = scope
    this.#text = text
  }

  value(node: Arithmetic): bigint {
    switch (node.type) {
      case 'number':
        return node.value
      case 'name':
        return this.#read(node)
      case 'unary': {
        const operand = this.value(node.operand)
        if (node.operator === '-') return BigInt.asIntN(64, -operand)
        if (node.operator === '~') return ~operand
        return node.operator === '!' ? truth(operand === 0n) : operand
      }
      case 'step': {
        const before = this.#read(node.target)
        const after = BigInt.asIntN(64, before + node.by)
        this.#scope.set(node.target.name, node.target.subscript, after)
        return node.isPrefix ? after : before
      }
      case 'choice':
        return this.value(node.condition) === 0n ? this.value(node.no) : this.value(node.yes)
      case 'assign': {
        const { target, operator } = node
        const value =
          operator === '' ? this.value(node.value) : this.#compute(operator, this.#read(target), this.value(node.value))
        this.#scope.set(target.name, target.subscript, value)
        return value
      }
      case 'binary': {
        // The left operands of a long sum are nested as deep as the sum is long.
        const chain: Binary[] = []
        let first: Arithmetic = node
        for (; first.type === 'binary'; first = first.left) chain.push(first)
        return chain.reduceRight((left, binary) => this.#combined(left, binary), this.value(first))
      }
      default:
        throw new Error(`unreachable: ${JSON.stringify(node satisfies never)}`)
    }
  }

  #combined(left: bigint, { operator, right }: Binary): bigint {
    if (operator === '&&') return truth(left !== 0n && this.value(right) !== 0n)
    if (operator === '||') return truth(left !== 0n || this.value(right) !== 0n)
    return this.#compute(operator, left, this.value(right))
  }

  /** The value of a variable is itself an expression. */
  #read({ name, subscript }: ArithmeticName): bigint {
    const text = this.#scope.get(name, subscript)
    if (text === undefined || text === '') return 0n
    if (/^-?(?:[1-9]\d{0,17}|0)$/.test(text)) return BigInt(text)
    this.#depth += 1
    if (this.#depth > maxDepth)
      throw new ArithmeticError(`${text}: expression recursion level exceeded (error token is "${text}")`)
    const value = this.value(parseArithmetic(text))
    this.#depth -= 1
    return value
  }

  #compute(operator: string, left: bigint, right: bigint): bigint {
    switch (operator) {
      case '+':
        return BigInt.asIntN(64, left + right)
      case '-':
        return BigInt.asIntN(64, left - right)
      case '*':
        return BigInt.asIntN(64, left * right)
      case '/':
      case '%':
        if (right === 0n)
          throw new ArithmeticError(`${this.#text.trimStart()}: division by 0 (error token is "${this.#errorToken()}")`)
        return BigInt.asIntN(64, operator === '/' ? left / right : left % right)
      case '**':
        if (right < 0n) throw new ArithmeticError(`${this.#text.trim()}: exponent less than 0 (error token is "${right}")`)
        return power(left, right)
      case '<<':
        return BigInt.asIntN(64, left << (right & 63n))
      case '>>':
        return left >> (right & 63n)
      case '&':
        return left & right
      case '|':
        return left | right
      case '^':
        return left ^ right
      case '<':
        return truth(left < right)
      case '>':
        return truth(left > right)
      case '<=':
        return truth(left <= right)
      case '>=':
        return truth(left >= right)
      case '==':
        return truth(left === right)
      case '!=':
        return truth(left !== right)
      default:
        return right
    }
  }

  #errorToken(): string {
    const slash = Math.max(this.#text.lastIndexOf('/'), this.#text.lastIndexOf('%'))
    return this.#text.slice(slash + 1).replace(/^=?\s*/, '')
  }
}

function truth(is: boolean): bigint {
  return is ? 1n : 0n
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  let square = base
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = BigInt.asIntN(64, result * square)
    square = BigInt.asIntN(64, square * square)
  }
  return result
}
