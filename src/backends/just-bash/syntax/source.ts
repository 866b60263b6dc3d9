// The source text of a script with the current position, and the error for scripts that bash would reject.

/**
 * The exit code of a script that ends with the problem: 2, or 1 in the elements of an array. A problem in `[[ … ]]` keeps the exit code of
 * the command before, and so does what is not closed, if that command failed. A substitution that is closed gives 127, and 2 in a file.
 */
export type SyntaxEffect = 'usage' | 'failure' | 'kept' | 'kept failure' | 'not found'

/** The message has a line for each complaint, and is empty if bash says nothing. */
export class SyntaxProblem extends Error {
  override readonly name = 'SyntaxProblem'
  readonly line: number
  /** The text ended before the command did, so more lines could complete it. */
  readonly isIncomplete: boolean
  /** Whether bash shows the line too. */
  readonly showsLine: boolean
  readonly effect: SyntaxEffect

  constructor(message: string, line: number, isIncomplete = false, showsLine = false, effect: SyntaxEffect = 'usage') {
    super(message)
    this.line = line
    this.isIncomplete = isIncomplete
    this.showsLine = showsLine
    this.effect = effect
  }

  /** The same problem with another effect. */
  withEffect(effect: SyntaxEffect): SyntaxProblem {
    return new SyntaxProblem(this.message, this.line, this.isIncomplete, this.showsLine, effect)
  }
}

/** The error as it counts in `$(…)`. */
export function inSubstitution(error: unknown): unknown {
  const isClosed = error instanceof SyntaxProblem && !error.isIncomplete && error.effect !== 'failure'
  return isClosed ? error.withEffect('not found') : error
}

export class Source {
  position = 0
  /** Messages that do not keep the script from running. */
  readonly warnings: string[] = []
  #text: string
  readonly #firstLine: number
  #newlines: number[] = []

  constructor(text: string, firstLine = 1) {
    this.#text = text
    this.#firstLine = firstLine
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#newlines.push(at)
  }

  get text(): string {
    return this.#text
  }

  /** Puts `text` in place of the `length` characters that come next. Its newlines do not count as lines. */
  replaceNext(length: number, text: string): void {
    const end = this.position + length
    this.#text = this.#text.slice(0, this.position) + text + this.#text.slice(end)
    this.#newlines = this.#newlines.map(at => (at < end ? at : at + text.length - length))
  }

  get isAtEnd(): boolean {
    return this.position >= this.text.length
  }

  /** The character `offset` after the current one; empty at the end of the text. */
  peek(offset = 0): string {
    return this.text.charAt(this.position + offset)
  }

  startsWith(text: string): boolean {
    return this.text.startsWith(text, this.position)
  }

  /** Skips `text` if it comes next; returns whether it did. */
  take(text: string): boolean {
    if (!this.startsWith(text)) return false
    this.position += text.length
    return true
  }

  /** Skips and returns the match of the sticky `pattern` at the current position. */
  takeMatch(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.position
    const match = pattern.exec(this.text)
    if (match === null) return undefined
    this.position += match[0].length
    return match
  }

  lineAt(position: number = this.position): number {
    let [low, high] = [0, this.#newlines.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#newlines[middle] ?? 0) < position) low = middle + 1
      else high = middle
    }
    return this.#firstLine + low
  }

  textOfLine(line: number): string {
    const index = line - this.#firstLine
    return this.#text.slice(index === 0 ? 0 : (this.#newlines[index - 1] ?? 0) + 1, this.#newlines[index])
  }

  /** The number of the line that would follow the text. */
  get endLine(): number {
    return this.lineAt(this.text.length) + (this.text.endsWith('\n') ? 0 : 1)
  }

  /** `start`: where that begins which is not closed. A substitution is missed only at the end. */
  unexpectedEnd(wanted: string, start?: number): SyntaxProblem {
    const line = start === undefined ? this.endLine : this.lineAt(start)
    const effect = wanted === ')' ? 'usage' : 'kept failure'
    return new SyntaxProblem(`unexpected EOF while looking for matching \`${wanted}'`, line, true, false, effect)
  }
}
