// Reads Rust's regular expression syntax, as ripgrep's users know it. Two things are taken as a model means them
// and noted: a brace that repeats nothing (`${name}`) and a parenthesis without its partner (`fetch(`) are literal.

import { type Cursor, type Flags, type PatternFacts, PatternError, peek, skipIgnored, take, takeWhile } from './cursor.ts'
import { maxDepth, parseClass } from './parse-class.ts'
import { parseEscape } from './parse-escape.ts'
import { newline } from './code-points.ts'
import { anyCharacter, type ClassExpression, empty, type Node } from './syntax.ts'

export const maxPatternLength = 16_384
/** The engine unrolls counted repeats, so counts are what makes a short pattern large. */
export const maxRepeatCount = 1000

export interface ParsedPattern {
  readonly node: Node
  readonly facts: PatternFacts
}

/** Throws {@link PatternError}. */
export function parsePattern(source: string, options: { readonly ignoreCase: boolean }): ParsedPattern {
  if (source.length > maxPatternLength) {
    throw new PatternError(
      maxPatternLength,
      `the pattern is longer than ${maxPatternLength} characters; search for a shorter part of it`,
    )
  }
  const cursor: Cursor = {
    codePoints: [...source],
    index: 0,
    depth: 0,
    flags: {
      ignoreCase: options.ignoreCase,
      multiLine: true,
      dotMatchesNewline: false,
      swapGreed: false,
      unicode: true,
      ignoreWhitespace: false,
    },
    facts: { namesNewline: false, namesCarriageReturn: false, notes: new Set() },
  }
  return { node: parseAlternatives(cursor), facts: cursor.facts }
}

function parseAlternatives(cursor: Cursor): Node {
  const outerFlags = cursor.flags
  const alternatives = [parseSequence(cursor)]
  while (take(cursor, '|')) alternatives.push(parseSequence(cursor))
  cursor.flags = outerFlags
  const [only] = alternatives
  return alternatives.length === 1 && only !== undefined ? only : { kind: 'alternatives', parts: alternatives }
}

function parseSequence(cursor: Cursor): Node {
  const parts: Node[] = []
  for (;;) {
    skipIgnored(cursor)
    const character = peek(cursor)
    if (character === undefined || character === '|') break
    if (character === ')') {
      if (cursor.depth > 0) break
      cursor.index++
      cursor.facts.notes.add('`)` without `(` was searched for literally')
      parts.push(parseRepeats(cursor, literal(cursor, ')')))
      continue
    }
    parts.push(parseRepeats(cursor, parseAtom(cursor, character)))
  }
  const [only] = parts
  return parts.length === 1 && only !== undefined ? only : { kind: 'sequence', parts }
}

function literal(cursor: Cursor, character: string): Node {
  const codePoint = character.codePointAt(0) ?? 0
  if (codePoint === 10) cursor.facts.namesNewline = true
  if (codePoint === 13) cursor.facts.namesCarriageReturn = true
  return { kind: 'character', codePoint, isFolded: cursor.flags.ignoreCase }
}

function parseAtom(cursor: Cursor, character: string): Node {
  const start = cursor.index
  cursor.index++
  switch (character) {
    case '.':
      return { kind: 'class', set: cursor.flags.dotMatchesNewline ? anyCharacter : notNewline }
    case '^':
      return { kind: 'assertion', assertion: cursor.flags.multiLine ? 'line-start' : 'text-start' }
    case '$':
      if (isLiteralBrace(cursor)) {
        // Nothing can follow the end of a line, so `${name}` can only be meant as it is written.
        cursor.facts.notes.add('`${` was searched for literally')
        return literal(cursor, character)
      }
      return { kind: 'assertion', assertion: cursor.flags.multiLine ? 'line-end' : 'text-end' }
    case '[':
      return { kind: 'class', set: parseClass(cursor) }
    case '(':
      return parseGroup(cursor, start)
    case '\\':
      return parseEscaped(cursor)
    case '*':
    case '+':
    case '?':
      throw new PatternError(start, `\`${character}\` has nothing to repeat; write \`\\${character}\` for the character itself`)
    case '{':
      cursor.facts.notes.add('`{` that repeats nothing was searched for literally')
      return literal(cursor, character)
    default:
      return literal(cursor, character)
  }
}

const notNewline: ClassExpression = { kind: 'not', of: { kind: 'ranges', ranges: newline } }

function parseEscaped(cursor: Cursor): Node {
  const escape = parseEscape(cursor)
  return escape.kind === 'character' ? literal(cursor, String.fromCodePoint(escape.codePoint)) : escape
}

