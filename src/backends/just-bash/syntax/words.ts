// Parses words: quotes, expansions and nested constructs. The context determines what ends a word.

import { decodeAnsiQuotes } from './ansi-quotes.ts'
import { SyntaxProblem, type Source } from './source.ts'
import type { Script, Word, WordPart } from './tree.ts'
import { pushAll } from '../../../core/many.ts'

export interface WordContext {
  readonly source: Source
  /** The option `extglob`; always on for the patterns of `[[ … ]]`. */
  isExtendedGlob: boolean
  /** Parses the commands of `$(…)` through the closing parenthesis. */
  readSubstitution(): Script
  /** Parses the commands of `` `…` ``, whose backslashes are already removed. */
  readScriptOf(text: string, line: number): Script
  /** Parses `${…}` from after the brace. */
  readParameter(isInQuotes: boolean): WordPart
  /** A context with the same rules for another text. */
  forText(text: string, line: number): WordContext
}

export type EndTest = (character: string) => boolean

/** Parses a word of a command; `undefined` if none begins here. */
export function readWord(context: WordContext): Word | undefined {
  const { source } = context
  const start = source.position
  const parts = readUnquoted(context, isCommandWordEnd)
  return source.position === start ? undefined : wordOf(parts, source.text.slice(start, source.position))
}

/** Like `readWord`, for an element of an array: a subscript in brackets at its start may contain blanks. */
export function readElement(context: WordContext): Word | undefined {
  const { source } = context
  const start = source.position
  if (!source.take('[')) return readWord(context)
  const inner = readUnquoted(context, character => character === ']')
  if (!source.take(']')) throw source.unexpectedEnd(']')
  const parts: WordPart[] = [{ type: 'text', text: '[' }, ...inner, { type: 'text', text: ']' }]
  return wordOf([...parts, ...readUnquoted(context, isCommandWordEnd)], source.text.slice(start, source.position))
}

const isCommandWordEnd: EndTest = character => wordEnds.has(character)
const wordEnds = new Set([' ', '\t', '\n', ';', '&', '|', '<', '>', '(', ')'])

/** Parses a word that ends where `isEnd` is true. */
export function readWordUntil(context: WordContext, isEnd: EndTest): Word {
  const start = context.source.position
  const parts = readUnquoted(context, isEnd)
  return wordOf(parts, context.source.text.slice(start, context.source.position))
}

export function wordOf(parts: readonly WordPart[], source: string): Word {
  return { parts, source, literal: literalOf(parts) }
}

