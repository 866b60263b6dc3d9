// Functions of long texts and values, which pause while they work.

import { partsOf } from '../pace.ts'
import { formatInSteps } from './formats.ts'
import { isArray, isObject, JsonError, JsonReader, jsonInSteps, type Json } from './json.ts'
import { matches, matchObjects } from './regex.ts'
import type { SpecialForm } from './special-forms.ts'
import { whenDone } from './steps.ts'
import { JqError, split, textOf, withType } from './values.ts'

type IsDue = () => boolean
type InSteps<T> = Generator<undefined, T>
type TextFunction = (input: Json, args: readonly Json[], isDue: IsDue) => InSteps<Json>

const functions: Readonly<Record<string, TextFunction>> = {
  'tojson/0': (input, _args, isDue) => jsonInSteps(input, isDue),
  'tostring/0': (input, _args, isDue) => formatInSteps('@text', input, isDue),
  'format/1': (input, [name = null], isDue) => formatInSteps(`@${textOf(name)}`, input, isDue),
  *'explode/0'(input, _args, isDue) {
    if (typeof input !== 'string') throw new JqError(`${withType(input)} cannot be exploded`)
    // oxlint-disable-next-line unicorn/no-new-array -- a list that grows is copied whole, which takes a tenth of a second
    const codes = new Array<Json>(Math.min(input.length, longestFastList))
    let count = 0
    for (const part of partsOf(input, lengthPerTurn)) {
      for (const character of part) codes[count++] = character.codePointAt(0) ?? 0
      if (isDue()) yield
    }
    codes.length = count
    return codes
  },
  'ascii_downcase/0': (input, _args, isDue) => withCase(input, /[A-Z]+/g, letters => letters.toLowerCase(), isDue),
  'ascii_upcase/0': (input, _args, isDue) => withCase(input, /[a-z]+/g, letters => letters.toUpperCase(), isDue),
  *'implode/0'(input, _args, isDue) {
    if (!isArray(input)) throw new JqError('implode input must be an array')
    let text = ''
    for (const [index, code] of input.entries()) {
      text += typeof code === 'number' && code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
      if (index % lengthPerTurn === lengthPerTurn - 1 && isDue()) yield
    }
    return text.toWellFormed()
  },
  *'split/1'(input, [separator = null], isDue) {
    if (typeof input !== 'string' || typeof separator !== 'string') throw new JqError('split input and separator must be strings')
    if (input.length < longLength || separator === '') return split(input, separator)
    const parts: Json[] = []
    for (let from = 0; ;) {
      const end = input.indexOf(separator, from)
      parts.push(end < 0 ? input.slice(from) : input.slice(from, end))
      if (end < 0) return parts
      from = end + separator.length
      if (isDue()) yield
    }
  },
  *'flatten/0'(input, _args, isDue) {
    return yield* flattened(itemsOf(input), 1e9, isDue)
  },
  *'flatten/1'(input, [depth = null], isDue) {
    if (typeof depth === 'number' && depth < 0) throw new JqError('flatten depth must not be negative')
    return yield* flattened(itemsOf(input), Number(depth), isDue)
  },
  'fromjson/0': (input, _args, isDue) => fromJson(input, isDue),
  *'test/2'(input, [pattern = null, flags = null], isDue) {
    return (yield* matches(input, pattern, flags, true, isDue)).length > 0
  },
  '_match/2': (input, [pattern = null, flags = null], isDue) => matchObjects(input, pattern, flags, isDue),
  *'split/2'(input, [pattern = null, flags = null], isDue) {
    if (typeof input !== 'string') throw new JqError(`${withType(input)} cannot be matched, as it is not a string`)
    const parts: Json[] = []
    let from = 0
    for (const [start = 0, end = 0] of yield* matches(input, pattern, `g${flags === null ? '' : textOf(flags)}`, false, isDue)) {
      parts.push(input.slice(from, start))
      from = end
    }
    parts.push(input.slice(from))
    return parts
  },
}

/** As much of a text counts as a turn of a loop. */
const lengthPerTurn = 256
const longLength = 64 * 1024
/** A longer list that is made empty would be kept as a table. */
const longestFastList = 2 ** 25 - 1

function* withCase(input: Json, wanted: RegExp, change: (letters: string) => string, isDue: IsDue): InSteps<string> {
  if (typeof input !== 'string') throw new JqError(`${withType(input)} cannot be exploded`)
  const parts: string[] = []
  for (const part of partsOf(input, lengthPerTurn)) {
    parts.push(part.replace(wanted, change))
    if (isDue()) yield
  }
  return parts.join('')
}

function itemsOf(input: Json): Iterable<Json> {
  if (!isArray(input) && !isObject(input)) throw new JqError(`Cannot iterate over ${withType(input)}`)
  return input.values()
}

function* flattened(items: Iterable<Json>, depth: number, isDue: IsDue): InSteps<Json[]> {
  const found: Json[] = []
  for (const item of items) {
    if (isArray(item) && depth > 0) for (const inner of yield* flattened(item, depth - 1, isDue)) found.push(inner)
    else found.push(item)
    if (isDue()) yield
  }
  return found
}

export const textForms: readonly (readonly [string, SpecialForm])[] = Object.entries(functions).map(([name, work]) => [
  name,
  (evaluator, args, scope, input, path, emit) =>
    evaluator.eachCombination(args, scope, input, values =>
      whenDone(work(input, values, evaluator.surroundings.isDue), value => emit(value, path && null)),
    ),
])

function* fromJson(input: Json, isDue: IsDue): InSteps<Json> {
  if (typeof input !== 'string') throw new JqError(`${withType(input)} cannot be parsed as JSON`)
  try {
    const reader = new JsonReader(input, isDue)
    const value = yield* reader.read()
    if (value === undefined) return null
    if ((yield* reader.read()) !== undefined) throw new JqError(`Unexpected extra JSON values (while parsing '${input}')`)
    return value
  } catch (error) {
    if (error instanceof JsonError) throw new JqError(`${error.message} (while parsing '${input}')`)
    throw error
  }
}
