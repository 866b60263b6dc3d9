// The operators of jq.

import { CodePointOffsets } from './code-point-offsets.ts'
import { isArray, isObject, printJson, type Json } from './json.ts'
import { compareJson } from './order.ts'
import type { BinaryOperator } from './syntax.ts'

/** A runtime error of the program, which `try` catches. */
export class JqError extends Error {
  override readonly name = 'JqError'
  readonly value: Json

  constructor(value: Json) {
    super(typeof value === 'string' ? value : printJson(value))
    this.value = value
  }
}

export function typeOf(value: Json): string {
  if (value === null) return 'null'
  if (isArray(value)) return 'array'
  return isObject(value) ? 'object' : typeof value
}

export function isTrue(value: Json): boolean {
  return value !== null && value !== false
}

/** Renders a value for an error message, truncated as in jq. */
export function shown(value: Json): string {
  const text = printJson(value)
  return text.length > 11 ? `${text.slice(0, 10)}...` : text
}

export function withType(value: Json): string {
  return `${typeOf(value)} (${shown(value)})`
}

export function indexed(value: Json, index: Json): Json {
  if (isObject(value) && typeof index === 'string') return value.get(index) ?? null
  if (isArray(value) && typeof index === 'number') {
    const at = Math.floor(index)
    return value[at < 0 ? at + value.length : at] ?? null
  }
  if (isObject(index) && (isArray(value) || value === null || typeof value === 'string'))
    return sliced(value, index.get('start') ?? null, index.get('end') ?? null)
  if (isArray(value) && isArray(index)) return indicesOf(value, index)
  if (value === null && (typeof index === 'string' || typeof index === 'number' || index === null)) return null
  if (typeof index === 'string') throw new JqError(`Cannot index ${typeOf(value)} with string "${index}"`)
  throw new JqError(`Cannot index ${typeOf(value)} with ${typeOf(index)}`)
}

export function indicesOf(value: Json, wanted: Json): Json {
  if (value === null) return null
  if (typeof value === 'string' && typeof wanted === 'string') {
    const found: number[] = []
    if (wanted === '') return null
    const offsets = new CodePointOffsets(value)
    for (let at = value.indexOf(wanted); at >= 0; at = value.indexOf(wanted, at + 1)) found.push(offsets.before(at))
    return found
  }
  if (isArray(value) && isArray(wanted)) {
    if (wanted.length === 0) return null
    return [...value.keys()].filter(at =>
      wanted.every((item, offset) => compareJson(value[at + offset] ?? null, item) === 0 && at + offset < value.length),
    )
  }
  if (isArray(value)) return [...value.keys()].filter(at => compareJson(value[at] ?? null, wanted) === 0)
  return indexed(value, wanted)
}

/** The start (inclusive) and end (exclusive) of a slice. */
export function sliceBounds(length: number, from: Json, to: Json): readonly [number, number] {
  if ((from !== null && typeof from !== 'number') || (to !== null && typeof to !== 'number'))
    throw new JqError('Start and end indices of an array slice must be numbers')
  const clamp = (value: number): number => Math.min(length, Math.max(0, value < 0 ? value + length : value))
  const start = Math.floor(clamp(from ?? 0))
  return [start, Math.max(start, Math.ceil(clamp(to ?? length)))]
}

export function sliced(value: Json, from: Json, to: Json): Json {
  if (value === null) return null
  if (typeof value === 'string') {
    if (!/[\ud800-\udbff]/.test(value)) return value.slice(...sliceBounds(value.length, from, to))
    const characters = Array.from(value)
    return characters.slice(...sliceBounds(characters.length, from, to)).join('')
  }
  if (!isArray(value)) throw new JqError(`Cannot index ${typeOf(value)} with object`)
  return value.slice(...sliceBounds(value.length, from, to))
}

export function calculate(operator: BinaryOperator, left: Json, right: Json): Json {
  switch (operator) {
    case '+':
      return add(left, right)
    case '-':
      if (typeof left === 'number' && typeof right === 'number') return left - right
      if (isArray(left) && isArray(right)) return left.filter(item => !right.some(other => compareJson(item, other) === 0))
      throw new JqError(`${withType(left)} and ${withType(right)} cannot be subtracted`)
    case '*':
      return multiply(left, right)
    case '/':
      if (typeof left === 'number' && typeof right === 'number') {
        if (right === 0)
          throw new JqError(`${withType(left)} and ${withType(right)} cannot be divided because the divisor is zero`)
        return left / right
      }
      if (typeof left === 'string' && typeof right === 'string') return split(left, right)
      throw new JqError(`${withType(left)} and ${withType(right)} cannot be divided`)
    case '%': {
      if (typeof left !== 'number' || typeof right !== 'number')
        throw new JqError(`${withType(left)} and ${withType(right)} cannot be divided`)
      const divisor = Math.trunc(right)
      if (divisor === 0)
        throw new JqError(`${withType(left)} and ${withType(right)} cannot be divided because the divisor is zero`)
      const result = Math.trunc(left) % Math.abs(divisor)
      return result === 0 ? 0 : result
    }
    case '==':
      return compareJson(left, right) === 0
    case '!=':
      return compareJson(left, right) !== 0
    case '<':
      return compareJson(left, right) < 0
    case '<=':
      return compareJson(left, right) <= 0
    case '>':
      return compareJson(left, right) > 0
    case '>=':
      return compareJson(left, right) >= 0
  }
}

export function split(text: string, separator: string): Json {
  return text === '' ? [] : separator === '' ? Array.from(text) : text.split(separator)
}

export function add(left: Json, right: Json): Json {
  if (left === null) return right
  if (right === null) return left
  if (typeof left === 'number' && typeof right === 'number') return left + right
  if (typeof left === 'string' && typeof right === 'string') return left + right
  if (isArray(left) && isArray(right)) return left.concat(right)
  if (isObject(left) && isObject(right)) return new Map([...left, ...right])
  throw new JqError(`${withType(left)} and ${withType(right)} cannot be added`)
}

const mostRepeatedLength = 256 * 1024 * 1024

function multiply(left: Json, right: Json): Json {
  if (typeof left === 'number' && typeof right === 'number') return left * right
  const [text, count] = typeof left === 'string' ? [left, right] : [right, left]
  if (typeof text === 'string' && typeof count === 'number') {
    if (!(count > 0)) return null
    const times = count < 1 ? 1 : Math.trunc(count)
    if (text.length * times > mostRepeatedLength) throw new JqError('Repeat string result too long')
    return text.repeat(times)
  }
  if (isObject(left) && isObject(right)) return merged(left, right)
  throw new JqError(`${withType(left)} and ${withType(right)} cannot be multiplied`)
}

function merged(left: ReadonlyMap<string, Json>, right: ReadonlyMap<string, Json>): Json {
  const result = new Map(left)
  for (const [key, value] of right) {
    const before = result.get(key)
    result.set(key, before !== undefined && isObject(before) && isObject(value) ? merged(before, value) : value)
  }
  return result
}

export function textOf(value: Json): string {
  return typeof value === 'string' ? value : printJson(value)
}
