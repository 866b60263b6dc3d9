// Parses Rust's regular expression syntax, as in ripgrep. Two errors are read as a model probably means them, with a note: a brace that
// repeats nothing (`${name}`) and an unmatched parenthesis (`fetch(`) are literal.

import {
  type Cursor,
  type Flags,
  type PatternFacts,
  noteLiteral,
  PatternError,
  peek,
  skipIgnored,
  take,
  takeWhile,
} from './cursor.ts'
import { anyByteToo, characterOf, withByte } from './byte-characters.ts'
import { holdsCodePoint } from '../dfa/class-test.ts'
import { maxDepth, parseClass } from './parse-class.ts'
import { parseEscape } from './parse-escape.ts'
import { type CodePointSet, maxAscii, newline } from './code-points.ts'
import { anyCharacter, type Assertion, type ClassExpression, empty, type Node } from './syntax.ts'

const maxPatternLength = 16_384
/** The engine expands counted repeats. Their combined size is checked with the size of the program. */
const maxRepeatCount = 65_535

export interface ParsedPattern {
  readonly node: Node
  readonly facts: PatternFacts
  /** Names of the capturing groups, by index minus 1. Empty if captures were not requested. */
  readonly captureNames: readonly (string | undefined)[]
  readonly groupNames: ReadonlySet<string>
}

export interface ParseOptions {
  readonly ignoreCase: boolean
  /** Refuses an unmatched parenthesis or brace instead of reading it literally. */
  readonly isStrict?: boolean
  /** Keeps groups as nodes; their indexes continue after these. */
  readonly captureNames?: readonly (string | undefined)[]
  /** Names that groups of earlier patterns have. */
  readonly groupNames?: ReadonlySet<string>
  /** Default true: classes and boundaries use Unicode. */
  readonly unicode?: boolean
  /** `.` matches a line break. */
  readonly dotMatchesNewline?: boolean
  /** `\r` ends lines too: for `^`, `$` and `.`. */
  readonly isCrlf?: boolean
}

/** Throws {@link PatternError}. */
export function parsePattern(source: string, options: ParseOptions): ParsedPattern {
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
      dotMatchesNewline: options.dotMatchesNewline ?? false,
      isCrlf: options.isCrlf ?? false,
      swapGreed: false,
      unicode: options.unicode ?? true,
      ignoreWhitespace: false,
    },
    facts: {
      namesNewline: false,
      namesCarriageReturn: false,
      crossesLines: undefined,
      anchorsText: false,
      namesNull: false,
      endsInComment: false,
      hasLiteral: false,
      hasCapital: false,
      words: undefined,
      notes: new Set(),
    },
    isStrict: options.isStrict ?? false,
    captures: options.captureNames && [...options.captureNames],
    groupNames: new Set(options.groupNames),
  }
  return {
    node: parseAlternatives(cursor),
    facts: cursor.facts,
    captureNames: cursor.captures ?? [],
    groupNames: cursor.groupNames,
  }
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
      if (cursor.isStrict)
        throw new PatternError(cursor.index, 'the group closed here was never opened; write `\\)` for a literal one')
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
  if (codePoint === 0) cursor.facts.namesNull = true
  noteLiteral(cursor, codePoint)
  // Without Unicode, only ASCII letters have two cases.
  const isFolded = cursor.flags.ignoreCase && (cursor.flags.unicode || codePoint <= maxAscii)
  if (isFolded && !cursor.flags.unicode) return { kind: 'class', set: asciiFolded(codePoint) }
  return { kind: 'character', codePoint, isFolded }
}

