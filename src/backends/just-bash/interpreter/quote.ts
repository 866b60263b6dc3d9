// Quotes values so that a shell reads them back: for `${x@Q}`, `printf %q`, `declare -p` and `set`.

import { eachPart } from './pace.ts'
import type { Shell } from './shell.ts'

/** Quotes with `$'…'` if the text contains control characters, otherwise with single quotes. */
export function quoteValue(text: string): string {
  return needsAnsi(text) ? ansiQuoted(text) : `'${inSingleQuotes(text)}'`
}

function inSingleQuotes(text: string): string {
  return text.replaceAll("'", `'\\''`)
}

/** Quotes as `printf %q` does: with backslashes, `''` for an empty text, and `$'…'` if necessary. */
export function quoteWord(text: string): string {
  if (text === '') return "''"
  return needsAnsi(text) ? ansiQuoted(text) : withBackslashes(text)
}

function withBackslashes(text: string): string {
  return text.replace(/[ !"$&'()*,;<>?[\\\]^`{|}]|^#|(?<=^|[=:])~/g, '\\$&')
}

/** Quotes a long text as `quoteValue` or `quoteWord` does. Others run between its parts. */
export async function quoteLong(shell: Shell, text: string, form: 'value' | 'word'): Promise<string> {
  let isAnsi = false
  await eachPart(shell, text, part => {
    isAnsi ||= needsAnsi(part)
  })
  const quoted: string[] = []
  let before = ''
  await eachPart(shell, text, part => {
    if (isAnsi) quoted.push(ansiEscaped(part))
    else if (form === 'value') quoted.push(inSingleQuotes(part))
    // The character before a part decides how its first one is quoted.
    else quoted.push(withBackslashes(before + part).slice(withBackslashes(before).length))
    before = part.slice(-1)
  })
  const joined = quoted.join('')
  return isAnsi ? `$'${joined}'` : form === 'value' ? `'${joined}'` : joined
}

/** Quotes a key as `declare -p` prints it in brackets. */
export function quoteKey(key: string): string {
  return needsAnsi(key) || /[ '"\\|&;()<>!{}*[\]?^$`]|^[@#]$|^#|(?:^|[=:])~/.test(key) ? quoteDeclared(key) : key
}

/** Quotes as `declare -p` does, with double quotes. */
export function quoteDeclared(text: string): string {
  return needsAnsi(text) ? ansiQuoted(text) : `"${text.replace(/[$`"\\]/g, '\\$&')}"`
}

/** Quotes as `set -x` does, only if necessary. */
export function quoteTraced(text: string): string {
  if (text === '') return "''"
  if (/[\s'"\\|&;()<>!{}*[\]?^$`]|^#|(?:^|[=:])~/.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`
  return needsAnsi(text) ? ansiQuoted(text) : text
}

function needsAnsi(text: string): boolean {
  return /[\x00-\x1f\x7f\udc80-\udcff]/.test(text) && (!text.isWellFormed() || /[\x00-\x1f\x7f]/.test(text))
}

const names: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\x1b': '\\E',
  "'": "\\'",
  '\\': '\\\\',
}

function ansiQuoted(text: string): string {
  return `$'${ansiEscaped(text)}'`
}

function ansiEscaped(text: string): string {
  return text.replace(/[\x00-\x1f\x7f'\\\udc80-\udcff]/gu, character => {
    const code = character.charCodeAt(0)
    return names[character] ?? (code < 0x80 ? `\\${code.toString(8).padStart(3, '0')}` : `\\${(code - 0xdc00).toString(8)}`)
  })
}
