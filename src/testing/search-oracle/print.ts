// Prints a parsed pattern for RE2JS without flags, names or shorthands: every class is written out, so the result does not depend on that
// engine's meaning of `\w`, `$` or case.

import { unreachable } from '../../core/errors.ts'
import {
  allCodePoints,
  type CodePointSet,
  contains,
  difference,
  intersection,
  newline,
  rangesOf,
  union,
} from '../../search/regex/code-points.ts'
import { markCodePoint, underscoreCodePoint } from './marked-text.ts'
import { type Assertion, evaluateClass, type Node } from '../../search/regex/syntax.ts'
import { foldCase, setOfClass, type Universe, wordClass } from '../../search/regex/unicode.ts'

/** `marked` patterns read text that `markWords` prepared, in which the engine's ASCII `\b` is Unicode's. */
export type Dialect = Universe | 'marked'

export interface PrintOptions {
  readonly dialect: Dialect
  /** Whether a class may match `\n`; not allowed for a pattern that is applied to single lines. */
  readonly canMatchNewline: boolean
}

export function printPattern(node: Node, options: PrintOptions): string {
  const body = print(node, options)
  // The search begins at a whole character of marked text, never inside one. A search for spans cannot be anchored; there, an empty match
  // between the parts of one character is on the right line anyway.
  return options.dialect === 'marked' && !options.canMatchNewline
    ? `^${repeatText(printSet(allCodePoints, options), '*?')}${group(body)}`
    : body
}

function print(node: Node, options: PrintOptions): string {
  switch (node.kind) {
    case 'character': {
      const character: CodePointSet = [node.codePoint, node.codePoint]
      const set = node.isFolded ? foldCase(character, universeOf(options)) : character
      return printSet(options.dialect === 'ascii' ? intersection(set, [0, 0x7f]) : set, options)
    }
    case 'class': {
      const set = evaluateClass(node.set, universeOf(options))
      return printSet(options.canMatchNewline ? set : difference(set, newline), options)
    }
    case 'assertion':
      return printAssertion(node.assertion)
    case 'capture':
      return print(node.node, options)
    case 'sequence':
      return node.parts.map(part => (part.kind === 'alternatives' ? group(print(part, options)) : print(part, options))).join('')
    case 'alternatives':
      return group(node.parts.map(part => print(part, options)).join('|'))
    case 'repeat': {
      const count = node.max === undefined ? `{${node.min},}` : `{${node.min},${node.max}}`
      return repeatText(print(node.node, options), node.isGreedy ? count : `${count}?`)
    }
    default:
      return unreachable(node)
  }
}

function universeOf(options: PrintOptions): Universe {
  return options.dialect === 'ascii' ? 'ascii' : 'unicode'
}

function group(text: string): string {
  return `(?:${text})`
}

function repeatText(text: string, operator: string): string {
  return `${group(text)}${operator}`
}

function printAssertion(assertion: Assertion): string {
  const afterWord = '(?<=[0-9A-Za-z_])'
  const notAfterWord = '(?<![0-9A-Za-z_])'
  switch (assertion) {
    case 'line-start':
      return '(?m:^)'
    case 'line-end':
      return '(?m:$)'
    case 'text-start':
      return '\\A'
    case 'text-end':
      return '\\z'
    case 'word-boundary':
      return '\\b'
    case 'not-word-boundary':
      return '\\B'
    case 'word-start':
      return `\\b${notAfterWord}`
    case 'line-start-crlf':
      return '(?R:^)'
    case 'line-end-crlf':
      return '(?R:$)'
    case 'word-end':
      return `\\b${afterWord}`
    case 'word-start-half':
      return notAfterWord
    case 'word-end-half':
      // There is no look-ahead, but a boundary here determines what comes next.
      return `(?:\\b${afterWord}|\\B${notAfterWord})`
    default:
      return unreachable(assertion)
  }
}

const underscore: CodePointSet = [0x5f, 0x5f]

function printSet(set: CodePointSet, options: PrintOptions): string {
  if (options.dialect !== 'marked') return printRanges(set)
  const foreignWord = difference(setOfClass(wordClass, 'unicode'), [0, 0x7f])
  const wrapped = intersection(set, foreignWord)
  const all = contains(set, 0x5f) ? union(wrapped, [underscoreCodePoint, underscoreCodePoint]) : wrapped
  const bare = difference(difference(set, foreignWord), union(underscore, [underscoreCodePoint, underscoreCodePoint]))
  if (all.length === 0) return printRanges(bare)
  return group(`${printRanges(bare)}|${markText}${printRanges(all)}${markText}`)
}

const markText = printRanges([markCodePoint, markCodePoint])

function printRanges(set: CodePointSet): string {
  const first = set[0]
  if (first === undefined) return '[^\\x00-\\x{10FFFF}]'
  if (set.length === 2 && first === set[1]) return printCodePoint(first)
  return `[${rangesOf(set)
    .map(([low, high]) => (low === high ? printCodePoint(low) : `${printCodePoint(low)}-${printCodePoint(high)}`))
    .join('')}]`
}

function printCodePoint(codePoint: number): string {
  const character = String.fromCodePoint(codePoint)
  return /^[0-9A-Za-z]$/.test(character) ? character : `\\x{${codePoint.toString(16)}}`
}

/** What decides which texts and which engine flags a pattern needs. */
export interface Traits {
  readonly hasWordAssertion: boolean
  readonly needsLookBehind: boolean
  readonly hasTextAssertion: boolean
  readonly hasLineEnd: boolean
  /** The approximate number of states of the engine's program. Counted repeats are expanded. */
  readonly size: number
}

export function traitsOf(node: Node): Traits {
  switch (node.kind) {
    case 'character':
    case 'class':
      return { ...noTraits, size: 1 }
    case 'assertion': {
      const isLine = node.assertion === 'line-start' || node.assertion === 'line-end'
      const isText = node.assertion === 'text-start' || node.assertion === 'text-end'
      return {
        hasWordAssertion: !isLine && !isText,
        needsLookBehind: node.assertion.startsWith('word-') && node.assertion !== 'word-boundary',
        hasTextAssertion: isText,
        hasLineEnd: node.assertion === 'line-end',
        size: 1,
      }
    }
    case 'capture':
      return traitsOf(node.node)
    case 'sequence':
    case 'alternatives':
      return node.parts.map(traitsOf).reduce(mergeTraits, noTraits)
    case 'repeat': {
      const traits = traitsOf(node.node)
      // Each copy above the minimum costs a branch.
      const branches = node.max === undefined ? 1 : node.max - node.min
      return { ...traits, size: traits.size * Math.max(node.max ?? node.min, 1) + branches }
    }
    default:
      return unreachable(node)
  }
}

const noTraits: Traits = { hasWordAssertion: false, needsLookBehind: false, hasTextAssertion: false, hasLineEnd: false, size: 0 }

function mergeTraits(left: Traits, right: Traits): Traits {
  return {
    hasWordAssertion: left.hasWordAssertion || right.hasWordAssertion,
    needsLookBehind: left.needsLookBehind || right.needsLookBehind,
    hasTextAssertion: left.hasTextAssertion || right.hasTextAssertion,
    hasLineEnd: left.hasLineEnd || right.hasLineEnd,
    size: left.size + right.size,
  }
}
