// Parses `${…}`.

import type { ParameterOperation, ParameterPart, Subscript, Word, WordPart } from './tree.ts'
import { readArithmetic, readQuotedUntil, readUnquoted, wordOf, type WordContext } from './words.ts'
import { pushAll } from '../../../core/many.ts'

/** Parses from after the brace. A form that bash rejects at run time becomes a part that fails when it is expanded. */
export function readParameter(context: WordContext, isInQuotes: boolean): WordPart {
  const { source } = context
  const start = source.position
  const part = tryRead(context, isInQuotes)
  if (part !== undefined && source.take('}')) return part
  source.position = start
  readUnquoted(context, character => character === '}')
  const bad = source.text.slice(start, source.position)
  if (!source.take('}')) throw source.unexpectedEnd('}', start)
  return { type: 'bad-substitution', source: `\${${bad}}` }
}

const namePattern = /[A-Za-z_]\w*|\d+|[@*#?$!-]/y

function tryRead(context: WordContext, isInQuotes: boolean): ParameterPart | undefined {
  const { source } = context
  const skipContinuations = (): unknown => source.takeMatch(/(?:\\\n)+/y)
  skipContinuations()
  let form: ParameterPart['form'] = 'plain'
  // `${#}` and `${!}` are parameters, with operations too; before a name, `#` and `!` are prefixes.
  const next = source.peek(1)
  const isLength = source.peek() === '#' && (/[A-Za-z_0-9@*]/.test(next) || (/[-?#$!]/.test(next) && source.peek(2) === '}'))
  if (isLength) {
    source.position += 1
    form = 'length'
  } else if (source.peek() === '!' && /[A-Za-z_0-9@*#?$!]/.test(source.peek(1))) {
    source.position += 1
    form = 'indirect'
  }
  const [name] = source.takeMatch(namePattern) ?? []
  if (name === undefined) return undefined
  skipContinuations()
  const subscript = /^[A-Za-z_]/.test(name) && source.peek() === '[' ? readSubscript(context) : undefined
  if (form === 'indirect') {
    if (subscript?.kind === 'list' && source.peek() === '}')
      return { type: 'parameter', name, subscript, form: 'keys', operation: undefined }
    if (subscript === undefined && (source.startsWith('*}') || source.startsWith('@}'))) {
      const sign = source.peek() === '*' ? '*' : '@'
      source.position += 1
      return { type: 'parameter', name, subscript: { kind: 'list', sign }, form: 'names', operation: undefined }
    }
  }
  if (source.peek() === '}') return { type: 'parameter', name, subscript, form, operation: undefined }
  if (form === 'length') return undefined
  const operation = readOperation(context, isInQuotes)
  return operation === undefined ? undefined : { type: 'parameter', name, subscript, form, operation }
}

function readSubscript(context: WordContext): Subscript | undefined {
  const { source } = context
  const list = source.takeMatch(/\[([@*])\]/y)
  if (list !== undefined) return { kind: 'list', sign: list[1] === '*' ? '*' : '@' }
  source.position += 1
  const word = readIndex(context)
  return word === undefined ? undefined : { kind: 'index', word }
}

/** Parses an index from after the opening bracket through the closing one. */
export function readIndex(context: WordContext): Word | undefined {
  const { source } = context
  const start = source.position
  let depth = 0
  const parts: WordPart[] = []
  for (;;) {
    pushAll(
      parts,
      readUnquoted(context, character => character === '[' || character === ']'),
    )
    if (source.take('[')) {
      depth += 1
      parts.push({ type: 'text', text: '[' })
    } else if (depth > 0 && source.take(']')) {
      depth -= 1
      parts.push({ type: 'text', text: ']' })
    } else break
  }
  const word = wordOf(parts, source.text.slice(start, source.position))
  return source.take(']') ? word : undefined
}

const defaults = { '-': 'default', '=': 'assign', '?': 'error', '+': 'alternative' } as const
const cases = { '^': 'upper', ',': 'lower', '~': 'toggle' } as const

function readOperation(context: WordContext, isInQuotes: boolean): ParameterOperation | undefined {
  const { source } = context
  const choice = source.takeMatch(/:?[-=?+]/y)?.[0]
  if (choice !== undefined) {
    const kind = defaults[choice.slice(-1) as keyof typeof defaults]
    return { kind, coversEmpty: choice.length === 2, word: readOperand(context, isInQuotes) }
  }
  const removal = source.takeMatch(/##?|%%?/y)?.[0]
  if (removal !== undefined) {
    const side = removal.startsWith('#') ? 'prefix' : 'suffix'
    return { kind: 'remove', side, isLongest: removal.length === 2, pattern: readOperand(context, false) }
  }
  const replacing = source.takeMatch(/\/[/#%]?/y)?.[0]
  if (replacing !== undefined) {
    const where = replacing === '//' ? 'all' : replacing === '/#' ? 'prefix' : replacing === '/%' ? 'suffix' : 'first'
    const start = source.position
    // In `${x//…}`, a slash at the start of the pattern belongs to it; after `/#` and `/%`, a slash ends an empty pattern.
    const first = (where === 'first' || where === 'all') && source.take('/') ? [{ type: 'text', text: '/' } as const] : []
    const parts = [...first, ...readUnquoted(context, character => character === '/' || character === '}')]
    const pattern = wordOf(parts, source.text.slice(start, source.position))
    const replacement = source.take('/') ? readOperand(context, false) : undefined
    return { kind: 'replace', where, pattern, replacement }
  }
  const casing = source.takeMatch(/\^\^?|,,?|~~?/y)?.[0]
  if (casing !== undefined) {
    const change = cases[casing.charAt(0) as keyof typeof cases]
    const pattern = source.peek() === '}' ? undefined : readOperand(context, false)
    return { kind: 'case', change, isAll: casing.length === 2, pattern }
  }
  const letter = source.takeMatch(/@([UuLQEPAKak])(?=\})/y)?.[1]
  if (letter !== undefined) return { kind: 'transform', letter }
  if (!source.take(':')) return undefined
  const offset = source.peek() === '}' ? undefined : readArithmetic(context, ':')
  if (offset === undefined) return undefined
  if (!source.take(':')) return { kind: 'substring', offset, length: undefined }
  const length = readArithmetic(context, '}')
  return length === undefined ? undefined : { kind: 'substring', offset, length }
}

function readOperand(context: WordContext, isInQuotes: boolean): Word {
  const { source } = context
  const start = source.position
  const isEnd = (character: string): boolean => character === '}'
  const parts = isInQuotes ? readQuotedUntil(context, isEnd, '$`"\\}', true) : readUnquoted(context, isEnd)
  return wordOf(parts, source.text.slice(start, source.position))
}