function literalOf(parts: readonly WordPart[]): string | undefined {
  const [first] = parts
  // The command `[`: an unclosed bracket is not a glob.
  if (parts.length === 1 && first?.type === 'text' && first.text === '[') return '['
  let literal = ''
  for (const part of parts) {
    if (part.type === 'double' && part.parts.every(({ type }) => type === 'quoted')) {
      for (const inner of part.parts) if (inner.type === 'quoted') literal += inner.text
    } else if (part.type === 'quoted' || (part.type === 'text' && !/[*?[{~(]/.test(part.text))) literal += part.text
    else return undefined
  }
  return literal
}

export function readUnquoted(context: WordContext, isEnd: EndTest): WordPart[] {
  const { source } = context
  const parts: WordPart[] = []
  let text = ''
  const endText = (): void => {
    if (text !== '') parts.push({ type: 'text', text })
    text = ''
  }
  const push = (part: WordPart): void => {
    endText()
    parts.push(part)
  }
  for (;;) {
    const plain = source.takeMatch(/[\w.,-]+/y)
    if (plain !== undefined) text += plain[0]
    const character = source.peek()
    if (character === '') break
    if ((character === '<' || character === '>') && source.peek(1) === '(') {
      source.position += 2
      push({ type: 'process', direction: character === '<' ? 'read' : 'write', script: context.readSubstitution() })
      continue
    }
    const isGroup = context.isExtendedGlob && source.peek(1) === '(' && '?*+@!'.includes(character)
    if (isGroup) {
      source.position += 2
      text += `${character}(`
      const inner = readUnquoted(context, next => next === ')')
      if (!source.take(')')) throw source.unexpectedEnd(')')
      for (const part of inner) {
        if (part.type === 'text') text += part.text
        else push(part)
      }
      text += ')'
      continue
    }
    if (isEnd(character)) break
    source.position += 1
    switch (character) {
      case '\\': {
        const next = source.peek()
        if (next === '') text += '\\'
        else source.position += 1
        if (next !== '' && next !== '\n') push({ type: 'quoted', text: next })
        break
      }
      case "'":
        push({ type: 'quoted', text: takeUntilQuote(source) })
        break
      case '"':
        push({ type: 'double', parts: readDoubleQuoted(context) })
        break
      case '$':
        push(readDollar(context, false))
        break
      case '`':
        push(readBackquotes(context, false))
        break
      default:
        text += character
    }
  }
  endText()
  return parts
}

function takeUntilQuote(source: Source): string {
  const end = source.text.indexOf("'", source.position)
  if (end < 0) throw source.unexpectedEnd("'", source.position)
  const text = source.text.slice(source.position, end)
  source.position = end + 1
  return text
}

/**
 * Parses through the closing quote. Within `"${x:-"…"}"` (`isInOperand`) a backslash quotes every character, and a backquoted command
 * does not lose the backslash before a quote.
 */
function readDoubleQuoted(context: WordContext, isInOperand = false): WordPart[] {
  const start = context.source.position
  const parts = readQuotedUntil(context, character => character === '"', isInOperand ? 'any' : '$`"\\', false, !isInOperand)
  if (!context.source.take('"')) throw context.source.unexpectedEnd('"', start)
  return parts
}

/** Parses text as in double quotes; a backslash escapes only the characters in `escaped`, or any. */
export function readQuotedUntil(
  context: WordContext,
  isEnd: EndTest,
  escaped: string,
  opensQuotes = false,
  unescapes: boolean = escaped.includes('"') && !opensQuotes,
): WordPart[] {
  const { source } = context
  const parts: WordPart[] = []
  let text = ''
  const push = (part: WordPart): void => {
    if (text !== '') parts.push({ type: 'quoted', text })
    text = ''
    parts.push(part)
  }
  for (;;) {
    const plain = source.takeMatch(/[\w ./,-]+/y)
    if (plain !== undefined) text += plain[0]
    const character = source.peek()
    if (character === '' || isEnd(character)) break
    source.position += 1
    if (character === '\\') {
      const next = source.peek()
      if (next === '\n') source.position += 1
      else if (next !== '' && (escaped === 'any' || escaped.includes(next))) {
        source.position += 1
        text += next
      } else text += '\\'
    } else if (character === '$' && opensQuotes && source.peek() === "'") {
      // The operand in `"${x:-$'…'}"` may contain `$'…'`, but single quotes are literal.
      const quoted = source.takeMatch(/'((?:[^\\']|\\[^])*)'/y)
      if (quoted === undefined) text += '$'
      else text += decodeAnsiQuotes(quoted[1] ?? '')
    } else if (character === '$' && opensQuotes && source.peek() === '"') continue
    else if (character === '$') push(readDollar(context, true))
    else if (character === '`') push(readBackquotes(context, unescapes))
    else if (character === '"' && opensQuotes) push({ type: 'double', parts: readDoubleQuoted(context, true) })
    else text += character
  }
  if (text !== '') parts.push({ type: 'quoted', text })
  return parts
}

/** Parses an arithmetic expression: removes quotes, keeps expansions, and balances parentheses. `undefined` if `close` does not follow. */
export function readArithmetic(context: WordContext, close: '))' | ';' | ']' | '}' | ':'): Word | undefined {
  const { source } = context
  const start = source.position
  const parts: WordPart[] = []
  let text = ''
  let depth = 0
  let questions = 0
  for (;;) {
    const character = source.peek()
    if (character === '') return undefined
    if (depth === 0) {
      if (close === '))' && character === ')') {
        if (source.peek(1) !== ')') return undefined
        break
      }
      if (close === ';' && (character === ';' || (character === ')' && source.peek(1) === ')'))) break
      if (close === ']' && character === ']') break
      if ((close === '}' || close === ':') && character === '}') break
      if (close === ':' && character === ':') {
        if (questions === 0) break
        questions -= 1
      }
      if (character === '?') questions += 1
    }
    source.position += 1
    if (character === '(' || (close === ']' && character === '[')) depth += 1
    else if (character === ')' || (close === ']' && character === ']')) depth -= 1
    if (character === '\\' && source.peek() === '\n') source.position += 1
    else if (character === '\\' && /["$`\\]/.test(source.peek())) {
      text += source.peek()
      source.position += 1
    } else if (character === '$' || character === '`') {
      if (text !== '') parts.push({ type: 'quoted', text })
      text = ''
      parts.push(character === '$' ? readDollar(context, true) : readBackquotes(context, false))
    } else if (character !== '"') text += character
  }
  if (text !== '') parts.push({ type: 'quoted', text })
  return wordOf(parts, source.text.slice(start, source.position))
}

/** Parses the expansion after a dollar sign. */
function readDollar(context: WordContext, isInQuotes: boolean): WordPart {
  const { source } = context
  source.takeMatch(/(?:\\\n)+(?=[\w{(@*#?$!-])/y)
  const character = source.peek()
  if (character === '(') {
    if (source.peek(1) === '(') {
      const start = source.position
      source.position += 2
      const expression = readArithmetic(context, '))')
      if (expression !== undefined) {
        source.position += 2
        return { type: 'arithmetic', expression }
      }
      source.position = start
    }
    source.position += 1
    return { type: 'command', script: context.readSubstitution() }
  }
  if (character === '{') {
    source.position += 1
    return context.readParameter(isInQuotes)
  }
  if (character === '[') {
    source.position += 1
    const expression = readArithmetic(context, ']')
    if (expression === undefined) throw source.unexpectedEnd(']')
    source.position += 1
    return { type: 'arithmetic', expression }
  }
  if (!isInQuotes && character === "'") {
    const match = source.takeMatch(/'((?:[^'\\]|\\[^])*)'/y)
    if (match === undefined) throw source.unexpectedEnd("'", source.position)
    return { type: 'quoted', text: decodeAnsiQuotes(match[1] ?? '') }
  }
  if (!isInQuotes && character === '"') {
    source.position += 1
    return { type: 'double', parts: readDoubleQuoted(context) }
  }
  const name = source.takeMatch(/[A-Za-z_]\w*|[@*#?$!0-9-]/y)
  if (name === undefined) return { type: isInQuotes ? 'quoted' : 'text', text: '$' }
  return { type: 'parameter', name: name[0], subscript: undefined, form: 'plain', operation: undefined, isBare: true }
}

/** Parses a command substitution from after the opening backquote. */
function readBackquotes(context: WordContext, isInDoubleQuotes: boolean): WordPart {
  const { source } = context
  const line = source.lineAt()
  const match = source.takeMatch(/((?:[^`\\]|\\[^])*)`/y)
  if (match === undefined) throw source.unexpectedEnd('`', source.position)
  const text = (match[1] ?? '').replace(isInDoubleQuotes ? /\\([$`\\"])/g : /\\([$`\\])/g, '$1')
  return { type: 'command', script: context.readScriptOf(text, line) }
}

/** Parses the operand of `=~`: it may contain parentheses and bars, and white space only inside parentheses. */
export function readRegexWord(context: WordContext): Word {
  const { source } = context
  const start = source.position
  let depth = 0
  const parts: WordPart[] = []
  const isEnd: EndTest = character => (depth > 0 ? character === '(' || character === ')' : /[\s()]/.test(character))
  const wasExtended = context.isExtendedGlob
  context.isExtendedGlob = false
  for (;;) {
    pushAll(parts, readUnquoted(context, isEnd))
    if (source.take('(')) {
      depth += 1
      parts.push({ type: 'text', text: '(' })
    } else if (depth > 0 && source.take(')')) {
      depth -= 1
      parts.push({ type: 'text', text: ')' })
    } else break
  }
  context.isExtendedGlob = wasExtended
  if (source.position === start)
    throw new SyntaxProblem('unexpected argument to conditional binary operator', source.lineAt(), false, false, 'kept')
  return wordOf(parts, source.text.slice(start, source.position))
}
