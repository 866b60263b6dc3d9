// Builtin functions that take an input value and the values of their arguments.

import { formatTime, inZone } from '../../format/time-format.ts'
import type { Surroundings } from './steps.ts'
import { isArray, isObject, type Json } from './json.ts'
import { compareJson, sortedKeys } from './order.ts'
import { mathematics, numbered } from './mathematics.ts'
import { keyedBy } from './ordering.ts'
import { deletePaths, setPath } from './paths.ts'
import { parseTimeBy } from './strptime.ts'
import { add, indicesOf, isTrue, JqError, textOf, typeOf, withType } from './values.ts'
import { largest } from '../../../../core/many.ts'

export type NativeFunction = (input: Json, args: readonly Json[], surroundings: Surroundings) => Json

/** Thrown by `halt` and `halt_error`; ends the program with `exitCode`. */
export class Halt extends Error {
  override readonly name = 'Halt'
  readonly exitCode: number
  readonly output: Json | undefined

  constructor(exitCode: number, output: Json | undefined) {
    super('halt')
    this.exitCode = exitCode
    this.output = output
  }
}

function arrayOf(input: Json, problem: string): readonly Json[] {
  if (!isArray(input)) throw new JqError(problem)
  return input
}

function lengthOf(input: Json): Json {
  if (input === null) return 0
  if (typeof input === 'number') return Math.abs(input)
  if (typeof input === 'string') return /[\ud800-\udbff]/.test(input) ? Array.from(input).length : input.length
  if (isArray(input)) return input.length
  if (isObject(input)) return input.size
  throw new JqError(`${withType(input)} has no length`)
}

function keysOf(input: Json, isSorted: boolean): Json {
  if (isArray(input)) return [...input.keys()]
  if (isObject(input)) return isSorted ? sortedKeys(input) : [...input.keys()]
  throw new JqError(`${withType(input)} has no keys`)
}

function has(input: Json, key: Json): Json {
  if (input === null && (typeof key === 'string' || typeof key === 'number')) return false
  if (isObject(input) && typeof key === 'string') return input.has(key)
  if (isArray(input) && typeof key === 'number') return key >= 0 && key < input.length
  throw new JqError(`Cannot check whether ${typeOf(input)} has a ${typeof key === 'string' ? 'string' : typeOf(key)} key`)
}

function contains(one: Json, other: Json): boolean {
  if (isObject(one) && isObject(other))
    return [...other].every(([key, value]) => one.has(key) && contains(one.get(key) ?? null, value))
  if (isArray(one) && isArray(other))
    return other.every(item => one.some(candidate => typeOf(candidate) === typeOf(item) && contains(candidate, item)))
  if (typeof one === 'string' && typeof other === 'string') return one.includes(other)
  if (typeOf(one) === typeOf(other)) return compareJson(one, other) === 0
  throw new JqError(`${withType(one)} and ${withType(other)} cannot have their containment checked`)
}

function toNumber(input: Json): Json {
  if (typeof input === 'number') return input
  if (typeof input !== 'string') throw new JqError(`${withType(input)} cannot be parsed as a number`)
  const text = input.trim()
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return Number(text)
  if (text === 'nan') return Number.NaN
  throw new JqError(`Invalid numeric literal at EOF at line 1, column ${input.length} (while parsing '${input}')`)
}

function extreme(input: Json, keys: Json | undefined, isMost: boolean): Json {
  let best: { readonly key: Json; readonly value: Json } | undefined
  for (const item of keyedBy(input, keys !== undefined && isArray(keys) ? keys : [])) {
    const order = best === undefined ? 0 : compareJson(item.key, best.key)
    if (best === undefined || (isMost ? order >= 0 : order < 0)) best = item
  }
  return best?.value ?? null
}

