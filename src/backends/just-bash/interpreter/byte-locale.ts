// In the C locale each byte is a character. A byte beyond ASCII is a lone surrogate then, as in shell/byte-text.ts.

import { decodeText, encodeText } from '../../../shell/byte-text.ts'
import type { Shell } from './shell.ts'

/** Whether the script asked for characters of one byte. */
export function hasByteLocale({ variables }: Shell): boolean {
  const locale = variables.get('LC_ALL') || variables.get('LC_CTYPE') || variables.get('LANG')
  return locale === 'C' || locale === 'POSIX'
}

/** `text` with one code point for each character of the locale. */
export function inCharacters(shell: Shell, text: string): string {
  if (!/[^\0-\x7f]/.test(text) || !hasByteLocale(shell)) return text
  return Array.from(encodeText(text), byte => String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte)).join('')
}

/** The reverse of `inCharacters`: bytes that form a character of UTF-8 become this character. */
export function joinCharacters(text: string): string {
  return text.isWellFormed() ? text : decodeText(encodeText(text))
}

const toSymbol = 0xe080 - 0xdc80

/** Like `inCharacters`, for regular expressions: their `.` matches no lone surrogate, so the bytes become characters of private use. */
export function bytesAsSymbols(shell: Shell, text: string): string {
  return hasByteLocale(shell) ? moved(inCharacters(shell, text), /[\udc80-\udcff]/g, toSymbol) : text
}

export function symbolsAsBytes(shell: Shell, text: string): string {
  return hasByteLocale(shell) ? joinCharacters(moved(text, /[\ue080-\ue0ff]/g, -toSymbol)) : text
}

function moved(text: string, characters: RegExp, distance: number): string {
  return text.replace(characters, character => String.fromCharCode(character.charCodeAt(0) + distance))
}
