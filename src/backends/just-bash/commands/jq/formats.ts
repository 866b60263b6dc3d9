// The `@` formats: @csv, @base64 and others.

import { isArray, printJson, type Json } from './json.ts'
import { JqError, textOf, typeOf, withType } from './values.ts'

export function formatValue(name: string, value: Json): string {
  switch (name) {
    case '@text':
      return textOf(value)
    case '@json':
      return printJson(value)
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
      return uri(textOf(value))
    case '@sh':
      return (isArray(value) ? value : [value]).map(shellWord).join(' ')
    case '@base64':
      return toBase64(new TextEncoder().encode(textOf(value)))
    case '@base64d':
      return fromBase64(textOf(value))
    case '@base32':
      return toBase32(new TextEncoder().encode(textOf(value)))
    case '@base32d':
      return fromBase32(textOf(value))
    default:
      throw new JqError(`${name.slice(1)} is not a valid format`)
  }
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

function uri(text: string): string {
  let output = ''
  for (const byte of new TextEncoder().encode(text)) {
    const character = String.fromCharCode(byte)
    output += /[A-Za-z0-9_.~-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return output
}

const alphabet64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const alphabet32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function toBase64(bytes: Uint8Array): string {
  return grouped(bytes, 6, alphabet64, 4)
}

function toBase32(bytes: Uint8Array): string {
  return grouped(bytes, 5, alphabet32, 8)
}

/**
 * Splits the bits of `bytes` into groups of `size` and maps each to a character of `alphabet`; pads the text to a multiple of
 * `block`.
 */
function grouped(bytes: Uint8Array, size: number, alphabet: string, block: number): string {
  let output = ''
  let [buffer, bits] = [0, 0]
  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xffff
    bits += 8
    while (bits >= size) {
      bits -= size
      output += alphabet.charAt((buffer >> bits) & ((1 << size) - 1))
    }
  }
  if (bits > 0) output += alphabet.charAt((buffer << (size - bits)) & ((1 << size) - 1))
  return output.padEnd(Math.ceil(output.length / block) * block, '=')
}

function fromBase64(text: string): string {
  return new TextDecoder().decode(ungrouped(text, 6, alphabet64, 'base64'))
}

function fromBase32(text: string): string {
  return new TextDecoder().decode(ungrouped(text, 5, alphabet32, 'base32'))
}

function ungrouped(text: string, size: number, alphabet: string, name: string): Uint8Array {
  const bytes: number[] = []
  let [buffer, bits] = [0, 0]
  const letters = text.replace(/=+$/, '')
  for (const letter of letters) {
    const value = alphabet.indexOf(letter)
    if (value < 0) throw new JqError(`string (${printJson(text)}) is not valid ${name} data`)
    buffer = ((buffer << size) | value) & 0xffff
    bits += size
    if (bits >= 8) {
      bits -= 8
      bytes.push((buffer >> bits) & 0xff)
    }
  }
  if (letters.length > 0 && bytes.length === 0) throw new JqError(`string (${printJson(text)}) is not valid ${name} data`)
  return Uint8Array.from(bytes)
}
