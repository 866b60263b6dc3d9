// The parts of commands: assignments, elements of arrays, redirections, aliases, and the blanks and comments between them.

import { readElement, readWord, type WordContext, wordOf } from './words.ts'
import { Source, SyntaxProblem } from './source.ts'
import { type PendingHereDocument, readBody } from './here-documents.ts'
import type {
  ArrayElement,
  Assignment,
  CompoundCommand,
  Redirection,
  RedirectionOperator,
  Script,
  Word,
  WordPart,
} from './tree.ts'
import { readIndex } from './parameters.ts'

export interface ParserOptions {
  /** Called before each line, because commands that ran before may have changed the setting. */
  readonly isExtendedGlob?: () => boolean
  /** The text that a name in the place of a command stands for, if it is an alias. */
  readonly aliasOf?: (name: string) => string | undefined
  /** The line number of the first line of the text. */
  readonly line?: number
}

/** The text of an alias, which ends at `end`. The alias is not expanded again in it. */
interface Expansion {
  readonly name: string
  readonly end: number
  /** It ends in a blank: the next word can be an alias too. */
  readonly isOpen: boolean
}

const reservedPattern =
  /(?:if|then|elif|else|fi|while|until|do|done|for|select|case|esac|in|function|time|coproc|\{|\}|!|\[\[)(?=[\s;&|<>()]|$)/y

export abstract class PartsParser implements WordContext {
  readonly source: Source
  isExtendedGlob = false
  protected readonly options: ParserOptions
  readonly #pending: PendingHereDocument[] = []
  protected expansions: Expansion[] = []

  constructor(text: string, options: ParserOptions = {}) {
    this.source = new Source(text, options.line)
    this.options = options
    this.isExtendedGlob = options.isExtendedGlob?.() ?? false
  }

  protected skipBlanks(): void {
    this.source.takeMatch(/(?:[ \t]|\\\n)*(?:#[^\n]*)?/y)
  }

  protected takeNewline(): boolean {
    if (!this.source.take('\n')) return false
    this.readHereDocuments()
    return true
  }

  protected skipNewlines(): void {
    do this.skipBlanks()
    while (this.takeNewline())
  }

  protected readHereDocuments(): void {
    for (const pending of this.#pending.splice(0)) readBody(this, pending)
  }

  /** `needsWord`: a word must come next, on the same line. */
  protected unexpected(needsWord = false): SyntaxProblem {
    this.skipBlanks()
    const { source } = this
    const line = source.lineAt()
    if (source.isAtEnd && !needsWord) return new SyntaxProblem('syntax error: unexpected end of file', source.endLine, true)
    const token = source.takeMatch(/\n|;;&|;;|;&|&&|\|\||&>>|<<<|<<-|[<>]{2}|[;&|()<>]|[^\s;&|()<>]+/y)?.[0] ?? '\n'
    const shown = token === '\n' ? 'newline' : token
    return new SyntaxProblem(`syntax error near unexpected token \`${shown}'`, line, source.isAtEnd && shown === 'newline', true)
  }

  // -- commands

  /** Puts the text of an alias in the place of its name, if one comes next. */
  protected takeAlias(): void {
    const { aliasOf } = this.options
    const { source } = this
    while (aliasOf !== undefined) {
      this.skipBlanks()
      const at = source.position
      const name = source.takeMatch(/[^\s;&|<>()$'"`\\/=]+(?=[\s;&|<>()]|$)/y)?.[0]
      source.position = at
      const text = name === undefined ? undefined : aliasOf(name)
      this.expansions = this.expansions.filter(({ end }) => end > at)
      if (name === undefined || text === undefined || this.expansions.some(expansion => expansion.name === name)) return
      source.replaceNext(name.length, text)
      const end = at + text.length
      const outer = this.expansions.map(expansion => ({ ...expansion, end: expansion.end + text.length - name.length }))
      this.expansions = [...outer, { name, end, isOpen: /[ \t]$/.test(text) }]
    }
  }

  protected withRedirections(command: CompoundCommand): CompoundCommand {
    const redirections: Redirection[] = []
    for (;;) {
      this.skipBlanks()
      const redirection = this.readRedirection()
      if (redirection === undefined) break
      redirections.push(redirection)
    }
    return redirections.length === 0 ? command : { ...command, redirections }
  }

  protected readAssignment(): Assignment | undefined {
    const { source } = this
    const start = source.position
    const head = source.takeMatch(/([A-Za-z_]\w*)(?:(\+?=)|(?=\[))/y)
    if (head === undefined) return undefined
    const name = head[1] ?? ''
    let operator = head[2]
    let subscript: Word | undefined
    if (operator === undefined) {
      source.position += 1
      subscript = readIndex(this)
      operator = subscript === undefined ? undefined : source.takeMatch(/\+?=/y)?.[0]
      if (operator === undefined) {
        source.position = start
        return undefined
      }
    }
    const isAppend = operator === '+='
    if (source.peek() === '(' && subscript === undefined) {
      source.position += 1
      return { name, subscript, isAppend, value: undefined, elements: this.#readArray() }
    }
    return { name, subscript, isAppend, value: readWord(this) ?? wordOf([], ''), elements: undefined }
  }

  #readArray(): ArrayElement[] {
    try {
      return this.#readElements()
    } catch (error) {
      throw error instanceof SyntaxProblem && error.effect !== 'not found' ? error.withEffect('failure') : error
    }
  }

  #readElements(): ArrayElement[] {
    const { source } = this
    const elements: ArrayElement[] = []
    const first = source.position
    for (;;) {
      this.skipNewlines()
      if (source.take(')')) return elements
      if (source.isAtEnd) throw source.unexpectedEnd(')', first)
      const start = source.position
      let subscript: Word | undefined
      let isAppend = false
      if (source.take('[')) {
        subscript = readIndex(this)
        const operator = subscript === undefined ? undefined : source.takeMatch(/\+?=/y)?.[0]
        if (operator === undefined) {
          source.position = start
          subscript = undefined
        } else isAppend = operator === '+='
      }
      const value = subscript === undefined ? readElement(this) : (readWord(this) ?? wordOf([], ''))
      if (value === undefined) throw this.unexpected()
      elements.push({ subscript, isAppend, value })
    }
  }

  protected readRedirection(): Redirection | undefined {
    const { source } = this
    const match = source.takeMatch(
      /(\d+|\{[A-Za-z_]\w*(?:\[\w+\])?\})?(?:(&>>|&>)(?!\()|(<<<|<<-|<<|<>|<&|>>|>&|>\||<(?!\()|>(?!\()))/y,
    )
    if (match === undefined) return undefined
    const [, left, both, single] = match
    const operator = both ?? single ?? ''
    if (left !== undefined && both !== undefined) {
      // `2&>f` is the word `2` and a redirection of both outputs.
      source.position -= match[0].length
      return undefined
    }
    this.skipBlanks()
    const word = readWord(this)
    if (word === undefined) throw this.unexpected(true)
    const fd = left === undefined || left.startsWith('{') ? undefined : Number(left)
    const fdVariable = left?.startsWith('{') === true ? left.slice(1, -1) : undefined
    if (operator !== '<<' && operator !== '<<-')
      return { operator: operator as RedirectionOperator, fd, fdVariable, target: word }
    const pending: PendingHereDocument = {
      delimiter: word.parts
        .map(part => (part.type === 'double' ? (word.literal ?? '') : 'text' in part ? part.text : ''))
        .join(''),
      isQuoted: /['"\\]/.test(word.source),
      stripsTabs: operator === '<<-',
      body: undefined,
    }
    if (word.literal !== undefined) pending.delimiter = word.literal
    // Nothing in it is expanded.
    else if (!pending.isQuoted) pending.delimiter = word.source
    this.#pending.push(pending)
    return {
      operator: '<<',
      fd,
      fdVariable,
      hereDocument: { delimiter: word.source, stripsTabs: operator === '<<-' },
      get target() {
        return pending.body ?? wordOf([], '')
      },
    }
  }

  protected peekReserved(): string | undefined {
    reservedPattern.lastIndex = this.source.position
    return reservedPattern.exec(this.source.text)?.[0]
  }

  protected takeReserved(word: string): boolean {
    this.skipBlanks()
    if (this.peekReserved() !== word) return false
    this.source.position += word.length
    return true
  }

  protected expectReserved(word: string): void {
    this.skipNewlines()
    if (!this.takeReserved(word)) throw this.unexpected()
  }

  abstract readSubstitution(): Script
  abstract readScriptOf(text: string, line: number): Script
  abstract readParameter(isInQuotes: boolean): WordPart
  abstract forText(text: string, line: number): WordContext
}
