// The parser for sed scripts, with the GNU extensions.

import { characterEscape } from '../../regex/parse-posix.ts'
import { parseReplacement } from './replacement.ts'
import { type Action, type Command, type Script, ScriptError, type Selection, type SimpleLetter } from './script.ts'
import { blanks, type ParseOptions, ScriptReader, type ScriptSource } from './parse-address.ts'
import { largest } from '../../../../core/many.ts'

/** Throws `ScriptError`. */
export function parseScript(sources: readonly ScriptSource[], options: ParseOptions): Script {
  const parser = new Parser(sources, options)
  try {
    return parser.parse()
  } catch (error) {
    if (error instanceof ScriptError) error.files = parser.outputFiles
    throw error
  }
}

const simpleLetters: ReadonlySet<string> = new Set('dDgGhHnNpPxz=F')

class Parser extends ScriptReader {
  /** The files of `w` that were parsed so far. */
  readonly outputFiles: string[] = []
  private readonly commands: Command[] = []
  private readonly openBlocks: Extract<Action, { kind: 'block' }>[] = []
  private readonly labels = new Map<string, number>()

  parse(): Script {
    // GNU sed 4.9 does not look at what follows: `#normalize` is `#n` too.
    const isQuiet = !this.isFirstFromPipe && this.text.startsWith('#n')
    for (;;) {
      this.skip(/[\s;]/)
      if (this.at >= this.text.length) break
      if (this.peek() === '#') this.skip(/[^\n]/)
      else this.command()
    }
    if (this.openBlocks.length > 0) throw this.problem("unmatched `{'", 0)
    const joins = this.commands.some(({ action }) => action.kind === 'simple' && /[NGHx]/.test(action.letter))
    if (this.hasNullLines && joins) throw this.problem('the flag M is not available here with -z and a command that joins lines')
    for (const { action } of this.commands) {
      if (action.kind !== 'branch') continue
      const target = action.label === '' ? this.commands.length : this.labels.get(action.label)
      if (target === undefined) throw new ScriptError(`sed: can't find label for jump to \`${action.label}'`)
      action.target = target
    }
    return { commands: this.commands, isQuiet }
  }

  private command(): void {
    const selection = this.selection()
    this.skip(blanks)
    let isNegated = false
    while (this.peek() === '!') {
      if (isNegated) {
        this.at += 1
        throw this.problem("multiple `!'s")
      }
      isNegated = true
      this.at += 1
      this.skip(blanks)
    }
    const letter = this.peek()
    if (letter === '' || letter === '\n') throw this.problem('missing command')
    this.at += 1
    if (letter === ':' && selection !== undefined) throw this.problem(": doesn't want any addresses")
    if (letter === ':') {
      this.skip(blanks)
      const label = this.takeWhile(/[^\s;]/)
      if (label === '') throw this.problem('":" lacks a label')
      this.labels.set(label, this.commands.length)
      return
    }
    if (letter === '#') throw this.problem("comments don't accept any addresses")
    if (this.options.isPosix && /[zFeQRTWv]/.test(letter)) throw this.problem(`unknown command: \`${letter}'`)
    if (letter === 'v') {
      this.takeWhile(/[^\n;]/)
      return
    }
    const action = this.action(letter, selection)
    this.commands.push({ selection, isNegated, action })
    if (action.kind === 'block') this.openBlocks.push(action)
  }

