// Reads a sed script character by character, and the addresses in it.

import { type Address, type RangeEnd, ScriptError, type Selection } from './script.ts'
import { posixRegex, type Regex } from '../../regex/regex.ts'
import { PatternError } from '../../regex/syntax.ts'

/** The text of one -e, or the content of one -f file. */
export interface ScriptSource {
  readonly text: string
  /** The name used in error messages, such as `-e expression #1`. */
  readonly name: string
  readonly isFile: boolean
  /** In a pipe, GNU sed does not see where a line begins, so a first line `#n` is a comment. */
  readonly isPipe?: boolean
}

export interface ParseOptions {
  readonly isExtended: boolean
  /** `--posix`: without the extensions of GNU. */
  readonly isPosix: boolean
  /** `--sandbox`: rejects commands that read or write files. */
  readonly isSandboxed: boolean
  /** Lines end with a null byte. */
  readonly isZero: boolean
}

export const blanks: RegExp = /[ \t\r\f\v]/

export class ScriptReader {
  protected readonly text: string
  private readonly sources: readonly ScriptSource[]
  protected readonly options: ParseOptions
  protected at = 0
  /** Whether a pattern has the flag M although lines end with a null byte. */
  protected hasNullLines = false

  constructor(sources: readonly ScriptSource[], options: ParseOptions) {
    this.sources = sources
    this.options = options
    this.text = sources.map(({ text }) => text).join('\n')
  }

  protected get isFirstFromPipe(): boolean {
    return this.sources[0]?.isPipe === true
  }

  protected peek(): string {
    return this.text.charAt(this.at)
  }

  protected skip(characters: RegExp): void {
    while (this.at < this.text.length && characters.test(this.peek())) this.at += 1
  }

  /** `character` is an offset within its source; the default is the last character read. */
  protected problem(message: string, character?: number): ScriptError {
    let start = 0
    for (const source of this.sources) {
      const end = start + source.text.length
      if (this.at <= end || source === this.sources.at(-1)) {
        const place = source.isFile
          ? `line ${this.text.slice(start, this.at).split('\n').length}`
          : `char ${character ?? Math.min(this.at, end) - start}`
        return new ScriptError(`sed: ${source.name}${source.isFile ? ' ' : ', '}${place}: ${message}`)
      }
      start = end + 1
    }
    return new ScriptError(`sed: ${message}`)
  }

  protected takeWhile(characters: RegExp): string {
    const start = this.at
    this.skip(characters)
    return this.text.slice(start, this.at)
  }

  protected number(): number | undefined {
    this.skip(blanks)
    const digits = this.takeWhile(/\d/)
    return digits === '' ? undefined : Number(digits)
  }

  protected selection(): Selection | undefined {
    const start = this.address()
    if (start === undefined) return undefined
    this.skip(blanks)
    if (this.peek() !== ',') {
      if (start.kind === 'line' && start.line === 0) throw this.problem('invalid usage of line address 0')
      return { start, end: undefined }
    }
    this.at += 1
    this.skip(blanks)
    const end = this.rangeEnd()
    if (end === undefined) throw this.problem("unexpected `,'")
    if (start.kind === 'line' && start.line === 0 && (end.kind !== 'pattern' || this.options.isPosix))
      throw this.problem('invalid usage of line address 0')
    return { start, end }
  }

  private rangeEnd(): RangeEnd | undefined {
    const sign = this.peek()
    if ((sign !== '+' && sign !== '~') || this.options.isPosix) return this.address()
    this.at += 1
    const count = this.number()
    if (count === undefined) throw this.problem(`expected a number behind \`${sign}'`)
    return sign === '+' ? { kind: 'more', count } : { kind: 'multiple', of: count }
  }

  private address(): Address | undefined {
    const character = this.peek()
    if (character === '$') {
      this.at += 1
      return { kind: 'last' }
    }
    if (/\d/.test(character)) {
      const line = this.number() ?? 0
      this.skip(blanks)
      if (this.peek() !== '~' || this.options.isPosix) return { kind: 'line', line }
      this.at += 1
      return { kind: 'step', first: line, step: this.number() ?? 0 }
    }
    if (character !== '/' && character !== '\\') return undefined
    if (character === '\\') this.at += 1
    const delimiter = this.peek()
    this.at += 1
    const source = this.part(delimiter, true)
    if (source === undefined) throw this.problem('unterminated address regex')
    let [ignoresCase, isMultiline] = [false, false]
    for (;;) {
      const flag = this.options.isPosix ? '' : this.peek()
      if (flag === 'I') ignoresCase = true
      else if (flag === 'M') isMultiline = true
      else break
      this.at += 1
    }
    return { kind: 'pattern', regex: this.regex(source, ignoresCase, isMultiline) }
  }

  protected regex(source: string, ignoresCase: boolean, isMultiline: boolean): Regex | undefined {
    if (source === '') {
      if (ignoresCase || isMultiline) throw this.problem('cannot specify modifiers on empty regexp')
      return undefined
    }
    if (isMultiline && this.options.isZero) this.hasNullLines = true
    try {
      return posixRegex(source, {
        syntax: this.options.isExtended ? 'extended' : 'basic',
        escapes: 'sed',
        isStrict: true,
        isWithoutExtensions: this.options.isPosix,
        ignoresCase,
        // The flag M is about the ends of lines, of which a line has none inside unless N or G joins several.
        isMultiline: isMultiline && !this.options.isZero,
      })
    } catch (error) {
      if (error instanceof PatternError) throw this.problem(error.message)
      throw error
    }
  }

  /**
   * Reads up to the next `delimiter` and skips it. An escaped delimiter loses its backslash. In a pattern, a delimiter inside a
   * bracket expression does not count.
   */
  protected part(delimiter: string, isPattern: boolean): string | undefined {
    let part = ''
    for (; this.at < this.text.length; this.at++) {
      const character = this.peek()
      if (character === delimiter) {
        this.at += 1
        return part
      }
      if (character === '\n' && isPattern) return undefined
      if (character === '\\') {
        this.at += 1
        const next = this.peek()
        if (next === '') return undefined
        if (next === delimiter && !(next === '&' && !isPattern)) part += isPattern && delimiter === 'n' ? '\n' : next
        else if (next === '\n' && isPattern) part += next
        else part += `\\${next}`
      } else if (character === '[' && isPattern) {
        const end = this.endOfBracket()
        part += this.text.slice(this.at, end)
        this.at = end - 1
      } else part += character
    }
    return undefined
  }

  /** The offset after the bracket expression that begins here, or after its first character if it is not closed. */
  private endOfBracket(): number {
    const found = /^\[\^?\]?(?:\[:\w+:\]|\[=[^\n]=\]|\[\.[^\n]\.\]|[^\]\n])*\]/.exec(this.text.slice(this.at))
    return found === null ? this.at + 1 : this.at + found[0].length
  }
}
