// expr: 64-bit integers, comparisons, and basic regular expressions.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { posixRegex, type Regex } from '../../regex/regex.ts'
import { PatternError, PatternLimitError } from '../../regex/syntax.ts'
import { complain } from '../program.ts'

class Problem extends Error {}

export async function expr(context: ShellCommandContext): Promise<number> {
  const words = context.args[0] === '--' ? context.args.slice(1) : context.args
  if (words.length === 0) return complain(context, 'expr', 'missing operand', 2)
  try {
    const value = new Expression(words).value()
    await context.stdout.write(`${value}\n`)
    return value === '' || /^-?0+$/.test(value) ? 1 : 0
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return complain(context, 'expr', error.message, 2)
  }
}

class Expression {
  readonly #words: readonly string[]
  #at = 0

  constructor(words: readonly string[]) {
    this.#words = words
  }

  value(): string {
    const value = this.#or()
    const extra = this.#words[this.#at]
    if (extra !== undefined) throw new Problem(`syntax error: unexpected argument '${extra}'`)
    return value
  }

  #take(...operators: readonly string[]): string | undefined {
    const word = this.#words[this.#at]
    if (word === undefined || !operators.includes(word)) return undefined
    this.#at += 1
    return word
  }

  #or(): string {
    let left = this.#and()
    while (this.#take('|') !== undefined) {
      const right = this.#and()
      left = isNull(left) ? (isNull(right) ? '0' : right) : left
    }
    return left
  }

  #and(): string {
    let left = this.#comparison()
    while (this.#take('&') !== undefined) {
      const right = this.#comparison()
      left = isNull(left) || isNull(right) ? '0' : left
    }
    return left
  }

  #comparison(): string {
    let left = this.#sum()
    for (
      let operator = this.#take('=', '==', '!=', '<', '<=', '>', '>=');
      operator !== undefined;
      operator = this.#take('=', '==', '!=', '<', '<=', '>', '>=')
    ) {
      const right = this.#sum()
      const areNumbers = isInteger(left) && isInteger(right)
      const order = areNumbers ? compare(BigInt(left), BigInt(right)) : compare(left, right)
      const holds = {
        '=': order === 0,
        '==': order === 0,
        '!=': order !== 0,
        '<': order < 0,
        '<=': order <= 0,
        '>': order > 0,
        '>=': order >= 0,
      }[operator]
      left = holds === true ? '1' : '0'
    }
    return left
  }

  #sum(): string {
    let left = this.#product()
    for (let operator = this.#take('+', '-'); operator !== undefined; operator = this.#take('+', '-')) {
      const [one, other] = [integerOf(left), integerOf(this.#product())]
      left = String(operator === '+' ? one + other : one - other)
    }
    return left
  }

  #product(): string {
    let left = this.#match()
    for (let operator = this.#take('*', '/', '%'); operator !== undefined; operator = this.#take('*', '/', '%')) {
      const [one, other] = [integerOf(left), integerOf(this.#match())]
      if (operator !== '*' && other === 0n) throw new Problem('division by zero')
      left = String(operator === '*' ? one * other : operator === '/' ? one / other : one % other)
    }
    return left
  }

  #match(): string {
    let left = this.#primary()
    while (this.#take(':') !== undefined) left = matched(left, this.#primary())
    return left
  }

  #next(): string {
    const word = this.#words[this.#at]
    if (word === undefined) throw new Problem(`syntax error: missing argument after '${this.#words.at(-1) ?? ''}'`)
    this.#at += 1
    return word
  }

  #primary(): string {
    const word = this.#next()
    if (word === ')') throw new Problem("syntax error: unexpected ')'")
    if (word === '(') {
      const inner = this.#or()
      if (this.#take(')') === undefined) throw new Problem("syntax error: expecting ')'")
      return inner
    }
    if (word === '+') return this.#next()
    if (word === 'length') return String(Array.from(this.#primary()).length)
    if (word === 'match') {
      const text = this.#primary()
      return matched(text, this.#primary())
    }
    if (word === 'substr') {
      const text = Array.from(this.#primary())
      const [start, length] = [Number(this.#primary()), Number(this.#primary())]
      return start > 0 && length > 0 ? text.slice(start - 1, start - 1 + length).join('') : ''
    }
    if (word === 'index') {
      const text = Array.from(this.#primary())
      const set = new Set(this.#primary())
      return String(text.findIndex(character => set.has(character)) + 1)
    }
    return word
  }
}

function isNull(text: string): boolean {
  return text === '' || /^-?0+$/.test(text)
}

function isInteger(text: string): boolean {
  return /^-?\d+$/.test(text)
}

function integerOf(text: string): bigint {
  if (!isInteger(text)) throw new Problem('non-integer argument')
  return BigInt(text)
}

function compare<T extends string | bigint>(left: T, right: T): number {
  return left < right ? -1 : left > right ? 1 : 0
}

/** `:` matches an anchored basic regular expression; returns the first capture group, or the number of matched characters. */
function matched(text: string, pattern: string): string {
  let regex: Regex
  try {
    regex = posixRegex(pattern, { syntax: 'basic', escapes: 'none' })
  } catch (error) {
    if (error instanceof PatternError) throw new Problem(error.message)
    throw error
  }
  const places = startOf(regex, text)
  if (regex.groupCount === 0) return String(Array.from(text.slice(0, places?.[1] ?? 0)).length)
  const [, , start = -1, end = -1] = places ?? []
  return start < 0 ? '' : text.slice(start, end)
}

function startOf(regex: Regex, text: string): ReturnType<Regex['exec']> {
  try {
    const places = regex.exec(text)
    return places?.[0] === 0 ? places : undefined
  } catch (error) {
    if (error instanceof PatternLimitError) throw new Problem(error.message)
    throw error
  }
}