  private action(letter: string, selection: Selection | undefined): Action {
    if (simpleLetters.has(letter)) return this.ended({ kind: 'simple', letter: letter as SimpleLetter })
    switch (letter) {
      case '{':
        return { kind: 'block', end: 0 }
      case '}': {
        const block = this.openBlocks.pop()
        if (block === undefined) throw this.problem("unexpected `}'")
        if (selection !== undefined) throw this.problem("} doesn't want any addresses")
        block.end = this.commands.length
        return this.ended({ kind: 'block-end' })
      }
      case 's':
        return this.substitute()
      case 'y':
        return this.ended(this.translate())
      case 'a':
      case 'i':
      case 'c':
        return { kind: 'text', where: letter, text: this.textArgument() }
      case 'r':
      case 'R':
      case 'w':
      case 'W': {
        const file = this.fileName()
        if (this.options.isSandboxed) throw this.problem('e/r/w commands disabled in sandbox mode')
        if (letter === 'w' || letter === 'W') this.outputFiles.push(file)
        return {
          kind: letter === 'r' ? 'read-file' : letter === 'R' ? 'read-line' : letter === 'w' ? 'write' : 'write-line',
          file,
        }
      }
      case 'b':
      case 't':
      case 'T': {
        this.skip(blanks)
        const label = this.takeWhile(/[^\s;}]/)
        return this.ended({ kind: 'branch', when: letter, label, target: 0 })
      }
      case 'q':
      case 'Q':
        if (selection?.end !== undefined) throw this.problem('command only uses one address')
        return this.ended({ kind: 'quit', isSilent: letter === 'Q', code: this.extension() ?? 0 })
      case 'l':
        return this.ended({ kind: 'list', width: this.extension() })
      case 'e':
        throw this.problem('the command e, which runs programs, is not available here; use a pipe, or while read')
      default:
        throw this.problem(`unknown command: \`${letter}'`)
    }
  }

  /** The number behind a command, which is GNU's. */
  private extension(): number | undefined {
    return this.options.isPosix ? undefined : this.number()
  }

  /** Reads the end of a command: blanks and a separator. */
  private ended<T>(value: T): T {
    this.skip(blanks)
    const next = this.peek()
    if (next === ';' || next === '\n') this.at += 1
    else if (next !== '' && next !== '}' && next !== '#') {
      this.at += 1
      throw this.problem('extra characters after command')
    }
    return value
  }

  private substitute(): Action {
    const delimiter = this.delimiter('s')
    const source = this.part(delimiter, true)
    const written = source === undefined ? undefined : this.part(delimiter, false)
    if (source === undefined || written === undefined) throw this.problem("unterminated `s' command")
    let [isGlobal, ignoresCase, isMultiline] = [false, false, false]
    let prints = 0
    let from: number | undefined
    let file: string | undefined
    for (; ; this.at++) {
      const flag = this.options.isPosix && /[iImMe]/.test(this.peek()) ? '' : this.peek()
      if (flag === 'g') {
        if (isGlobal) throw this.problem("multiple `g' options to `s' command", this.at + 1)
        isGlobal = true
      } else if (flag === 'p') prints += 1
      else if (flag === 'i' || flag === 'I') ignoresCase = true
      else if (flag === 'm' || flag === 'M') isMultiline = true
      else if (flag === 'e') throw this.problem('the flag e, which runs programs, is not available here')
      else if (/\d/.test(flag)) {
        if (from !== undefined) throw this.problem("multiple number options to `s' command")
        from = Number(this.takeWhile(/\d/))
        this.at -= 1
        if (from === 0) throw this.problem("number option to `s' command may not be zero")
      } else if (flag === 'w') {
        this.at += 1
        file = this.fileName()
        if (this.options.isSandboxed) throw this.problem('e/r/w commands disabled in sandbox mode')
        this.outputFiles.push(file)
        break
      } else break
    }
    if (file === undefined) {
      this.skip(blanks)
      const next = this.peek()
      if (next !== '' && !/[;\n}#]/.test(next)) {
        this.at += 1
        throw this.problem("unknown option to `s'")
      }
      if (next === ';' || next === '\n') this.at += 1
    }
    const replacement = parseReplacement(written, this.options.isPosix)
    const regex = this.regex(source, ignoresCase, isMultiline)
    const highest = largest(replacement.map(piece => (typeof piece === 'object' && 'group' in piece ? piece.group : 0)))
    if (regex !== undefined && highest > regex.groupCount)
      throw this.problem(`invalid reference \\${highest} on \`s' command's RHS`)
    return { kind: 'substitute', substitution: { regex, replacement, from: from ?? 1, isGlobal, prints, file } }
  }

  private delimiter(command: string): string {
    const delimiter = this.peek()
    if (delimiter === '' || delimiter === '\n' || delimiter === '\\') throw this.problem(`unterminated \`${command}' command`)
    this.at += 1
    return delimiter
  }

  private translate(): Action {
    const delimiter = this.delimiter('y')
    const from = this.part(delimiter, false)
    const to = from === undefined ? undefined : this.part(delimiter, false)
    if (from === undefined || to === undefined) throw this.problem("unterminated `y' command")
    const [sources, targets] = [this.characters(from), this.characters(to)]
    if (sources.length !== targets.length) throw this.problem("strings for `y' command are different lengths")
    const characters = new Map<string, string>()
    for (const [index, character] of sources.entries()) {
      if (!characters.has(character)) characters.set(character, targets[index] ?? '')
    }
    return { kind: 'translate', characters }
  }

  private characters(part: string): string[] {
    const characters: string[] = []
    for (let at = 0; at < part.length;) {
      if (part.charAt(at) !== '\\') {
        const character = String.fromCodePoint(part.codePointAt(at) ?? 0)
        characters.push(character)
        at += character.length
        continue
      }
      const escape = characterEscape(part, at, 'sed')
      const next = part.charAt(at + 1)
      if (escape !== undefined) {
        characters.push(String.fromCodePoint(escape.codePoint))
        at = escape.end
      } else {
        if (next === '\\' || next === '\n') characters.push(next)
        else characters.push('\\', next)
        at += 2
      }
    }
    return characters
  }

  /** Reads a file name, which extends to the end of the line. */
  private fileName(): string {
    this.skip(blanks)
    const name = this.takeWhile(/[^\n]/)
    if (name === '') throw this.problem('missing filename in r/R/w/W commands')
    return name
  }

  /** Reads the text of a, i or c: after `\` and a newline, or on the same line as the command. The result ends with a newline. */
  private textArgument(): string {
    this.skip(blanks)
    if (this.at >= this.text.length) throw this.problem("expected \\ after `a', `c' or `i'")
    if (this.peek() === '\\') {
      const isAlone = /^\\[ \t]*(?:\n|$)/.exec(this.text.slice(this.at))
      if (isAlone !== null) {
        this.at += isAlone[0].length
        // `$a\` adds no line; it only completes the last one.
        if (this.at >= this.text.length && !isAlone[0].endsWith('\n')) {
          if (this.options.isPosix) throw this.problem('incomplete command')
          return ''
        }
        return this.textToLineEnd(true)
      }
      this.at += 1
      // In one-line form, a backslash preserves leading blanks, and takes the meaning of an escape: `i\text` is a line `text`.
      return this.textToLineEnd(this.peek() === '\\')
    }
    if (this.options.isPosix) {
      this.at += 1
      throw this.problem("expected \\ after `a', `c' or `i'")
    }
    return this.textToLineEnd(false)
  }

  /** `startsFresh`: also the first character may be an escape such as `\t`. */
  private textToLineEnd(startsFresh: boolean): string {
    let text = ''
    for (; this.at < this.text.length && this.peek() !== '\n';) {
      if (this.peek() !== '\\') {
        text += this.peek()
        this.at += 1
        continue
      }
      const escape =
        /^\\[cdox]/.test(this.text.slice(this.at, this.at + 2)) || text !== '' || startsFresh
          ? characterEscape(this.text, this.at, 'sed')
          : undefined
      if (escape !== undefined) {
        text += String.fromCodePoint(escape.codePoint)
        this.at = escape.end
        continue
      }
      text += this.text.charAt(this.at + 1)
      this.at += 2
    }
    this.at += 1
    return `${text}\n`
  }
}