function parseAtom(cursor: Cursor, character: string): Node {
  const start = cursor.index
  const { multiLine, isCrlf } = cursor.flags
  cursor.index++
  switch (character) {
    case '.':
      if (cursor.flags.dotMatchesNewline) cursor.facts.crossesLines = 'any'
      return { kind: 'class', set: dotOf(cursor.flags) }
    case '^':
      return anchor(cursor, !multiLine ? 'text-start' : isCrlf ? 'line-start-crlf' : 'line-start')
    case '$':
      if (!cursor.isStrict && isLiteralBrace(cursor)) {
        // Nothing can follow the end of a line, so `${name}` must be meant literally.
        cursor.facts.notes.add('`${` was searched for literally')
        return literal(cursor, character)
      }
      return anchor(cursor, !multiLine ? 'text-end' : isCrlf ? 'line-end-crlf' : 'line-end')
    case '[':
      return classNode(cursor, parseClass(cursor))
    case '(':
      return parseGroup(cursor, start)
    case '\\':
      return parseEscaped(cursor)
    case '*':
    case '+':
    case '?':
      throw new PatternError(start, `\`${character}\` has nothing to repeat; write \`\\${character}\` for the character itself`)
    case '{':
      if (cursor.isStrict) throw new PatternError(start, '`{` has nothing to repeat; write `\\{` for the character itself')
      cursor.facts.notes.add('`{` that repeats nothing was searched for literally')
      return literal(cursor, character)
    default:
      return literal(cursor, character)
  }
}

const newlineAndReturn: CodePointSet = [10, 10, 13, 13]
const notNewline: ClassExpression = { kind: 'not', of: { kind: 'ranges', ranges: newline } }
const notNewlineOrReturn: ClassExpression = { kind: 'not', of: { kind: 'ranges', ranges: newlineAndReturn } }

function dotOf({ dotMatchesNewline, unicode, isCrlf }: Flags): ClassExpression {
  if (unicode) return dotMatchesNewline ? anyCharacter : isCrlf ? notNewlineOrReturn : notNewline
  const ranges = isCrlf ? newlineAndReturn : newline
  return dotMatchesNewline ? anyByteToo : { kind: 'difference', left: anyByteToo, right: { kind: 'ranges', ranges } }
}

function asciiFolded(codePoint: number): ClassExpression {
  const lower = codePoint | 0x20
  const isLetter = lower >= 0x61 && lower <= 0x7a
  return { kind: 'ranges', ranges: isLetter ? [lower - 32, lower - 32, lower, lower] : [codePoint, codePoint] }
}

function anchor({ facts }: Cursor, assertion: Assertion): Node {
  if (assertion === 'text-start' || assertion === 'text-end') facts.anchorsText = true
  return { kind: 'assertion', assertion }
}

/** Records whether the class may match a line break. */
function classNode({ facts }: Cursor, set: ClassExpression): Node {
  if (holdsCodePoint(set, 10)) {
    const holdsAll = Array.from({ length: maxAscii + 1 }, (_, codePoint) => codePoint).every(each => holdsCodePoint(set, each))
    if (holdsAll) facts.crossesLines = 'any'
    else facts.crossesLines ??= 'some'
  }
  return { kind: 'class', set }
}

function parseEscaped(cursor: Cursor): Node {
  const escape = parseEscape(cursor)
  if (escape.kind === 'byte') return parseBytes(cursor, escape.byte)
  if (escape.kind === 'character') return literal(cursor, String.fromCodePoint(escape.codePoint))
  return escape.kind === 'class' ? classNode(cursor, escape.set) : anchor(cursor, escape.assertion)
}

