// The grammar of bash: lists, pipelines and commands. A script is parsed line by line, because bash runs each line before it reads the
// next: a later syntax error does not prevent earlier lines from running, and `shopt -s extglob` changes how later lines are parsed.

import { readConditional } from './conditions.ts'
import { LoopParser } from './loops-and-cases.ts'
import { readParameter } from './parameters.ts'
import { inSubstitution, SyntaxProblem } from './source.ts'
import type {
  Assignment,
  Command,
  CompoundCommand,
  ListItem,
  Pipeline,
  Redirection,
  Script,
  SimpleCommand,
  Word,
  WordPart,
} from './tree.ts'
import { readArithmetic, readWord, type WordContext, wordOf } from './words.ts'
import { isStackOverflow, nestsTooDeeply } from '../errno.ts'
import { pushAll } from '../../../core/many.ts'

const terminators = new Set(['then', 'elif', 'else', 'fi', 'do', 'done', 'esac', '}'])
const declarations = new Set(['declare', 'typeset', 'local', 'export', 'readonly'])
const maxDepth = 1000

export class Parser extends LoopParser {
  #depth = 0

  /** Parses the next nonempty line, which may continue over several lines; `undefined` at the end. Throws `SyntaxProblem`. */
  nextLine(): Script | undefined {
    try {
      return this.#nextLine()
    } catch (error) {
      if (isStackOverflow(error)) throw new SyntaxProblem(nestsTooDeeply, this.source.lineAt())
      throw error
    }
  }

  #nextLine(): Script | undefined {
    this.isExtendedGlob = this.options.isExtendedGlob?.() ?? this.isExtendedGlob
    this.skipNewlines()
    if (this.source.isAtEnd) return undefined
    const items: ListItem[] = []
    for (;;) {
      this.takeAlias()
      this.skipBlanks()
      if (this.source.isAtEnd || this.takeNewline()) break
      items.push(this.#readItem())
      this.skipBlanks()
      if (this.source.isAtEnd || this.takeNewline()) break
      if (this.source.peek() === ';' || this.source.peek() === ')') throw this.unexpected()
    }
    if (this.source.isAtEnd) this.readHereDocuments()
    return { items }
  }

  /** The number of the last line that `nextLine` read. */
  get lastLine(): number {
    const { position, text } = this.source
    return this.source.lineAt(text.charAt(position - 1) === '\n' ? position - 1 : position)
  }

  /** Parses the whole text. */
  all(): Script {
    const items: ListItem[] = []
    for (let line = this.nextLine(); line !== undefined; line = this.nextLine()) pushAll(items, line.items)
    return { items }
  }

