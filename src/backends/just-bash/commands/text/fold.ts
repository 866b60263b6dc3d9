// fold as a stream: each line is written as soon as it is full, so that endless input without newlines can be folded.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { latin1Bytes, latin1Text } from '../../encoding.ts'
import { eachStream } from '../filter/each-input.ts'
import { has, parseArguments, valueOf, wholeNumberOf, optionTable } from '../options.ts'
import { complain } from '../program.ts'

/** `fold [-bs] [-w WIDTH] [FILE]...`. As in GNU fold, columns are bytes, so a multibyte character may be split. */
export async function fold(context: ShellCommandContext): Promise<number> {
  const args = context.args.map(arg => arg.replace(/^-(\d+)$/, '-w$1'))
  const parsed = parseArguments(args, optionTable('-w --width: width=, -s --spaces: s, -b --bytes: b'))
  if (typeof parsed === 'string') return complain(context, 'fold', parsed)
  const width = wholeNumberOf(valueOf(parsed, 'width') ?? '80', 1)
  if (width === undefined) return complain(context, 'fold', `invalid number of columns: '${valueOf(parsed, 'width') ?? ''}'`)
  const folder = new Folder(width, has(parsed, 's'), has(parsed, 'b'))
  return eachStream(context, 'fold', parsed.operands, async input => {
    for (let piece = await input.read(); piece !== undefined; piece = await input.read())
      await context.stdout.write(latin1Bytes(folder.take(latin1Text(piece))))
    await context.stdout.write(latin1Bytes(folder.end()))
  })
}

class Folder {
  readonly #width: number
  readonly #atSpaces: boolean
  readonly #countsBytes: boolean
  /** The part of the line that is not written yet. */
  #line = ''
  #column = 0

  constructor(width: number, atSpaces: boolean, countsBytes: boolean) {
    this.#width = width
    this.#atSpaces = atSpaces
    this.#countsBytes = countsBytes
  }

  /** Returns the lines that can be written now. */
  take(text: string): string {
    let output = ''
    for (const character of text) {
      if (character === '\n') {
        output += `${this.#line}\n`
        this.#line = ''
        this.#column = 0
        continue
      }
      let column = this.#after(this.#column, character)
      while (column > this.#width && this.#line !== '') {
        const space = this.#atSpaces ? Math.max(this.#line.lastIndexOf(' '), this.#line.lastIndexOf('\t')) : -1
        const cut = space >= 0 ? space + 1 : this.#line.length
        output += `${this.#line.slice(0, cut)}\n`
        this.#line = this.#line.slice(cut)
        column = this.#after(
          Array.from(this.#line).reduce((at, one) => this.#after(at, one), 0),
          character,
        )
      }
      this.#line += character
      this.#column = column
    }
    return output
  }

  /** Returns the rest of a line without a newline. */
  end(): string {
    const rest = this.#line
    this.#line = ''
    this.#column = 0
    return rest
  }

  #after(column: number, character: string): number {
    if (this.#countsBytes) return column + 1
    if (character === '\t') return column + 8 - (column % 8)
    if (character === '\b') return Math.max(0, column - 1)
    return character === '\r' ? 0 : column + 1
  }
}
