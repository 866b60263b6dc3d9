// The escapes of `$'…'`, `echo -e` and printf formats. Escapes of single bytes may together form a character.

import { decodeText, encodeText } from '../../../shell/byte-text.ts'

const letters: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
}

export interface Escape {
  /** The character; a byte above 0x7F is a lone surrogate. `undefined` if the backslash does not begin an escape. */
  readonly value: string | undefined
  /** The length of the escape, including the backslash. */
  readonly length: number
}

/** Reads the escape whose backslash is at `at`. `octal`: whether an octal escape has no prefix (`\101`) or begins with a 0 (`\0101`). */
export function readEscape(text: string, at: number, octal: 'plain' | 'after-zero' | 'both'): Escape {
  const letter = text.charAt(at + 1)
  const known = letters[letter]
  if (known !== undefined) return { value: known, length: 2 }
  const rest = text.slice(at + 1, at + 11)
  const octalDigits =
    (octal !== 'plain' ? /^0([0-7]{0,3})/.exec(rest) : undefined) ??
    (octal !== 'after-zero' ? /^([0-7]{1,3})/.exec(rest) : undefined)
  if (octalDigits != null)
    return { value: byteText(Number.parseInt(octalDigits[1] || '0', 8) & 0xff), length: 1 + octalDigits[0].length }
  const hex = /^x([0-9A-Fa-f]{1,2})/.exec(rest)
  if (hex !== null) return { value: byteText(Number.parseInt(hex[1] ?? '', 16)), length: 1 + hex[0].length }
  const unicode = /^(?:u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8}))/.exec(rest)
  if (unicode !== null) {
    const code = Number.parseInt(unicode[1] ?? unicode[2] ?? '', 16)
    return { value: code <= 0x10ffff ? String.fromCodePoint(code) : '', length: 1 + unicode[0].length }
  }
  return { value: undefined, length: 1 }
}

/** Joins lone surrogates that stand for bytes into the characters that they form together. */
export function joinBytesInText(text: string): string {
  return /[\udc80-\udcff]/.test(text) ? decodeText(encodeText(text)) : text
}

/** Decodes the text between the quotes of `$'…'`. */
export function decodeAnsiQuotes(text: string): string {
  let result = ''
  for (let at = 0; at < text.length;) {
    const escape = text.indexOf('\\', at)
    if (escape !== at || at + 1 === text.length) {
      const end = escape > at ? escape : text.length
      result += text.slice(at, end)
      at = end
      continue
    }
    const next = text.charAt(at + 1)
    if (next === "'" || next === '"' || next === '?') {
      result += next
      at += 2
    } else if (next === 'c' && at + 2 < text.length) {
      result += String.fromCharCode(text.charCodeAt(at + 2) & 0x1f)
      at += 3
    } else {
      const { value, length } = readEscape(text, at, 'plain')
      // A NUL byte ends the text.
      if (value === '\0') break
      result += value ?? '\\'
      at += length
    }
  }
  return joinBytesInText(result)
}

function byteText(byte: number): string {
  return byte < 0x80 ? String.fromCharCode(byte) : String.fromCharCode(0xdc00 + byte)
}