  override readSubstitution(): Script {
    try {
      const { position } = this.source
      const line = this.source.lineAt()
      return this.#nested(() => {
        this.skipNewlines()
        const firstLine = this.source.lineAt()
        const script = this.readList(() => this.source.peek() === ')')
        const text = this.source.text.slice(position, this.source.position)
        if (this.source.take(')')) return linewise({ ...script, firstLine }, text, line)
        throw this.source.isAtEnd ? this.source.unexpectedEnd(')') : this.unexpected()
      })
    } catch (error) {
      throw inSubstitution(error)
    }
  }

  override readScriptOf(text: string, line: number): Script {
    return this.#nested(() => {
      const parser = new Parser(text, { ...this.options, line })
      parser.skipNewlines()
      const firstLine = parser.source.lineAt()
      return linewise({ ...parser.all(), firstLine }, text, line)
    })
  }

  override readParameter(isInQuotes: boolean): WordPart {
    return readParameter(this, isInQuotes)
  }

  override forText(text: string, line: number): WordContext {
    return new Parser(text, { ...this.options, line })
  }

  #nested<T>(work: () => T): T {
    this.#depth += 1
    if (this.#depth > maxDepth) throw new SyntaxProblem(nestsTooDeeply, this.source.lineAt())
    const result = work()
    this.#depth -= 1
    return result
  }

  // -- lists

  protected override readList(isEnd: () => boolean = () => false): Script {
    const items: ListItem[] = []
    for (;;) {
      this.skipNewlines()
      this.takeAlias()
      this.skipNewlines()
      if (this.source.isAtEnd || isEnd() || terminators.has(this.peekReserved() ?? '') || this.source.startsWith(';;')) break
      if (this.source.startsWith(';&')) break
      items.push(this.#readItem())
      this.skipBlanks()
      if (!this.source.isAtEnd && this.source.peek() === ';' && !this.source.startsWith(';;') && !this.source.startsWith(';&'))
        throw this.unexpected()
    }
    return { items }
  }

  protected override readBody(): Script {
    const script = this.readList()
    if (script.items.length === 0) throw this.unexpected()
    return script
  }

  /** Parses an and-or list and the `;` or `&` after it. */
  #readItem(): ListItem {
    const { source } = this
    this.skipBlanks()
    const start = source.position
    const first = this.#readPipeline()
    const rest: ListItem['rest'][number][] = []
    let end = source.position
    for (;;) {
      this.skipBlanks()
      const operator = source.take('&&') ? '&&' : source.take('||') ? '||' : undefined
      if (operator === undefined) break
      this.skipNewlines()
      rest.push({ operator, pipeline: this.#readPipeline() })
      end = source.position
    }
    this.skipBlanks()
    let isBackground = false
    if (source.peek() === '&' && source.peek(1) !== '&') {
      source.position += 1
      isBackground = true
    } else if (source.peek() === ';' && source.peek(1) !== ';' && source.peek(1) !== '&') source.position += 1
    return { first, rest, isBackground, source: source.text.slice(start, end).trim() }
  }

  #readPipeline(): Pipeline {
    const { source } = this
    let hasWord = false
    let isNegated = false
    let time: Pipeline['time']
    for (;;) {
      this.takeAlias()
      this.skipBlanks()
      const reserved = this.peekReserved()
      if (reserved === '!') {
        source.position += 1
        isNegated = !isNegated
        hasWord = true
      } else if (reserved === 'time') {
        source.position += 4
        time = source.takeMatch(/[ \t]+-p(?=[\s;&|]|$)/y) === undefined ? 'bash' : 'posix'
      } else break
    }
    const commands: Command[] = []
    const pipesStderr: boolean[] = []
    this.skipBlanks()
    if ((time !== undefined || hasWord) && (source.isAtEnd || /[\n;]/.test(source.peek())))
      return { isNegated, time, commands, pipesStderr }
    for (;;) {
      commands.push(this.#readCommand())
      this.skipBlanks()
      if (source.take('|&')) pipesStderr.push(true)
      else if (source.peek() === '|' && source.peek(1) !== '|') {
        source.position += 1
        pipesStderr.push(false)
      } else break
      this.skipNewlines()
    }
    pipesStderr.push(false)
    return { isNegated, time, commands, pipesStderr }
  }

  #readCommand(): Command {
    const { source } = this
    this.takeAlias()
    this.skipBlanks()
    const line = source.lineAt()
    const reserved = this.peekReserved()
    if (reserved === 'function') return this.#readFunctionWord(line)
    if (reserved !== undefined && reserved !== 'in') {
      if (terminators.has(reserved) || reserved === '!' || reserved === 'time') throw this.unexpected()
      source.position += reserved.length
      return this.withRedirections(this.#nested(() => this.#readCompound(reserved, line)))
    }
    if (source.startsWith('((')) {
      const start = source.position
      source.position += 2
      const expression = readArithmetic(this, '))')
      if (expression !== undefined) {
        source.position += 2
        return this.withRedirections({ type: 'arithmetic', expression, redirections: [], line })
      }
      source.position = start
    }
    if (source.take('(')) {
      const body = this.#nested(() => this.readList(() => source.peek() === ')'))
      if (body.items.length === 0 || !source.take(')')) throw this.unexpected()
      return this.withRedirections({ type: 'subshell', body, redirections: [], line })
    }
    return this.#readSimple(line)
  }

  #readCompound(reserved: string, line: number): CompoundCommand {
    const redirections: readonly Redirection[] = []
    switch (reserved) {
      case '{': {
        const body = this.readBody()
        this.expectReserved('}')
        return { type: 'group', body, redirections, line }
      }
      case 'if': {
        const branches: { condition: Script; body: Script }[] = []
        let otherwise: Script | undefined
        do {
          const condition = this.readBody()
          this.expectReserved('then')
          branches.push({ condition, body: this.readBody() })
        } while (this.takeReserved('elif'))
        if (this.takeReserved('else')) otherwise = this.readBody()
        this.expectReserved('fi')
        return { type: 'if', branches, otherwise, redirections, line }
      }
      case 'while':
      case 'until': {
        const condition = this.readBody()
        return { type: reserved, condition, body: this.readDoBody(), redirections, line }
      }
      case 'for':
      case 'select':
        return this.readFor(reserved, line)
      case 'case':
        return this.readCase(line)
      case '[[': {
        const expression = readConditional(this, { skipBlanks: () => this.skipBlanks(), skipNewlines: () => this.skipNewlines() })
        return { type: 'conditional', expression, redirections, line }
      }
      case 'coproc': {
        this.skipBlanks()
        const named = this.source.takeMatch(/([A-Za-z_]\w*)[ \t]+(?=[{(]|while|until|for|if|case)/y)
        return { type: 'coproc', name: named?.[1] ?? 'COPROC', body: this.#readCommand(), redirections, line }
      }
      default:
        throw this.unexpected()
    }
  }

  #readFunctionWord(line: number): Command {
    this.source.position += 'function'.length
    this.skipBlanks()
    const [name] = this.source.takeMatch(/[^\s;&|<>()]+/y) ?? []
    if (name === undefined) throw this.unexpected(true)
    this.skipBlanks()
    this.source.takeMatch(/\([ \t]*\)/y)
    return this.#readFunctionBody(name, line)
  }

  #readFunctionBody(name: string, line: number): Command {
    this.skipNewlines()
    const start = this.source.position
    const body = this.#readCommand()
    if (body.type === 'simple' || body.type === 'function') {
      this.source.position = start
      throw this.unexpected()
    }
    return { type: 'function', name, body, redirections: [], line }
  }

  #readSimple(line: number): Command {
    const { source } = this
    const assignments: Assignment[] = []
    const words: Word[] = []
    const redirections: Redirection[] = []
    let isDeclaration = false
    // bash counts the line where the second of these ends as that of the command.
    let ownLine = line
    const noteLine = (): void => {
      if (assignments.length + words.length + redirections.length <= 2) ownLine = source.lineAt()
    }
    let end = source.position
    for (;;) {
      this.skipBlanks()
      const redirection = this.readRedirection()
      if (redirection !== undefined) {
        redirections.push(redirection)
        noteLine()
        continue
      }
      const isFirst = words.length === 0 && assignments.length + redirections.length > 0
      if (isFirst || this.expansions.some(each => each.isOpen && each.end > end && each.end <= source.position)) this.takeAlias()
      const start = source.position
      if (words.length === 0 || isDeclaration) {
        const assignment = this.readAssignment()
        if (assignment !== undefined) {
          if (isDeclaration)
            words.push({ ...wordOf([], source.text.slice(start, source.position)), literal: undefined, assignment })
          else assignments.push(assignment)
          noteLine()
          continue
        }
      }
      const word = readWord(this)
      if (word === undefined) break
      words.push(word)
      noteLine()
      end = source.position
      if (words.length === 1 && word.literal !== undefined && word.parts.every(({ type }) => type === 'text'))
        isDeclaration = declarations.has(word.literal)
      if (words.length === 2 && !isDeclaration && words[0]?.literal === 'builtin')
        isDeclaration = declarations.has(word.literal ?? '')
      if (words.length === 1 && assignments.length === 0 && redirections.length === 0 && source.peek() !== '') {
        const name = word.source
        if (source.takeMatch(/[ \t]*\([ \t]*\)/y) !== undefined) return this.#readFunctionBody(name, line)
      }
    }
    if (assignments.length + words.length + redirections.length === 0) throw this.unexpected()
    if (source.peek() === '(') {
      // It could begin a function.
      if (words.length === 1 && assignments.length + redirections.length === 0) source.position += 1
      throw this.unexpected()
    }
    return { type: 'simple', assignments, words, redirections, line: ownLine } satisfies SimpleCommand
  }
}

function linewise(script: Script, text: string, line: number): Script {
  return /\balias\b[^]*\n/.test(text) ? { ...script, withAliases: { text, line } } : script
}
