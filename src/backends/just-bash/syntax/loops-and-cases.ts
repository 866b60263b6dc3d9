// Parses `for`, `select` and `case`, and the body of a loop.

import { PartsParser } from './command-parts.ts'
import { SyntaxProblem } from './source.ts'
import type { CaseBranch, CompoundCommand, Script, Word } from './tree.ts'
import { readArithmetic, readWord } from './words.ts'

export abstract class LoopParser extends PartsParser {
  /** Parses a list up to `isEnd`, or to a reserved word that ends a list. The list may be empty. */
  protected abstract readList(isEnd?: () => boolean): Script
  /** The same; the list may not be empty. */
  protected abstract readBody(): Script

  protected readDoBody(): Script {
    this.expectReserved('do')
    const body = this.readBody()
    this.expectReserved('done')
    return body
  }

  protected readFor(type: 'for' | 'select', line: number): CompoundCommand {
    const { source } = this
    this.skipBlanks()
    if (type === 'for' && source.take('((')) {
      const [start, condition, step] = this.#readThreeExpressions()
      this.skipBlanks()
      source.take(';')
      this.skipNewlines()
      return { type: 'arithmetic-for', start, condition, step, body: this.#readLoopBody(), redirections: [], line }
    }
    const [name] = source.takeMatch(/[^\s;&|<>()$'"`\\]+/y) ?? []
    if (name === undefined) throw this.unexpected(true)
    this.skipBlanks()
    let words: Word[] | undefined
    if (source.peek() === ';') source.position += 1
    else {
      this.skipNewlines()
      if (this.takeReserved('in')) {
        words = []
        for (;;) {
          this.skipBlanks()
          const word = readWord(this)
          if (word === undefined) break
          words.push(word)
        }
        if (!source.take(';') && !this.takeNewline()) throw this.unexpected()
      }
    }
    this.skipNewlines()
    return { type, name, words, body: this.#readLoopBody(), redirections: [], line }
  }

  /** Parses the head of `for ((…; …; …))` from after `((`. */
  #readThreeExpressions(): readonly [Word, Word, Word] {
    const { source } = this
    const begin = source.position
    const start = readArithmetic(this, ';')
    const condition = start !== undefined && source.take(';') ? readArithmetic(this, ';') : undefined
    const step = condition !== undefined && source.take(';') ? readArithmetic(this, '))') : undefined
    if (start !== undefined && condition !== undefined && step?.source.includes(';') === false && source.take('))'))
      return [start, condition, step]
    source.position = begin
    const all = readArithmetic(this, '))')
    if (all === undefined) throw this.unexpected()
    const problem = step === undefined ? 'arithmetic expression required' : "`;' unexpected"
    throw new SyntaxProblem(`syntax error: ${problem}\nsyntax error: \`((${all.source}))'`, source.lineAt(begin))
  }

  /** Parses `do … done`, or the braces that bash accepts instead. */
  #readLoopBody(): Script {
    if (!this.takeReserved('{')) return this.readDoBody()
    const body = this.readBody()
    this.expectReserved('}')
    return body
  }

  protected readCase(line: number): CompoundCommand {
    const { source } = this
    this.skipBlanks()
    const word = readWord(this)
    if (word === undefined) throw this.unexpected(true)
    this.expectReserved('in')
    const branches: CaseBranch[] = []
    for (;;) {
      this.skipNewlines()
      if (this.takeReserved('esac')) break
      if (source.isAtEnd) throw this.unexpected()
      source.take('(')
      const patterns: Word[] = []
      do {
        this.skipBlanks()
        const pattern = readWord(this)
        if (pattern === undefined) throw this.unexpected()
        patterns.push(pattern)
        this.skipBlanks()
      } while (source.take('|'))
      if (!source.take(')')) throw this.unexpected()
      const body = this.readList()
      this.skipNewlines()
      const end = source.take(';;&') ? ';;&' : source.take(';;') ? ';;' : source.take(';&') ? ';&' : undefined
      branches.push({ patterns, body, end: end ?? ';;' })
      if (end === undefined) {
        this.expectReserved('esac')
        break
      }
    }
    return { type: 'case', word, branches, redirections: [], line }
  }
}
