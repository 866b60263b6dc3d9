// Parses `[[ … ]]`. Unlike elsewhere, bash reads here token by token, and its messages name the token that does not fit.

import { SyntaxProblem } from './source.ts'
import type { Condition, Word } from './tree.ts'
import { readRegexWord, readWord, readWordUntil, type WordContext } from './words.ts'

export interface Between {
  readonly skipBlanks: () => void
  readonly skipNewlines: () => void
}

const unary = /-[a-hknoprstuvwxzGLNORS](?=[\s;&|()<>]|$)/y
const binary = /(?:=~|==|=|!=|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef))(?=\s|$)|[<>](?![(<>&|])/y
const operators = /\n|\]\](?=[\s;&|)]|$)|&&|\|\||>>|<<|&>|;;|[;&|()]|[<>](?!\()/y
/** After a single word, which is then true unless it is empty. */
const afterWord: readonly (string | undefined)[] = [']]', '&&', '||', ')']

/** Parses from after `[[` through `]]`. */
export function readConditional(context: WordContext, { skipBlanks, skipNewlines }: Between): Condition {
  const { source } = context
  const startLine = source.lineAt()
  /** The operator that comes next; `undefined` before a word, and `EOF` at the end of the text. */
  const next = (): string | undefined => {
    skipBlanks()
    if (source.isAtEnd) return 'EOF'
    const start = source.position
    const token = source.takeMatch(operators)?.[0]
    source.position = start
    return token === '\n' ? 'newline' : token
  }
  const takeNext = (token: string): boolean => {
    skipNewlines()
    return next() === token && source.take(token)
  }
  const problem = (message: string, line = source.lineAt()): SyntaxProblem => {
    const isLast = source.text.slice(source.position).trim() === ''
    return new SyntaxProblem(message, line, source.isAtEnd, false, isLast ? 'kept failure' : 'kept')
  }
  /** `[before] [the token] [after]`, as a message names what came instead of a word. The end of the text ends a line. */
  const instead = (before: string, after: string): SyntaxProblem => {
    const token = next()
    if (token === undefined) return problem(after.replace(/^, /, ''))
    return problem(`unexpected ${before} \`${token === 'EOF' ? 'newline' : token}'${after}`)
  }
  const or = (): Condition => {
    let left = and()
    while (takeNext('||')) left = { type: 'or', left, right: and() }
    return left
  }
  const and = (): Condition => {
    let left = term()
    while (takeNext('&&')) left = { type: 'and', left, right: term() }
    return left
  }
  const operand = (kind: 'unary' | 'binary', read: () => Word | undefined = () => readWord(context)): Word => {
    const word = next() === undefined ? read() : undefined
    if (word === undefined) throw instead('argument', ` to conditional ${kind} operator`)
    return word
  }
  const group = (): Condition => {
    const line = source.lineAt()
    try {
      const inner = or()
      if (takeNext(')')) return { type: 'parentheses', operand: inner }
    } catch (error) {
      if (!(error instanceof SyntaxProblem) || error.isIncomplete || error.message === '') throw error
      throw problem(`${error.message}\nexpected \`)'`, error.line)
    }
    const token = next() ?? ''
    if (token === 'EOF') throw problem("unexpected EOF while looking for `]]'", startLine)
    throw problem(token === '' ? "expected `)'" : `unexpected token \`${token}', expected \`)'`, line)
  }
  const term = (): Condition => {
    skipNewlines()
    if (source.takeMatch(/!(?=[\s(;&|)<>]|$)/y) !== undefined) return { type: 'not', operand: term() }
    const token = next()
    if (token === '(') {
      source.position += 1
      return group()
    }
    // bash refuses the command without a message.
    if (token === ']]') throw problem('')
    if (token !== undefined) throw problem(`unexpected token \`${token}' in conditional command`)
    const operator = source.takeMatch(unary)?.[0]
    if (operator !== undefined) return { type: 'unary', operator, word: operand('unary') }
    const left = readWord(context)
    if (left === undefined) throw problem('syntax error in conditional expression')
    skipBlanks()
    const comparison = source.takeMatch(binary)?.[0]
    if (comparison === undefined) {
      if (afterWord.includes(next())) return { type: 'word', word: left }
      throw instead('token', ', conditional binary operator expected')
    }
    if (comparison === '=~') {
      skipBlanks()
      return { type: 'binary', operator: comparison, left, right: readRegexWord(context) }
    }
    const isPattern = comparison === '==' || comparison === '=' || comparison === '!='
    return { type: 'binary', operator: comparison, left, right: isPattern ? operand('binary', pattern) : operand('binary') }
  }
  /** A pattern may contain parentheses. */
  const pattern = (): Word | undefined => {
    const wasExtended = context.isExtendedGlob
    context.isExtendedGlob = true
    const word = readWordUntil(context, character => /[\s;&|<>()]/.test(character))
    context.isExtendedGlob = wasExtended
    return word.source === '' ? undefined : word
  }
  const condition = or()
  if (takeNext(']]')) return condition
  const token = next()
  if (token === 'EOF') throw problem("unexpected EOF while looking for `]]'", startLine)
  throw problem(`syntax error in conditional expression${token === undefined ? '' : `: unexpected token \`${token}'`}`, startLine)
}
