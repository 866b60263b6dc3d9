// The lexer for awk programs. The preceding token determines whether a slash divides or begins a regex.

import type { Dialect } from './dialect.ts'
import { AwkError } from './error.ts'

export type Token =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'regex'; readonly value: string }
  /** `isCalled`: an opening parenthesis follows directly. */
  | { readonly kind: 'name'; readonly value: string; readonly isCalled: boolean }
  | { readonly kind: 'keyword'; readonly value: string }
  | { readonly kind: 'builtin'; readonly value: string }
  | { readonly kind: 'operator'; readonly value: string }
  | { readonly kind: 'newline'; readonly value: '\n' }
  | { readonly kind: 'end'; readonly value: '' }

export type Located = Token & { readonly line: number }

const keywords: ReadonlySet<string> = new Set(
  'BEGIN END BEGINFILE ENDFILE function func if else while for do break continue next nextfile exit return delete in getline print printf switch case default'.split(
    ' ',
  ),
)

export const builtinNames: ReadonlySet<string> = new Set(
  'length substr index split sub gsub gensub match sprintf sin cos atan2 exp log sqrt int rand srand tolower toupper system close fflush strftime systime mktime and or xor lshift rshift compl strtonum asort asorti patsplit isarray typeof'.split(
    ' ',
  ),
)

/** The words that only gawk knows; with its other options they are names of the program's. */
const gawkWords: ReadonlySet<string> = new Set(
  'BEGINFILE ENDFILE switch case default gensub strftime systime mktime and or xor lshift rshift compl strtonum asort asorti patsplit isarray typeof'.split(
    ' ',
  ),
)

const operators = '**= && || !~ == != <= >= >> ++ -- += -= *= /= %= ^= ** |&'
  .split(' ')
  .concat(Array.from('{}()[];,+-*/%^!<>|?:~$='))