function joined(input: Json, separator: Json): Json {
  const items = arrayOf(input, `Cannot iterate over ${withType(input)}`)
  if (items.length === 0) return ''
  if (typeof separator !== 'string')
    return items.reduce<Json>((text, item, index) => add(add(text, index === 0 ? '' : separator), item), '')
  return items
    .map((item, index) => {
      if (item === null) return ''
      if (typeof item !== 'object') return textOf(item)
      const before = index === 0 ? '' : joined(items.slice(0, index), separator)
      throw new JqError(`${withType(add(before, index === 0 ? '' : separator))} and ${withType(item)} cannot be added`)
    })
    .join(separator)
}

function trimmed(input: Json, part: Json, isStart: boolean): Json {
  if (typeof input !== 'string' || typeof part !== 'string') return input
  if (isStart) return input.startsWith(part) ? input.slice(part.length) : input
  return input.endsWith(part) && part !== '' ? input.slice(0, -part.length) : input
}

function texts(input: Json, part: Json, name: string): readonly [string, string] {
  if (typeof input !== 'string' || typeof part !== 'string') throw new JqError(`${name}() requires string inputs`)
  return [input, part]
}

function trimBlanks(input: Json, change: (text: string) => string): Json {
  if (typeof input !== 'string') throw new JqError(`${withType(input)} cannot be trimmed`)
  return change(input)
}

/** Converts "broken down time", as returned by `gmtime`, to seconds since 1970; a number is returned as it is. */
function secondsOf(input: Json, name: string): number {
  if (typeof input === 'number') return input
  if (!isArray(input) || input.length < 6 || input.some(part => typeof part !== 'number'))
    throw new JqError(`${name} requires array of 6 numbers`)
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = input.map(Number)
  return Date.UTC(year, month, day, hours, minutes, 0) / 1000 + seconds
}

function brokenDown(seconds: Json, zone: string): Json {
  if (typeof seconds !== 'number') throw new JqError('gmtime() requires a number')
  const local = inZone(seconds * 1000, zone)?.local ?? new Date(seconds * 1000)
  const start = new Date(local)
  start.setUTCMonth(0, 1)
  const day = Math.round((local.getTime() - start.getTime()) / 86_400_000)
  const fraction = seconds - Math.floor(seconds)
  return [
    local.getUTCFullYear(),
    local.getUTCMonth(),
    local.getUTCDate(),
    local.getUTCHours(),
    local.getUTCMinutes(),
    local.getUTCSeconds() + fraction,
    local.getUTCDay(),
    day,
  ]
}

function timeText(input: Json, format: Json, zone: string, name: string): Json {
  if (typeof format !== 'string') throw new JqError(`${name}/1 requires a string format`)
  if (typeof input !== 'number' && !isArray(input)) throw new JqError(`${name}/1 requires parsed datetime inputs`)
  const time = inZone(Math.floor(secondsOf(input, name)) * 1000, zone) ?? inZone(0, '')
  return time === undefined ? '' : formatTime(format, time)
}

