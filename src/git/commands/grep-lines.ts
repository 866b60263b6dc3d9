// The lines that `git grep` prints: with numbers, in color, with lines around them, or only what matches in them.

import { encodeText } from '../../shell/byte-text.ts'
import type { Options } from '../options.ts'
import type { GrepExpression } from './grep-expression.ts'
import type { Match } from './grep-matcher.ts'

export type GrepSlot = 'filename' | 'linenumber' | 'column' | 'separator' | 'match' | 'selected' | 'context'
export type GrepPaint = (slot: GrepSlot, text: string) => string

export class GrepLines {
  readonly #options: Options
  readonly #expression: GrepExpression
  readonly #paint: GrepPaint
  readonly #isColored: boolean
  readonly #isInverted: boolean
  readonly #isOnlyMatching: boolean
  readonly #before: number
  readonly #after: number
  /** What a selected line without a match shows, with `--column`. */
  readonly #firstColumn: number | undefined
  /** The last line of this file with output, counted from 1. */
  #last = 0
  #isLaterFile = false

  constructor(options: Options, expression: GrepExpression, paint: GrepPaint | undefined) {
    this.#options = options
    this.#expression = expression
    this.#paint = paint ?? ((_slot, text) => text)
    this.#isColored = paint !== undefined
    this.#isInverted = options.has('invert-match')
    this.#isOnlyMatching = options.has('only-matching') && !this.#isInverted
    this.#firstColumn = options.has('column') ? 1 : undefined
    const context = options.value('context') ?? 0
    this.#before = Number(options.value('before-context') ?? context)
    this.#after = Number(options.value('after-context') ?? context)
  }

  /** All that is printed for a file. `hits` are places in `lines`. */
  textOf(fileName: string, lines: readonly string[], hits: readonly number[]): string {
    if (this.#last > 0) this.#isLaterFile = true
    this.#last = 0
    let text = ''
    for (const [at, hit] of hits.entries()) {
      for (let index = Math.max(this.#last, hit - this.#before); index < hit; index++)
        text += this.#lineText(fileName, lines[index] ?? '', index + 1, 'context', undefined)
      const line = lines[hit] ?? ''
      text += this.#lineText(fileName, line, hit + 1, 'selected', this.#columnOf(line, this.#isInverted) ?? this.#firstColumn)
      const end = Math.min(hit + this.#after + 1, lines.length, hits[at + 1] ?? lines.length)
      for (let index = hit + 1; index < end; index++)
        text += this.#lineText(fileName, lines[index] ?? '', index + 1, 'context', this.#columnOf(lines[index] ?? '', false))
    }
    return text
  }

  #columnOf(line: string, ofNegated: boolean): number | undefined {
    if (this.#firstColumn === undefined) return undefined
    const place = this.#expression.place(line, ofNegated)
    return place === undefined ? undefined : sizeOf(line.slice(0, place)) + 1
  }

  /** With `-o`, a line for each match, or nothing. */
  #lineText(fileName: string, line: string, number: number, slot: 'selected' | 'context', column: number | undefined): string {
    const mark = this.#mark(number)
    const sign = slot === 'selected' ? ':' : '-'
    if (!this.#isOnlyMatching) return `${mark}${this.#head(fileName, number, column, sign)}${this.#painted(line, slot)}\n`
    let text = mark
    let at = 0
    for (const [start, end] of this.#matches(line)) {
      const shift = column === undefined ? undefined : column + sizeOf(line.slice(0, at))
      text += `${this.#head(fileName, number, shift, sign)}${this.#paint('match', line.slice(start, end))}\n`
      at = end
    }
    return text
  }

  /** What stands between files, and between lines that do not follow each other. */
  #mark(number: number): string {
    const isFirst = this.#last === 0
    if (isFirst ? !this.#isLaterFile : number <= this.#last + 1) return ''
    if (isFirst && this.#options.has('break')) return '\n'
    return this.#before > 0 || this.#after > 0 ? `${this.#paint('separator', '--')}\n` : ''
  }

  #head(fileName: string, number: number, column: number | undefined, sign: string): string {
    const title = this.#options.has('heading') && this.#last === 0 ? `${fileName}\n` : ''
    this.#last = number
    const end = this.#options.has('null') ? '\0' : this.#paint('separator', sign)
    const isNamed = this.#options.value('names') !== 'no' && !this.#options.has('heading')
    const parts = [
      ...(isNamed ? [fileName] : []),
      ...(this.#options.has('line-number') ? [this.#paint('linenumber', String(number))] : []),
      ...(column === undefined ? [] : [this.#paint('column', String(column))]),
    ]
    return title + parts.map(part => `${part}${end}`).join('')
  }

  #painted(line: string, slot: GrepSlot): string {
    if (!this.#isColored) return line
    let text = ''
    let at = 0
    for (const [start, end] of this.#matches(line)) {
      text += this.#paint(slot, line.slice(at, start)) + this.#paint('match', line.slice(start, end))
      at = end
    }
    return text + this.#paint(slot, line.slice(at))
  }

  /** Those with text, from left to right. */
  *#matches(line: string): Generator<Match> {
    for (let from = 0; ;) {
      const match = this.#expression.next(line, from)
      if (match === undefined || match[0] === match[1]) return
      yield match
      from = match[1]
    }
  }
}

function sizeOf(text: string): number {
  return encodeText(text).length
}
