// Names in output: quoted as in C when they hold a quote, a backslash, a control character or, with `core.quotePath`, a byte above 127.

import { decodeText, encodeText } from '../shell/byte-text.ts'
import type { Config } from './store/config.ts'

const letters: Readonly<Record<number, string>> = {
  7: 'a',
  8: 'b',
  9: 't',
  10: 'n',
  11: 'v',
  12: 'f',
  13: 'r',
  34: '"',
  92: '\\',
}

export type Quote = (path: string) => string

/** `isForced`: also what needs no escape gets quotes. */
export function quotePath(path: string, quotesHigh: boolean, isForced: boolean = false): string {
  let text = ''
  let isQuoted = isForced
  for (const byte of encodeText(path)) {
    const letter = letters[byte]
    if (letter !== undefined) text += `\\${letter}`
    else if (byte < 32 || byte === 127 || (byte > 127 && quotesHigh)) text += `\\${byte.toString(8).padStart(3, '0')}`
    else {
      text += byte > 127 ? '\u0001' : String.fromCharCode(byte)
      continue
    }
    isQuoted = true
  }
  if (!isQuoted) return path
  return text.includes('\u0001') ? `"${quoteKeepingHigh(path)}"` : `"${text}"`
}

function quoteKeepingHigh(path: string): string {
  let text = ''
  for (const character of path) {
    const code = character.codePointAt(0) ?? 0
    const letter = letters[code]
    if (letter !== undefined) text += `\\${letter}`
    else if (code < 32 || code === 127) text += `\\${code.toString(8).padStart(3, '0')}`
    else text += character
  }
  return text
}

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 }

/** The name in quotes at the start of the text; `undefined` when there is none. */
export function unquotePath(text: string): string | undefined {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]
  if (quoted === undefined) return undefined
  const bytes: number[] = []
  for (const [part, octal, letter] of quoted.matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/g)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8) & 255)
    else if (letter !== undefined) bytes.push(escapes[letter] ?? letter.charCodeAt(0))
    else bytes.push(...encodeText(part))
  }
  return decodeText(Uint8Array.from(bytes))
}

export function quoteFor(config: Config): Quote {
  const quotesHigh = config.bool('core.quotepath', true)
  return path => quotePath(path, quotesHigh)
}

/** A path from the root, relative to a directory, which is '' or ends in '/'. */
export function relativePath(path: string, prefix: string): string {
  if (prefix === '') return path
  if (path === prefix) return './'
  if (path.startsWith(prefix) && path !== prefix) return path.slice(prefix.length)
  const from = prefix.split('/').filter(Boolean)
  const to = path.split('/')
  let same = 0
  while (same < from.length && same < to.length - 1 && from[same] === to[same]) same++
  // A directory that the prefix lies in.
  if (path.endsWith('/') && from[same] === to[same] && same < from.length && to[same + 1] === '') {
    return '../'.repeat(from.length - same - 1) || './'
  }
  return '../'.repeat(from.length - same) + to.slice(same).join('/')
}

/** Quoted for a shell, as git does it. */
export function shellQuoted(word: string): string {
  return `'${word.replaceAll(/['!]/g, String.raw`'\$&'`)}'`
}
