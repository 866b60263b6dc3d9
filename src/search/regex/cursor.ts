// The reading head of the parser: code points, position, and the flags that `(?…)` switches on the way.

import { AnchorageError } from '../../core/errors.ts'
import { maxCodePoint } from './code-points.ts'

/** A pattern that is not one. `message` says what is wrong and what to write instead. */
export class PatternError extends AnchorageError {
  /** In code points from the start of the pattern, 0-based. */
  readonly offset: number

  constructor(offset: number, message: string) {
    super('bad-pattern', message, { details: { offset } })
    this.name = 'PatternError'
    this.offset = offset
  }
}

export interface Flags {
  readonly ignoreCase: boolean
  /** `^` and `$` at each line; on by default, as in ripgrep. */
  readonly multiLine: boolean
  readonly dotMatchesNewline: boolean
  readonly swapGreed: boolean
  readonly unicode: boolean
  readonly ignoreWhitespace: boolean
}

/** Facts about the whole pattern, gathered on the way. */
export interface PatternFacts {
  /** A line break is asked for by name, so matches may span lines. */
  namesNewline: boolean
  /** `\r` is asked for by name, so it must not be taken for part of the line's end. */
  namesCarriageReturn: boolean
  /** Line breaks that it does not name: `any` for what matches everything, such as `(?s).` and `[\s\S]`; `some` for `\s` and `[^a]`. */
  crossesLines: 'any' | 'some' | undefined
  /** `\A`, `\z`, or `^` and `$` without multi-line mode: it matters where the text begins or ends. */
  anchorsText: boolean
  /** A null byte is asked for by name. */
  namesNull: boolean
  /** Some character is written out, in a class or not; and some of these is a capital letter. */
  hasLiteral: boolean
  hasCapital: boolean
  /** What `\b` and its kin in it take for a word; both in one pattern are refused. */
  words: 'unicode' | 'ascii' | undefined
  readonly notes: Set<string>
}

export interface Cursor {
  readonly codePoints: readonly string[]
  index: number
  flags: Flags
  depth: number
  readonly facts: PatternFacts
  /** Taken as written, never as a model may have meant it. */
  readonly isStrict: boolean
  /** Names of the capturing groups so far, by index minus 1; `undefined` when captures are not asked for. */
  readonly captures: (string | undefined)[] | undefined
}

/** For smart case, which looks at what is written out. */
export function noteLiteral({ facts }: Cursor, codePoint: number): void {
  facts.hasLiteral = true
  if (codePoint <= maxCodePoint && /^\p{Lu}$/u.test(String.fromCodePoint(codePoint))) facts.hasCapital = true
}

export function peek(cursor: Cursor, ahead = 0): string | undefined {
  return cursor.codePoints[cursor.index + ahead]
}

export function startsWith(cursor: Cursor, text: string): boolean {
  for (let index = 0; index < text.length; index++) if (peek(cursor, index) !== text[index]) return false
  return true
}

/** Whether `text` comes next; it is consumed if so. */
export function take(cursor: Cursor, text: string): boolean {
  if (!startsWith(cursor, text)) return false
  cursor.index += text.length
  return true
}

export function takeWhile(cursor: Cursor, test: (character: string) => boolean, maxCount: number = Infinity): string {
  let text = ''
  for (let count = 0; count < maxCount; count++) {
    const character = peek(cursor)
    if (character === undefined || !test(character)) break
    text += character
    cursor.index++
  }
  return text
}

/** With `x`, white space and comments mean nothing. */
export function skipIgnored(cursor: Cursor): void {
  if (!cursor.flags.ignoreWhitespace) return
  for (;;) {
    takeWhile(cursor, character => /^\s$/u.test(character))
    if (peek(cursor) !== '#') return
    takeWhile(cursor, character => character !== '\n')
  }
}

export function isHexDigit(character: string): boolean {
  return /^[0-9A-Fa-f]$/.test(character)
}
