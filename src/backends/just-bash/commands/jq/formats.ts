// The `@` formats: @csv, @base64 and others.

import { partsOf } from '../pace.ts'
import { isArray, jsonInSteps, printJson, type Json } from './json.ts'
import { JqError, textOf, typeOf, withType } from './values.ts'

/** As much of a text counts as a turn of a loop. */
const lengthPerTurn = 256

/** Pauses where `isDue` is true. */
export function* formatInSteps(name: string, value: Json, isDue: () => boolean): Generator<undefined, string> {
  switch (name) {
    case '@text':
      return typeof value === 'string' ? value : yield* jsonInSteps(value, isDue)
    case '@json':
      return yield* jsonInSteps(value, isDue)
    case '@csv':
      return row(value, ',', text => `"${text.replaceAll('"', '""')}"`, 'csv')
    case '@tsv':
      return row(
        value,
        '\t',
        text => text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r'),
        'tsv',
      )
    case '@html':
      return textOf(value).replace(/[<>&'"]/g, character => entities[character] ?? character)
    case '@uri':
      return yield* uri(textOf(value), isDue)
    case '@sh':
      return (isArray(value) ? value : [value]).map(shellWord).join(' ')
    case '@base64':
      return yield* grouped(encoded(value), 6, alphabet64, 4, isDue)
    case '@base32':
      return yield* grouped(encoded(value), 5, alphabet32, 8, isDue)
    case '@base64d':
      return decoder.decode(yield* ungrouped(textOf(value), 6, values64, 'base64', isDue))
    case '@base32d':
      return decoder.decode(yield* ungrouped(textOf(value), 5, values32, 'base32', isDue))
    default:
      throw new JqError(`${name.slice(1)} is not a valid format`)
  }
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

function encoded(value: Json): Uint8Array {
  return encoder.encode(textOf(value))
}

const entities: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', "'": '&apos;', '"': '&quot;' }

function row(value: Json, separator: string, quote: (text: string) => string, name: string): string {
  if (!isArray(value)) throw new JqError(`${withType(value)} cannot be ${name}-formatted, only an array can be`)
  return value
    .map(item => {
      if (item === null) return ''
      if (typeof item === 'string') return quote(item)
      if (typeof item === 'object') throw new JqError(`${typeOf(item)} (${printJson(item)}) is not valid in a ${name} row`)
      return textOf(item)
    })
    .join(separator)
}

function shellWord(value: Json): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "'\\''")}'`
  if (value !== null && typeof value === 'object') throw new JqError(`${withType(value)} can not be escaped for shell`)
  return textOf(value)
}

function* uri(text: string, isDue: () => boolean): Generator<undefined, string> {
  let output = ''
  for (const part of partsOf(text, lengthPerTurn)) {
    output += part.replace(/[^A-Za-z0-9_.~-]+/g, others => Array.from(encoder.encode(others), escaped).join(''))
    if (isDue()) yield
  }
  return output
}

function escaped(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
}

const alphabet64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const alphabet32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

const values64 = valuesOf(alphabet64)
const values32 = valuesOf(alphabet32)

/** The value of each ASCII character of `alphabet`, and -1 for the others. */
function valuesOf(alphabet: string): readonly number[] {
  return Array.from({ length: 128 }, (_, code) => alphabet.indexOf(String.fromCharCode(code)))
}

/** Splits the bits of `bytes` into groups of `size` and maps each to a character of `alphabet`; pads the text to a multiple of `block`. */
function* grouped(
  bytes: Uint8Array,
  size: number,
  alphabet: string,
  block: number,
  isDue: () => boolean,
): Generator<undefined, string> {
  const letters = encoder.encode(alphabet)
  const count = Math.ceil((bytes.length * 8) / size)
  const output = new Uint8Array(Math.ceil(count / block) * block).fill('='.charCodeAt(0))
  let [buffer, bits, length] = [0, 0, 0]
  const put = (value: number): void => {
    output[length] = letters[value & ((1 << size) - 1)] ?? 0
    length += 1
  }
  for (let at = 0; at < bytes.length; at++) {
    buffer = ((buffer << 8) | (bytes[at] ?? 0)) & 0xffff
    bits += 8
    while (bits >= size) {
      bits -= size
      put(buffer >> bits)
    }
    if (at % lengthPerTurn === lengthPerTurn - 1 && isDue()) yield
  }
  if (bits > 0) put(buffer << (size - bits))
  return decoder.decode(output)
}

function* ungrouped(
  text: string,
  size: number,
  values: readonly number[],
  name: string,
  isDue: () => boolean,
): Generator<undefined, Uint8Array> {
  let length = text.length
  while (text.endsWith('=', length)) length -= 1
  const bytes = new Uint8Array((length * size) >> 3)
  let [buffer, bits, byteCount] = [0, 0, 0]
  for (let at = 0; at < length; at++) {
    const value = values[text.charCodeAt(at)] ?? -1
    if (value < 0) throw new JqError(`string (${printJson(text)}) is not valid ${name} data`)
    buffer = ((buffer << size) | value) & 0xffff
    bits += size
    if (bits >= 8) {
      bits -= 8
      bytes[byteCount] = (buffer >> bits) & 0xff
      byteCount += 1
    }
    if (at % lengthPerTurn === lengthPerTurn - 1 && isDue()) yield
  }
  if (length > 0 && byteCount === 0) throw new JqError(`string (${printJson(text)}) is not valid ${name} data`)
  return bytes.subarray(0, byteCount)
}