/** Throws `AwkError`. */
export function tokenize(source: string, language: Dialect['language']): readonly Located[] {
  const tokens: Located[] = []
  let line = 1
  let at = 0
  const fail = (message: string): never => {
    throw new AwkError(`syntax error at source line ${line}: ${message}`, 1)
  }
  const push = (token: Token): void => {
    tokens.push({ ...token, line })
  }
  while (at < source.length) {
    const character = source.charAt(at)
    if (character === '\n') {
      push({ kind: 'newline', value: '\n' })
      line += 1
      at += 1
    } else if (character === ' ' || character === '\t' || character === '\r') at += 1
    else if (character === '#') {
      const end = source.indexOf('\n', at)
      at = end < 0 ? source.length : end
    } else if (character === '\\' && /^\\\r?\n/.test(source.slice(at, at + 3))) {
      at = source.indexOf('\n', at) + 1
      line += 1
    } else if (character === '"') {
      const end = endOfString(source, at)
      if (end === undefined) return fail('unterminated string')
      push({ kind: 'string', value: unescape(source.slice(at + 1, end), language === 'posix') })
      at = end + 1
    } else if (character === '/' && !endsOperand(tokens.at(-1))) {
      const end = endOfRegex(source, at)
      if (end === undefined) return fail('unterminated regexp')
      push({ kind: 'regex', value: source.slice(at + 1, end).replaceAll('\\/', '/') })
      at = end + 1
    } else if (/[0-9]/.test(character) || (character === '.' && /[0-9]/.test(source.charAt(at + 1)))) {
      const [text = ''] =
        (language === 'gawk' ? /^0[xX][\da-fA-F]+/.exec(source.slice(at, at + 400)) : null) ??
        /^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/.exec(source.slice(at, at + 400)) ??
        []
      push({ kind: 'number', value: language === 'gawk' && /^0[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Number(text) })
      at += text.length
    } else if (/[A-Za-z_]/.test(character)) {
      const [name = ''] = /^[A-Za-z_][A-Za-z0-9_]*/.exec(source.slice(at)) ?? []
      at += name.length
      const isKnown = language === 'gawk' || !(gawkWords.has(name) || (name === 'func' && language === 'posix'))
      if (isKnown && keywords.has(name)) push({ kind: 'keyword', value: name === 'func' ? 'function' : name })
      else if (isKnown && builtinNames.has(name)) push({ kind: 'builtin', value: name })
      else push({ kind: 'name', value: name, isCalled: source.charAt(at) === '(' })
    } else if (character === '@') {
      return fail('the features that begin with @ (namespaces, includes, indirect calls) are not available here')
    } else {
      const operator = operators.find(
        candidate => source.startsWith(candidate, at) && !(language === 'posix' && candidate.startsWith('**')),
      )
      if (operator === undefined) return fail(`unexpected character '${character}'`)
      if (operator === '|&') return fail('the operator |& (coprocesses) is not available here')
      push({ kind: 'operator', value: operator === '**' ? '^' : operator === '**=' ? '^=' : operator })
      at += operator.length
    }
  }
  push({ kind: 'newline', value: '\n' })
  push({ kind: 'end', value: '' })
  return tokens
}

function endsOperand(token: Token | undefined): boolean {
  if (token === undefined) return false
  if (token.kind === 'number' || token.kind === 'string' || token.kind === 'regex' || token.kind === 'name') return true
  // As in `length / 2`.
  if (token.kind === 'builtin') return token.value === 'length'
  return token.kind === 'operator' && [')', ']', '$', '++', '--'].includes(token.value)
}

function endOfString(source: string, start: number): number | undefined {
  for (let at = start + 1; at < source.length; at++) {
    const character = source.charAt(at)
    if (character === '\\') at += 1
    else if (character === '"') return at
    else if (character === '\n') return undefined
  }
  return undefined
}

/** A slash inside brackets does not end the regex. */
function endOfRegex(source: string, start: number): number | undefined {
  let isInBrackets = false
  for (let at = start + 1; at < source.length; at++) {
    const character = source.charAt(at)
    if (character === '\n') return undefined
    if (character === '\\') at += 1
    else if (isInBrackets) {
      const [named] = /^\[[:=.].*?[:=.]\]/.exec(source.slice(at, at + 40)) ?? []
      if (named !== undefined) at += named.length - 1
      else isInBrackets = character !== ']'
    } else if (character === '[') {
      isInBrackets = true
      if (source.charAt(at + 1) === '^') at += 1
      if (source.charAt(at + 1) === ']') at += 1
    } else if (character === '/') return at
  }
  return undefined
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  '"': '"',
  '/': '/',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  '\n': '',
}

/** Processes the escapes of a string literal. As in gawk, a backslash before any other character is dropped. */
export function unescape(text: string, isPosix = false): string {
  if (!text.includes('\\')) return text
  return joinedBytes(
    text.replace(/\\(x[\da-fA-F]{1,2}|[0-7]{1,3}|[^]|$)/g, (_all, escape: string) => {
      const known = escapes[escape]
      if (known !== undefined) return known
      if (/^[0-7]/.test(escape)) return byte(Number.parseInt(escape, 8))
      if (escape.startsWith('x') && escape.length > 1 && !isPosix) return byte(Number.parseInt(escape.slice(1), 16))
      return escape === '' ? '\\' : escape
    }),
  )
}

/** A byte above 0x7F is represented as a lone surrogate, U+DC80 to U+DCFF, until it is joined with its neighbours. */
function byte(value: number): string {
  return String.fromCharCode(value & 0xff ? (value & 0xff) + ((value & 0xff) < 0x80 ? 0 : 0xdc00) : 0)
}

function joinedBytes(text: string): string {
  return text.replace(/[\udc80-\udcff]{2,}/g, run => {
    const bytes = Uint8Array.from(run, unit => unit.charCodeAt(0) - 0xdc00)
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    } catch {
      // Invalid UTF-8 remains as lone surrogates.
      return run
    }
  })
}