function parseGroup(cursor: Cursor, start: number): Node {
  const outerFlags = cursor.flags
  if (take(cursor, '?')) {
    const isFlagsOnly = parseGroupHead(cursor, start)
    if (isFlagsOnly) return empty
  }
  if (++cursor.depth > maxDepth)
    throw new PatternError(start, `the pattern is nested more than ${maxDepth} levels deep; simplify it`)
  const node = parseAlternatives(cursor)
  cursor.depth--
  cursor.flags = outerFlags
  if (take(cursor, ')')) return node
  // The end of the pattern: only an unclosed plain group can be meant literally.
  if (cursor.codePoints[start + 1] === '?') throw new PatternError(start, 'the group opened here has no closing `)`')
  cursor.facts.notes.add('`(` without `)` was searched for literally')
  return { kind: 'sequence', parts: [literal(cursor, '('), node] }
}

/** What follows `(?`. True for `(?flags)`, which ends the group at once and holds until the enclosing group ends. */
function parseGroupHead(cursor: Cursor, start: number): boolean {
  if (['=', '!', '<=', '<!'].some(text => take(cursor, text))) {
    throw new PatternError(start, 'look-around is not supported; match the surrounding text too, or search twice')
  }
  if (take(cursor, '>')) throw new PatternError(start, 'atomic groups are not supported; write `(?:…)`')
  if (take(cursor, 'P<') || take(cursor, '<')) {
    const name = takeWhile(cursor, character => /^[\p{L}\p{N}_.[\]]$/u.test(character))
    if (name === '' || /^[\d.[\]]/.test(name) || !take(cursor, '>')) {
      throw new PatternError(start, 'a group name is letters, digits and `_`, as in `(?<name>…)`')
    }
    return false
  }
  return parseFlags(cursor, start)
}

const flagNames: Readonly<Record<string, keyof Flags>> = {
  i: 'ignoreCase',
  m: 'multiLine',
  s: 'dotMatchesNewline',
  U: 'swapGreed',
  u: 'unicode',
  x: 'ignoreWhitespace',
}

function parseFlags(cursor: Cursor, start: number): boolean {
  let isOn = true
  let flags = cursor.flags
  for (;;) {
    const letter = peek(cursor)
    cursor.index++
    if (letter === ')' || letter === ':') {
      cursor.flags = flags
      return letter === ')'
    }
    const name = letter === undefined ? undefined : flagNames[letter]
    if (letter === '-' && isOn) isOn = false
    else if (name !== undefined) flags = { ...flags, [name]: isOn }
    // A carriage return before a line feed always belongs to the line's end here, which is what `R` asks for.
    else if (letter !== 'R') {
      throw new PatternError(
        start,
        `\`(?${letter ?? ''}\` is not a group; the flags are i, m, s, x, U, u and R, and groups open with \`(\`, \`(?:\` or \`(?<name>\``,
      )
    }
  }
}

function parseRepeats(cursor: Cursor, atom: Node): Node {
  let node = atom
  for (let count = 0; ; count++) {
    if (count > maxDepth) throw new PatternError(cursor.index, 'more than 100 repetition operators stand on one item; keep one')
    skipIgnored(cursor)
    const bounds = parseBounds(cursor)
    if (bounds === undefined) return node
    const isLazy = take(cursor, '?')
    node = { kind: 'repeat', node, ...bounds, isGreedy: isLazy === cursor.flags.swapGreed }
  }
}

/** Whether a `{` comes next that is no repetition. */
function isLiteralBrace(cursor: Cursor): boolean {
  return peek(cursor) === '{' && !/^\{\d+(?:,\d*)?\}/.test(cursor.codePoints.slice(cursor.index, cursor.index + 16).join(''))
}

function parseBounds(cursor: Cursor): { min: number; max: number | undefined } | undefined {
  if (take(cursor, '*')) return { min: 0, max: undefined }
  if (take(cursor, '+')) return { min: 1, max: undefined }
  if (take(cursor, '?')) return { min: 0, max: 1 }
  const start = cursor.index
  if (!take(cursor, '{')) return undefined
  const isDigit = (character: string): boolean => /^[0-9]$/.test(character)
  const min = takeWhile(cursor, isDigit)
  const hasComma = take(cursor, ',')
  const max = hasComma ? takeWhile(cursor, isDigit) : min
  if (min === '' || !take(cursor, '}')) {
    cursor.index = start
    return undefined
  }
  const bounds = { min: Number(min), max: max === '' ? undefined : Number(max) }
  if (bounds.min > maxRepeatCount || (bounds.max ?? 0) > maxRepeatCount) {
    throw new PatternError(start, `a repetition counts to ${maxRepeatCount} at most; use \`*\` or \`+\``)
  }
  if (bounds.max !== undefined && bounds.max < bounds.min) {
    throw new PatternError(start, 'a repetition needs its lower bound first, as in `{2,5}`')
  }
  return bounds
}
