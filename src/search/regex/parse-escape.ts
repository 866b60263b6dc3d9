// Parses escapes. Like Rust, it refuses unknown letters, so that a new escape can never change the meaning of an old pattern, and because
// reading `\h` as `h` would silently search for something else.

import type { Assertion, ClassExpression } from './syntax.ts'
import { type Cursor, isHexDigit, PatternError, peek, take, takeWhile } from './cursor.ts'
import { breakProperty } from './break-properties.ts'
import { digitClass, propertyClass, spaceClass, wordClass } from './unicode.ts'
import { maxAscii, maxCodePoint } from './code-points.ts'
import { anyByteToo } from './byte-characters.ts'

export type Escape =
  | { readonly kind: 'character'; readonly codePoint: number }
  /** `(?-u)\xFF`: a byte that is not a character. */
  | { readonly kind: 'byte'; readonly byte: number }
  | { readonly kind: 'class'; readonly set: ClassExpression }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }

const controls: Readonly<Record<string, number>> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 }

const simpleAssertions: Readonly<Record<string, Assertion>> = {
  A: 'text-start',
  z: 'text-end',
  B: 'not-word-boundary',
  '<': 'word-start',
  '>': 'word-end',
}

const wordAssertions: Readonly<Record<string, Assertion>> = {
  '{start}': 'word-start',
  '{end}': 'word-end',
  '{start-half}': 'word-start-half',
  '{end-half}': 'word-end-half',
}

/** Parses an escape; the cursor is after its backslash. */
export function parseEscape(cursor: Cursor): Escape {
  const start = cursor.index - 1
  const letter = peek(cursor)
  if (letter === undefined) throw new PatternError(start, 'the pattern ends in a lone backslash; write `\\\\` for a literal one')
  cursor.index++
  const control = controls[letter]
  if (control !== undefined) return { kind: 'character', codePoint: control }
  const assertion = letter === 'b' ? wordBoundary(cursor) : simpleAssertions[letter]
  if (assertion !== undefined) {
    if (assertion.includes('word')) noteWords(cursor, start)
    return { kind: 'assertion', assertion }
  }
  if ('xuU'.includes(letter)) {
    const codePoint = hexadecimal(cursor, letter, start)
    return letter === 'x' && !cursor.flags.unicode && codePoint > maxAscii && codePoint <= 0xff
      ? { kind: 'byte', byte: codePoint }
      : { kind: 'character', codePoint }
  }
  const named = namedClass(cursor, letter, start)
  if (named !== undefined) return { kind: 'class', set: named }
  if (/^[1-9]$/.test(letter) || (letter === 'k' && /^[<{']$/.test(peek(cursor) ?? ''))) {
    throw new PatternError(start, 'back-references are not supported; search for the repeated text itself')
  }
  if (/^[\x20-\x7e]$/.test(letter) && !/^[0-9A-Za-z]$/.test(letter)) return { kind: 'character', codePoint: letter.charCodeAt(0) }
  throw new PatternError(
    start,
    `\`\\${letter}\` is not a known escape; write \`${letter}\` for the character itself${hints[letter] ?? ''}`,
  )
}

const hints: Readonly<Record<string, string>> = {
  Z: ', or `\\z` for the end of the text',
  0: ', or `\\x00` for a null byte',
  h: ', or `[ \\t]` for horizontal space',
  R: ', or `\\r?\\n` for a line break',
  e: ', or `\\x1b` for the escape character',
}

/** A pattern can have only one definition of a word: the automaton distinguishes two kinds of neighbour, not three. */
function noteWords({ facts, flags }: Cursor, start: number): void {
  const words = flags.unicode ? 'unicode' : 'ascii'
  if (facts.words !== undefined && facts.words !== words) {
    throw new PatternError(start, 'word boundaries with and without Unicode cannot stand in one pattern; use one of them')
  }
  facts.words = words
}

function wordBoundary(cursor: Cursor): Assertion {
  for (const [spelled, assertion] of Object.entries(wordAssertions)) if (take(cursor, spelled)) return assertion
  return 'word-boundary'
}

function hexadecimal(cursor: Cursor, letter: string, start: number): number {
  const isBraced = take(cursor, '{')
  const digits = takeWhile(cursor, isHexDigit, isBraced ? 8 : ({ x: 2, u: 4 }[letter] ?? 8))
  const isComplete = isBraced ? digits !== '' && take(cursor, '}') : digits.length === ({ x: 2, u: 4 }[letter] ?? 8)
  const codePoint = Number.parseInt(digits, 16)
  if (!isComplete || codePoint > maxCodePoint || (codePoint >= 0xd800 && codePoint <= 0xdfff)) {
    throw new PatternError(
      start,
      `\`\\${letter}\` needs a Unicode code point in hexadecimal, such as \`\\x41\` or \`\\u{1F600}\``,
    )
  }
  return codePoint
}

function namedClass(cursor: Cursor, letter: string, start: number): ClassExpression | undefined {
  const lower = letter.toLowerCase()
  let set: ClassExpression
  if (lower === 'd') set = cursor.flags.unicode ? named(digitClass) : named('0-9')
  else if (lower === 's') set = cursor.flags.unicode ? named(spaceClass) : named('\\t-\\r ')
  else if (lower === 'w') set = cursor.flags.unicode ? named(wordClass) : named('0-9A-Za-z_')
  else if (lower === 'p') set = property(cursor, start)
  else return undefined
  if (cursor.flags.ignoreCase && (cursor.flags.unicode || lower === 'p')) set = { kind: 'folded', of: set }
  return letter === lower ? set : negated(cursor, set)
}

/** The complement; without Unicode it includes the invalid bytes. */
export function negated({ flags }: Cursor, set: ClassExpression): ClassExpression {
  return flags.unicode ? { kind: 'not', of: set } : { kind: 'difference', left: anyByteToo, right: set }
}

function named(classSource: string): ClassExpression {
  return { kind: 'named', classSource }
}

/** Without Unicode, classes hold bytes. */
export function requireUnicode({ isStrict, flags }: Cursor, offset: number): void {
  if (isStrict && !flags.unicode)
    throw new PatternError(offset, 'classes hold only ASCII without Unicode; leave out `(?-u)` and --no-unicode')
}

function property(cursor: Cursor, start: number): ClassExpression {
  requireUnicode(cursor, start)
  const isBraced = take(cursor, '{')
  const name = isBraced ? takeWhile(cursor, character => character !== '}', 64) : takeWhile(cursor, () => true, 1)
  const isClosed = !isBraced || take(cursor, '}')
  const unequal = name.split('!=')
  const set = isClosed ? propertySet(unequal.join('=')) : undefined
  if (set === undefined) {
    throw new PatternError(
      start,
      `\`${name}\` is not a known Unicode property; \`\\p{L}\`, \`\\p{Lu}\` and \`\\p{Greek}\` are some that are`,
    )
  }
  return unequal.length > 1 ? { kind: 'not', of: set } : set
}

function propertySet(name: string): ClassExpression | undefined {
  const classSource = propertyClass(name)
  return classSource === undefined ? breakProperty(name) : named(classSource)
}
