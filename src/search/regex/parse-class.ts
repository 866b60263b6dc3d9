// Parses a bracketed class as Rust does: nested classes, POSIX names, `&&`, `--` and `~~`, and a `]` that is literal if it comes first.

import type { ClassExpression } from './syntax.ts'
import { codePointSet, maxAscii } from './code-points.ts'
import { type Cursor, noteLiteral, PatternError, peek, skipIgnored, startsWith, take, takeWhile } from './cursor.ts'
import { negated, parseEscape, requireUnicode } from './parse-escape.ts'
import { byteCharacter } from './byte-characters.ts'

export const maxDepth = 100

const posixClasses: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7f',
  blank: '\\t ',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-/:-@\\[-`{-~',
  space: '\\t-\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
}

const operators = { '&&': 'intersection', '--': 'difference', '~~': 'symmetric-difference' } as const

/** Parses a class; the cursor is after its `[`. */
export function parseClass(cursor: Cursor): ClassExpression {
  const start = cursor.index - 1
  if (++cursor.depth > maxDepth)
    throw new PatternError(start, `the pattern is nested more than ${maxDepth} levels deep; simplify it`)
  skipIgnored(cursor)
  const isNegated = take(cursor, '^')
  // `[^\r\n]` does not ask for a line break, so the facts of a negated class are discarded.
  const facts = isNegated ? { ...cursor.facts } : cursor.facts
  const inner: Cursor = { ...cursor, facts }
  let result = parseItems(inner, start)
  for (;;) {
    const operator = (['&&', '--', '~~'] as const).find(text => take(inner, text))
    if (operator === undefined) break
    result = { kind: operators[operator], left: result, right: parseItems(inner, start) }
  }
  if (!take(inner, ']')) throw unclosed(start)
  cursor.index = inner.index
  cursor.depth--
  if (!isNegated) return result
  cursor.facts.hasLiteral ||= facts.hasLiteral
  cursor.facts.hasCapital ||= facts.hasCapital
  return negated(cursor, result)
}

function unclosed(start: number): PatternError {
  return new PatternError(start, 'the character class opened here has no closing `]`; write `\\[` for a literal bracket')
}

/** The union of the items before the next `]` or operator, folded if case is ignored. */
function parseItems(cursor: Cursor, start: number): ClassExpression {
  const items: ClassExpression[] = []
  const ranges: [number, number][] = []
  for (let isFirst = true; ; isFirst = false) {
    skipIgnored(cursor)
    const character = peek(cursor)
    if (character === undefined) throw unclosed(start)
    if (character === ']' && !isFirst) break
    if (!isFirst && Object.keys(operators).some(text => startsWith(cursor, text))) break
    if (character === '[') {
      cursor.index++
      items.push(posixClass(cursor) ?? parseClass(cursor))
      continue
    }
    const first = classAtom(cursor)
    if (typeof first !== 'number') {
      items.push(first)
      continue
    }
    skipIgnored(cursor)
    // `--` subtracts, but not directly before the closing bracket: `[+--]` is the range from `+` to `-`.
    const isDash = peek(cursor, 1) === '-' && peek(cursor, 2) !== ']'
    const isRange = peek(cursor) === '-' && peek(cursor, 1) !== ']' && !isDash && peek(cursor, 1) !== undefined
    if (!isRange) {
      ranges.push([first, first])
      noteLineBreaks(cursor, first, first)
      continue
    }
    cursor.index++
    skipIgnored(cursor)
    const offset = cursor.index
    const last = classAtom(cursor)
    if (typeof last !== 'number' || last < first) {
      throw new PatternError(
        offset,
        'a range in a character class runs from a lower character to a higher one; write `\\-` for a literal dash',
      )
    }
    ranges.push([first, last])
    noteLineBreaks(cursor, first, last)
  }
  const plain: ClassExpression = { kind: 'ranges', ranges: codePointSet(ranges) }
  const union: ClassExpression = items.length === 0 ? plain : { kind: 'union', of: [...items, plain] }
  if (!cursor.flags.ignoreCase) return union
  return cursor.flags.unicode ? { kind: 'folded', of: union } : { kind: 'ascii-folded', of: union }
}

function classAtom(cursor: Cursor): number | ClassExpression {
  const offset = cursor.index
  if (!take(cursor, '\\')) {
    const codePoint = peek(cursor)?.codePointAt(0) ?? 0
    if (codePoint > maxAscii) requireUnicode(cursor, offset)
    cursor.index++
    noteLiteral(cursor, codePoint)
    return codePoint
  }
  // In a class, `\b` is the backspace in many dialects and an error in Rust, so report it instead of choosing.
  const escape = parseEscape(cursor)
  if (escape.kind === 'character') {
    if (escape.codePoint > maxAscii) requireUnicode(cursor, offset)
    noteLiteral(cursor, escape.codePoint)
    return escape.codePoint
  }
  if (escape.kind === 'byte') return byteCharacter(escape.byte)
  if (escape.kind === 'class') return escape.set
  throw new PatternError(offset, 'a position such as `\\b` cannot stand in a character class; move it outside of the brackets')
}

function noteLineBreaks(cursor: Cursor, first: number, last: number): void {
  // A wide range such as `[\x00-\x7f]` means "any of these", not "a line break".
  if (last - first > 3) return
  if (first === 0) cursor.facts.namesNull = true
  if (first <= 10 && last >= 10) cursor.facts.namesNewline = true
  if (first <= 13 && last >= 13) cursor.facts.namesCarriageReturn = true
}

/** `[:name:]` or `[:^name:]`. The cursor is after its `[`, and stays there if it is something else. */
function posixClass(cursor: Cursor): ClassExpression | undefined {
  const start = cursor.index
  if (take(cursor, ':')) {
    const isNegated = take(cursor, '^')
    const classSource = posixClasses[takeWhile(cursor, character => /^[a-z]$/.test(character), 8)]
    if (classSource !== undefined && take(cursor, ':]')) {
      const set: ClassExpression = { kind: 'named', classSource }
      const folded: ClassExpression = cursor.flags.ignoreCase ? { kind: 'folded', of: set } : set
      return isNegated ? { kind: 'not', of: folded } : folded
    }
  }
  cursor.index = start
  return undefined
}
