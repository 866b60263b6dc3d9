// Parses `[[ … ]]`.

import { SyntaxProblem } from './source.ts'
import type { Condition, Word } from './tree.ts'
import { readRegexWord, readWord, readWordUntil, type WordContext } from './words.ts'

const unary = /-[a-hknoprstuvwxzGLNORS](?=\s)/y
const binary = /(?:=~|==|=|!=|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef))(?=[\s])|[<>](?!\()/y

/** Parses from after `[[` through `]]`. */
export function readConditional(context: WordContext, skipNewlines: () => void): Condition {
  const { source } = context
  const problem = (): SyntaxProblem => {
    const token = source.takeMatch(/\n|[^\s]+/y)?.[0] ?? ''
    return token === ''
      ? new SyntaxProblem("unexpected EOF while looking for `]]'", source.lineAt(), true, false, 'kept failure')
      : new SyntaxProblem(
          `syntax error in conditional expression: unexpected token \`${token === '\n' ? 'newline' : token}'`,
          source.lineAt(),
          false,
          false,
          'kept',
        )
  }
  const or = (): Condition => {
    let left = and()
    for (skipNewlines(); source.take('||'); skipNewlines()) left = { type: 'or', left, right: and() }
    return left
  }
  const and = (): Condition => {
    let left = not()
    for (skipNewlines(); source.take('&&'); skipNewlines()) left = { type: 'and', left, right: not() }
    return left
  }
  const not = (): Condition => {
    skipNewlines()
    return source.takeMatch(/!(?=[\s(])/y) === undefined ? primary() : { type: 'not', operand: not() }
  }
  const isClosed = (): boolean => source.startsWith(']]') && /[\s;&|)]|^$/.test(source.peek(2))
  const operand = (): Word => {
    skipNewlines()
    if (isClosed()) throw problem()
    const word = readWord(context)
    if (word === undefined) throw problem()
    return word
  }
  const primary = (): Condition => {
    skipNewlines()
    if (source.take('(')) {
      const inner = or()
      if (!source.take(')')) throw problem()
      return { type: 'parentheses', operand: inner }
    }
    const start = source.position
    const operator = source.takeMatch(unary)?.[0]
    if (operator !== undefined) {
      skipNewlines()
      const isOperand = source.takeMatch(/(?=\]\](?:[\s;&|)]|$)|&&|\|\||(?:==?|!=|=~)\s)/y) === undefined
      if (isOperand) return { type: 'unary', operator, word: operand() }
      source.position = start
    }
    const left = operand()
    skipNewlines()
    const comparison = source.takeMatch(binary)?.[0]
    if (comparison === undefined) return { type: 'word', word: left }
    skipNewlines()
    if (comparison === '=~') return { type: 'binary', operator: comparison, left, right: readRegexWord(context) }
    const isPattern = comparison === '==' || comparison === '=' || comparison === '!='
    const right = isPattern ? patternOperand() : operand()
    return { type: 'binary', operator: comparison, left, right }
  }
  /** A pattern may contain parentheses. */
  const patternOperand = (): Word => {
    if (isClosed()) throw problem()
    const wasExtended = context.isExtendedGlob
    context.isExtendedGlob = true
    const word = readWordUntil(context, character => /[\s;&|<>()]/.test(character))
    context.isExtendedGlob = wasExtended
    if (word.source === '') throw problem()
    return word
  }
  const condition = or()
  skipNewlines()
  if (!source.take(']]')) throw problem()
  return condition
}
