// Checks arguments as Node does, before anything else happens: with the same codes, classes and messages.

import type { NodeFsError } from './errors.ts'
import { nodeModule } from './platform.ts'

/** `Received type string ('x')`, the end of Node's messages. */
export function received(value: unknown): string {
  if (value === undefined || value === null) return ` Received ${value}`
  if (typeof value === 'function') return ` Received function ${value.name}`
  if (typeof value === 'object') {
    const name = (value as { readonly constructor?: { readonly name?: string } }).constructor?.name
    return name === undefined ? ` Received ${shown(value)}` : ` Received an instance of ${name}`
  }
  if (typeof value !== 'string') return ` Received type ${typeof value} (${shown(value)})`
  const text = value.length > 28 ? `${value.slice(0, 25)}...` : value
  return ` Received type string (${text.includes("'") ? JSON.stringify(text) : `'${text}'`})`
}

/** A value as Node shows it in error messages; shorter in a page. */
function shown(value: unknown): string {
  const util = nodeModule('node:util')
  if (util !== undefined) return util.inspect(value)
  if (typeof value === 'string') return `'${value}'`
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'function') return `[Function: ${value.name}]`
  if (typeof value === 'object' && value !== null) return Object.prototype.toString.call(value)
  return Object.is(value, -0) ? '-0' : String(value)
}

export function invalidType(name: string, expected: string, value: unknown): NodeFsError {
  const what = name.includes('.') ? 'property' : 'argument'
  return coded(new TypeError(`The "${name}" ${what} must be ${expected}.${received(value)}`), 'ERR_INVALID_ARG_TYPE')
}

export function invalidValue(name: string, value: unknown, reason = 'is invalid'): NodeFsError {
  const what = name.includes('.') ? 'property' : 'argument'
  const text = shown(value)
  const short = text.length > 128 ? `${text.slice(0, 128)}...` : text
  return coded(new TypeError(`The ${what} '${name}' ${reason}. Received ${short}`), 'ERR_INVALID_ARG_VALUE')
}

export function outOfRange(name: string, range: string, value: unknown): NodeFsError {
  const text = typeof value === 'number' || typeof value === 'bigint' ? grouped(value) : shown(value)
  return coded(
    new RangeError(`The value of "${name}" is out of range. It must be ${range}. Received ${text}`),
    'ERR_OUT_OF_RANGE',
  )
}

/** Node groups the digits of large numbers: `4_294_967_296`. */
function grouped(value: number | bigint): string {
  const suffix = typeof value === 'bigint' ? 'n' : ''
  const text = Object.is(value, -0) ? '-0' : String(value)
  const isLarge = Number.isInteger(Number(value)) && (value > 2 ** 32 || value < -(2 ** 32))
  return (isLarge ? text.replace(/\B(?=(\d{3})+$)/g, '_') : text) + suffix
}

export function coded(error: Error, code: string): NodeFsError {
  // As text, such an error of Node has its code. System errors do not.
  const toString = (): string => `${error.name} [${code}]: ${error.message}`
  Object.defineProperty(error, 'toString', { value: toString, writable: true, configurable: true })
  return Object.assign(error, { code })
}

export function checkInteger(
  name: string,
  value: unknown,
  minimum: number = Number.MIN_SAFE_INTEGER,
  maximum: number = Number.MAX_SAFE_INTEGER,
): number {
  if (typeof value !== 'number') throw invalidType(name, 'of type number', value)
  if (!Number.isInteger(value)) throw outOfRange(name, 'an integer', value)
  if (value < minimum || value > maximum) throw outOfRange(name, `>= ${minimum} && <= ${maximum}`, value)
  return value
}

/** A file descriptor. */
export function checkDescriptor(value: unknown): number {
  return checkInteger('fd', value, 0, 2 ** 31 - 1)
}

/**
 * Whether a function that takes a path or a descriptor was given a descriptor, right or wrong. Numbers that are not 32-bit integers are
 * wrong paths.
 */
export function isDescriptor(value: unknown): value is number {
  return typeof value === 'number' && (value | 0) === value
}

/** Permission bits: a number, or octal digits as text. */
export function parseMode(value: unknown, name: string, fallback?: number): number {
  const mode = value ?? fallback
  if (typeof mode === 'string') {
    if (!/^[0-7]+$/.test(mode)) throw invalidValue(name, value, 'must be a 32-bit unsigned integer or an octal string')
    return Number.parseInt(mode, 8)
  }
  return checkInteger(name, mode, 0, 2 ** 32 - 1)
}

export function checkBoolean(name: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw invalidType(name, 'of type boolean', value)
  return value
}

export function checkFunction(name: string, value: unknown): void {
  if (typeof value !== 'function') throw invalidType(name, 'of type function', value)
}

/**
 * Options as an object; `undefined` means no options. If `isEncodingAllowed`, a string means `{ encoding }`, and Node is less strict
 * about values that are not objects.
 */
export function optionsOf<T extends object>(value: unknown, isEncodingAllowed = true): Partial<T> {
  if (value === undefined) return {}
  if (!isEncodingAllowed) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidType('options', 'of type object', value)
    return value as Partial<T>
  }
  if (value === null || typeof value === 'function') return {}
  if (typeof value === 'string') return { encoding: value } as unknown as Partial<T>
  if (typeof value !== 'object') throw invalidType('options', 'one of type string or object', value)
  checkSignal((value as { readonly signal?: unknown }).signal)
  return value as Partial<T>
}

/** A user or group ID; -1 means "do not change". */
export function checkOwner(name: string, value: unknown): number {
  // Adding 0 turns -0 into 0.
  return checkInteger(name, value, -1, 2 ** 32 - 1) + 0
}

export function checkSignal(signal: unknown): asserts signal is AbortSignal | undefined {
  if (signal === undefined) return
  if (typeof signal !== 'object' || signal === null || !('aborted' in signal))
    throw invalidType('options.signal', 'an instance of AbortSignal', signal)
}

/** In milliseconds. Node truncates the binary fraction to whole microseconds: 1_444_384_103.372 s becomes .371_999. */
function wholeMicroseconds(seconds: number): number {
  const whole = Math.trunc(seconds)
  return whole * 1000 + Math.trunc((seconds - whole) * 1e6) / 1000
}

/** A time in milliseconds, down to the microsecond, as Node sets it. It takes a Date or seconds since 1970. */
export function parseTime(value: unknown, name: string): number {
  const seconds = typeof value === 'string' ? Number(value) : value
  if (typeof seconds === 'number') {
    // A negative number means "now", but as text it is a time before 1970.
    if (seconds < 0 && value === seconds && Number.isFinite(seconds)) return Date.now()
    if (Number.isFinite(seconds)) return wholeMicroseconds(seconds)
  }
  if (isDate(value)) return wholeMicroseconds(value.getTime() / 1000)
  throw invalidType(name, 'an instance of Date or an Time in seconds', value)
}

/** Accepts arrays of another realm: in a `vm` context, such as Jest's, a Buffer is not an instance of the context's `Uint8Array`. */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === '[object Uint8Array]'
}

/** Accepts a date of another realm, as Node does. */
function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === '[object Date]'
}
