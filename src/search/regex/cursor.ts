// The state of the parser: code points, position, and the flags that `(?…)` sets.

import { AnchorageError } from '../../core/errors.ts'
import { maxAscii, maxCodePoint } from './code-points.ts'

/** An invalid pattern. `message` says what is wrong and what to write instead. */
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
  /** `\r` ends lines too: for `^`, `$` and `.`. */
  readonly isCrlf: boolean
  readonly swapGreed: boolean
  readonly unicode: boolean
  readonly ignoreWhitespace: boolean
}

/** Facts about the whole pattern, collected while parsing. */
export interface PatternFacts {
  /** It names a line break, so matches may span lines. */
  namesNewline: boolean
  /** It names `\r`, so `\r` must not be treated as part of a line ending. */
  namesCarriageReturn: boolean
  /**
   * Line breaks that it does not name: `any` for a class that matches everything, such as `(?s).` and `[\s\S]`; `some` for `\s` and `[^a]`.
   */
  crossesLines: 'any' | 'some' | undefined
  /** `\A`, `\z`, or `^` and `$` without multi-line mode: it depends on where the text begins or ends. */
  anchorsText: boolean
  /** It names a null byte. */
  namesNull: boolean
  /** Its last line is a comment, so appended text would become a part of the comment. */
  endsInComment: boolean
  /** It contains a literal character, in a class or not; `hasCapital`: one of them is a capital letter. */
  hasLiteral: boolean
  hasCapital: boolean
  /** The definition of a word for `\b` and similar assertions; using both in one pattern is refused. */
  words: 'unicode' | 'ascii' | undefined
  readonly notes: Set<string>
}

export interface Cursor {
  readonly codePoints: readonly string[]
  index: number
  flags: Flags
  depth: number
  readonly facts: PatternFacts
  /** Reads the pattern exactly as written, without guessing what a model meant. */
  readonly isStrict: boolean
  /** Names of the capturing groups so far, by index minus 1; `undefined` if captures were not requested. */
  readonly captures: (string | undefined)[] | undefined
  readonly groupNames: Set<string>
}

/** Records a literal character for smart case. */
export function noteLiteral({ facts }: Cursor, codePoint: number): void {
  facts.hasLiteral = true
  if (facts.hasCapital || codePoint > maxCodePoint) return
  // A literal may have thousands of letters.
  facts.hasCapital =
    codePoint <= maxAscii ? codePoint >= 0x41 && codePoint <= 0x5a : /^\p{Lu}$/u.test(String.fromCodePoint(codePoint))
}

export function peek(cursor: Cursor, ahead = 0): string | undefined {
  return cursor.codePoints[cursor.index + ahead]
}

export function startsWith(cursor: Cursor, text: string): boolean {
  for (let index = 0; index < text.length; index++) if (peek(cursor, index) !== text[index]) return false
  return true
}

/** Whether `text` comes next; if so, it is consumed. */
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

/** With the flag `x`, skips white space and comments. */
export function skipIgnored(cursor: Cursor): void {
  if (!cursor.flags.ignoreWhitespace) return
  for (;;) {
    takeWhile(cursor, character => /^\s$/u.test(character))
    if (peek(cursor) !== '#') return
    takeWhile(cursor, character => character !== '\n')
    if (peek(cursor) === undefined) cursor.facts.endsInComment = true
  }
}

export function isHexDigit(character: string): boolean {
  return /^[0-9A-Fa-f]$/.test(character)
}
