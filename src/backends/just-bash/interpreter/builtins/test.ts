// `[` and `test`. Up to four arguments follow the rules of POSIX; more are parsed as an expression.

import { binaryTest, isBinaryTest, unaryTest, unaryTests } from '../conditions.ts'
import type { Shell } from '../shell.ts'
import type { Builtin } from './builtin.ts'

class TestProblem extends Error {}

export const test: Builtin = async (shell, args, { name }) => {
  let operands = args
  if (name === '[') {
    if (args.at(-1) !== ']') {
      await shell.complain("[: missing `]'")
      return 2
    }
    operands = args.slice(0, -1)
  }
  try {
    return (await judge(shell, operands)) ? 0 : 1
  } catch (error) {
    if (!(error instanceof TestProblem)) throw error
    await shell.complain(`${name}: ${error.message}`)
    return 2
  }
}

async function judge(shell: Shell, args: readonly string[]): Promise<boolean> {
  const [first = '', second = '', third = '', fourth] = args
  switch (args.length) {
    case 0:
      return false
    case 1:
      return first !== ''
    case 2:
      if (first === '!') return second === ''
      if (unaryTests.has(first)) return unaryTest(shell, first, second)
      throw new TestProblem(`${first}: unary operator expected`)
    case 3:
      if (isBinaryTest(second)) return compare(shell, first, second, third)
      if (second === '-a') return first !== '' && third !== ''
      if (second === '-o') return first !== '' || third !== ''
      if (first === '!') return !(await judge(shell, args.slice(1)))
      if (first === '(' && third === ')') return second !== ''
      throw new TestProblem(`${second}: binary operator expected`)
    case 4:
      if (first === '!') return !(await judge(shell, args.slice(1)))
      if (first === '(' && fourth === ')') return judge(shell, args.slice(1, 3))
      return new Expression(shell, args).value()
    default:
      return new Expression(shell, args).value()
  }
}

function compare(shell: Shell, left: string, operator: string, right: string): Promise<boolean> {
  return binaryTest(shell, left, operator, right, integerOf)
}

function integerOf(text: string): bigint {
  const trimmed = text.trim()
  const number = /^[-+]?\d+$/.test(trimmed) ? BigInt(trimmed.replace(/^\+/, '')) : undefined
  if (number === undefined || BigInt.asIntN(64, number) !== number) throw new TestProblem(`${text}: integer expression expected`)
  return number
}

class Expression {
  readonly #shell: Shell
  readonly #args: readonly string[]
  #at = 0

  constructor(shell: Shell, args: readonly string[]) {
    this.#shell = shell
    this.#args = args
  }

  async value(): Promise<boolean> {
    const result = await this.#or()
    if (this.#at < this.#args.length) throw new TestProblem('too many arguments')
    return result
  }

  async #or(): Promise<boolean> {
    let left = await this.#and()
    while (this.#take('-o')) {
      const right = await this.#and()
      left ||= right
    }
    return left
  }

  async #and(): Promise<boolean> {
    let left = await this.#primary()
    while (this.#take('-a')) {
      const right = await this.#primary()
      left &&= right
    }
    return left
  }

  #take(text: string): boolean {
    if (this.#args[this.#at] !== text) return false
    this.#at += 1
    return true
  }

  async #primary(): Promise<boolean> {
    const [first, second, third] = this.#args.slice(this.#at, this.#at + 3)
    if (first === undefined) throw new TestProblem('argument expected')
    if (first === '!') {
      this.#at += 1
      return !(await this.#primary())
    }
    if (second !== undefined && third !== undefined && isBinaryTest(second)) {
      this.#at += 3
      return compare(this.#shell, first, second, third)
    }
    if (first === '(') {
      this.#at += 1
      const inner = await this.#or()
      if (!this.#take(')')) throw new TestProblem("`)' expected")
      return inner
    }
    if (unaryTests.has(first) && second !== undefined) {
      this.#at += 2
      return unaryTest(this.#shell, first, second)
    }
    this.#at += 1
    return first !== ''
  }
}