const table: Readonly<Record<string, NativeFunction>> = {
  'not/0': input => !isTrue(input),
  'length/0': lengthOf,
  'utf8bytelength/0': input => {
    if (typeof input !== 'string') throw new JqError(`${withType(input)} only strings have UTF-8 byte length`)
    return new TextEncoder().encode(input).length
  },
  'keys/0': input => keysOf(input, true),
  'keys_unsorted/0': input => keysOf(input, false),
  'has/1': (input, [key = null]) => has(input, key),
  'contains/1': (input, [other = null]) => contains(input, other),
  'type/0': typeOf,
  'tonumber/0': toNumber,
  'infinite/0': () => Number.POSITIVE_INFINITY,
  'nan/0': () => Number.NaN,
  'isinfinite/0': input => Math.abs(numbered(input)) === Number.POSITIVE_INFINITY,
  'isnan/0': input => Number.isNaN(numbered(input)),
  'isnormal/0': input => Number.isFinite(numbered(input)) && Math.abs(numbered(input)) >= 2.2250738585072014e-308,
  'min/0': input => extreme(input, undefined, false),
  'max/0': input => extreme(input, undefined, true),
  '_min_by/1': (input, [keys]) => extreme(input, keys, false),
  '_max_by/1': (input, [keys]) => extreme(input, keys, true),
  'reverse/0': input => {
    if (input === null) return []
    if (typeof input === 'string') return Array.from(input).reverse().join('')
    return [...arrayOf(input, `Cannot reverse ${withType(input)}`)].reverse()
  },
  'join/1': (input, [separator = null]) => joined(input, separator),
  'ltrimstr/1': (input, [part = null]) => trimmed(input, part, true),
  'rtrimstr/1': (input, [part = null]) => trimmed(input, part, false),
  'trimstr/1': (input, [part = null]) => trimmed(trimmed(input, part, true), part, false),
  'startswith/1': (input, [part = null]) => {
    const [text, start] = texts(input, part, 'startswith')
    return text.startsWith(start)
  },
  'endswith/1': (input, [part = null]) => {
    const [text, end] = texts(input, part, 'endswith')
    return text.endsWith(end)
  },
  'trim/0': input => trimBlanks(input, text => text.trim()),
  'ltrim/0': input => trimBlanks(input, text => text.trimStart()),
  'rtrim/0': input => trimBlanks(input, text => text.trimEnd()),
  'indices/1': (input, [wanted = null]) => indicesOf(input, wanted),
  '_indices/1': (input, [wanted = null]) => indicesOf(input, wanted),
  'setpath/2': (input, [path = null, value = null]) => setPath(input, arrayOf(path, 'Path must be specified as an array'), value),
  'delpaths/1': (input, [paths = null]) =>
    deletePaths(
      input,
      arrayOf(paths, 'Paths must be specified as an array').map(path => arrayOf(path, 'Path must be specified as an array')),
    ),
  'transpose/0': input => {
    const rows = arrayOf(input, `Cannot iterate over ${withType(input)}`)
    const cells = rows.map(row => arrayOf(row ?? [], `Cannot index ${typeOf(row)} with number`))
    const width = largest(
      cells.map(({ length }) => length),
      0,
    )
    return Array.from({ length: width }, (_, column) => cells.map(row => row[column] ?? null))
  },
  'bsearch/1': (input, [wanted = null]) => {
    const items = arrayOf(input, `${withType(input)} cannot be searched from`)
    let [low, high] = [0, items.length - 1]
    while (low <= high) {
      const middle = (low + high) >> 1
      const order = compareJson(items[middle] ?? null, wanted)
      if (order === 0) return middle
      if (order < 0) low = middle + 1
      else high = middle - 1
    }
    return -1 - low
  },
  'now/0': () => Date.now() / 1000,
  'mktime/0': input => {
    if (!isArray(input)) throw new JqError('mktime requires array of 6 numbers')
    return Math.floor(secondsOf(input, 'mktime'))
  },
  'gmtime/0': input => brokenDown(input, ''),
  'localtime/0': (input, _args, { timeZone }) => brokenDown(input, timeZone),
  'strftime/1': (input, [format = null]) => timeText(input, format, '', 'strftime'),
  'strflocaltime/1': (input, [format = null], { timeZone }) => timeText(input, format, timeZone, 'strflocaltime'),
  'strptime/1': (input, [format = null]) => {
    if (typeof input !== 'string') throw new JqError(`strptime/1 requires string inputs and arguments`)
    const seconds = parseTimeBy(input, textOf(format))
    if (seconds === undefined) throw new JqError(`date "${input}" does not match format "${textOf(format)}"`)
    return brokenDown(seconds, '')
  },
  'input_filename/0': (_input, _args, { inputName }) => inputName(),
  '_input_line_number/0': (_input, _args, { inputLine }) => inputLine(),
  'halt/0': () => {
    throw new Halt(0, undefined)
  },
  'halt_error/1': (input, [code]) => {
    throw new Halt(Number(code), input)
  },
}

export const builtins: ReadonlyMap<string, NativeFunction> = new Map([...Object.entries(table), ...mathematics])