/** `(?-u)\xC3\xA9` is one character, unless what follows repeats the last byte alone. */
function parseBytes(cursor: Cursor, first: number): Node {
  const rest =
    /^(?:\\x[89A-Fa-f][0-9A-Fa-f]){1,3}/.exec(cursor.codePoints.slice(cursor.index, cursor.index + 12).join(''))?.[0] ?? ''
  const bytes = [
    first,
    ...rest
      .split('\\x')
      .slice(1)
      .map(digits => Number.parseInt(digits, 16)),
  ]
  const found = characterOf(bytes)
  const end = cursor.index + 4 * ((found?.length ?? 1) - 1)
  if (found === undefined || (found.length > 1 && /^[*+?{]$/.test(cursor.codePoints[end] ?? ''))) {
    // A text is read by characters. Where the second byte is optional, the first one stands for the whole character.
    const isOptional = /^[*?]$/.test(cursor.codePoints[cursor.index + 4] ?? '')
    if (!isOptional && mayShareCharacter(first, bytes[1])) {
      throw new PatternError(
        cursor.index,
        'these bytes can be a part of a character, which cannot be searched for; write all bytes of the character, or one of them',
      )
    }
    return { kind: 'class', set: withByte(first) }
  }
  cursor.index = end
  return literal(cursor, String.fromCodePoint(found.codePoint))
}

/** Whether the second byte may follow the first within the UTF-8 of one character. */
function mayShareCharacter(first: number, second: number | undefined): boolean {
  if (second === undefined || second < 0x80 || second > 0xbf) return false
  return first <= 0xbf || (first >= 0xc2 && first <= 0xf4)
}

function parseGroup(cursor: Cursor, start: number): Node {
  const outerFlags = cursor.flags
  let index: number | undefined
  if (take(cursor, '?')) {
    const head = parseGroupHead(cursor, start)
    if (head.kind === 'flags') return empty
    if (head.kind === 'named') {
      if (cursor.groupNames.has(head.name))
        throw new PatternError(start, `two groups are named \`${head.name}\`; give each name once`)
      cursor.groupNames.add(head.name)
      index = cursor.captures?.push(head.name)
    }
  } else index = cursor.captures?.push(undefined)
  if (++cursor.depth > maxDepth)
    throw new PatternError(start, `the pattern is nested more than ${maxDepth} levels deep; simplify it`)
  const node = parseAlternatives(cursor)
  cursor.depth--
  cursor.flags = outerFlags
  if (take(cursor, ')')) return index === undefined ? node : { kind: 'capture', index, node }
  // The end of the pattern: only an unclosed plain group can be meant literally.
  if (cursor.isStrict || cursor.codePoints[start + 1] === '?')
    throw new PatternError(start, 'the group opened here has no closing `)`')
  cursor.facts.notes.add('`(` without `)` was searched for literally')
  return { kind: 'sequence', parts: [literal(cursor, '('), node] }
}

type GroupHead =
  /** `(?flags)`, which ends the group at once and applies until the enclosing group ends. */
  { readonly kind: 'flags' } | { readonly kind: 'plain' } | { readonly kind: 'named'; readonly name: string }

/** What follows `(?`. */
function parseGroupHead(cursor: Cursor, start: number): GroupHead {
  if (['=', '!', '<=', '<!'].some(text => take(cursor, text))) {
    throw new PatternError(start, 'look-around is not supported; match the surrounding text too, or search twice')
  }
  if (take(cursor, '>')) throw new PatternError(start, 'atomic groups are not supported; write `(?:…)`')
  if (take(cursor, 'P<') || take(cursor, '<')) {
    const name = takeWhile(cursor, character => /^[\p{L}\p{N}_.[\]]$/u.test(character))
    if (name === '' || /^[\d.[\]]/.test(name) || !take(cursor, '>')) {
      throw new PatternError(start, 'a group name is letters, digits and `_`, as in `(?<name>…)`')
    }
    return { kind: 'named', name }
  }
  return { kind: parseFlags(cursor, start) ? 'flags' : 'plain' }
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
    // A carriage return before a line feed always belongs to the line ending here, which is the effect of `R`.
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

/** Whether the next character is a `{` that does not start a repetition. */
function isLiteralBrace(cursor: Cursor): boolean {
  return peek(cursor) === '{' && !/^\{\d+(?:,\d*)?\}/.test(cursor.codePoints.slice(cursor.index, cursor.index + 16).join(''))
}

function parseBounds(cursor: Cursor): { min: number; max: number | undefined } | undefined {
  if (take(cursor, '*')) return { min: 0, max: undefined }
  if (take(cursor, '+')) return { min: 1, max: undefined }
  if (take(cursor, '?')) return { min: 0, max: 1 }
  const start = cursor.index
  if (!take(cursor, '{')) return undefined
  const min = takeDecimal(cursor)
  const hasComma = take(cursor, ',')
  const max = hasComma ? takeDecimal(cursor) : min
  if (min === '' || !take(cursor, '}')) {
    if (cursor.isStrict)
      throw new PatternError(start, 'this repetition is not `{N}`, `{N,}` or `{N,M}`; write `\\{` for a literal brace')
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

/** As Rust reads it, blanks may surround it. A model that writes blanks means the brace itself. */
function takeDecimal(cursor: Cursor): string {
  const skipBlanks = (): string => (cursor.isStrict ? takeWhile(cursor, character => /^\s$/u.test(character)) : '')
  skipBlanks()
  const digits = takeWhile(cursor, character => /^[0-9]$/.test(character))
  skipBlanks()
  return digits
}
