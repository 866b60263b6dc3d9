// diff -y: prints both files in columns.

import { bytesOfArgument, shownText } from '../inputs.ts'
import { letOthersRun } from '../stop.ts'
import type { Change } from './diff-formats.ts'

export interface ColumnOptions {
  /** The total width of both columns. */
  readonly width: number
  readonly hidesCommon: boolean
  readonly showsLeftOnly: boolean
  readonly expandsTabs: boolean
}

const tabSize = 8
/** Others run after so many lines. */
const pauseLines = 512
const leastGutter = 3

/** `left` and `right` are lines as byte strings, with their newlines. */
export async function sideBySide(
  changes: readonly Change[],
  left: readonly string[],
  right: readonly string[],
  options: ColumnOptions,
  signal: AbortSignal,
): Promise<string> {
  const writer = new ColumnWriter(options)
  let [old, fresh] = [0, 0]
  const common = async (to: number): Promise<void> => {
    for (; old < to; old++, fresh++) {
      if (old % pauseLines === 0) await letOthersRun(signal)
      if (options.hidesCommon) continue
      if (options.showsLeftOnly) writer.line(left[old], '(', undefined)
      else writer.line(left[old], ' ', right[fresh])
    }
  }
  for (const { oldIndex, newIndex, removed, added } of changes) {
    await common(oldIndex)
    for (let index = 0; index < Math.max(removed.length, added.length); index++) {
      if (index % pauseLines === 0) await letOthersRun(signal)
      const [one, other] = [removed[index], added[index]]
      writer.line(one, one === undefined ? '>' : other === undefined ? '<' : '|', other)
    }
    old = oldIndex + removed.length
    fresh = newIndex + added.length
  }
  await common(left.length)
  return writer.text
}

class ColumnWriter {
  text = ''
  private readonly tab: number
  private readonly halfWidth: number
  private readonly secondColumn: number

  constructor({ width, expandsTabs }: ColumnOptions) {
    this.tab = expandsTabs ? 1 : tabSize
    const offset = Math.floor((width + this.tab + leastGutter) / (2 * this.tab)) * this.tab
    this.halfWidth = Math.max(0, Math.min(offset - leastGutter, width - offset))
    this.secondColumn = this.halfWidth > 0 ? offset : width
  }

  line(left: string | undefined, mark: string, right: string | undefined): void {
    let column = 0
    const endsLeft = left?.endsWith('\n') === true
    const endsRight = right?.endsWith('\n') === true
    if (left !== undefined) column = this.half(left, 0)
    if (mark !== ' ') {
      column = this.to(column, Math.floor((this.halfWidth + this.secondColumn - 1) / 2)) + 1
      this.text += mark === '|' && endsLeft !== endsRight ? (endsLeft ? '/' : '\\') : mark
    }
    if (right !== undefined && right !== '\n') {
      column = this.to(column, this.secondColumn)
      this.half(right, column)
    }
    if (endsLeft || endsRight) this.text += '\n'
  }

  /** Writes tabs and blanks from column `from` to column `to`. */
  private to(from: number, to: number): number {
    let at = from
    if (this.tab > 1) {
      for (let next = at + tabSize - (at % tabSize); next <= to; next += tabSize) {
        this.text += '\t'
        at = next
      }
    }
    this.text += ' '.repeat(Math.max(0, to - at))
    return to
  }

  /** Writes as much of a line as fits into its column; returns the column where it ends. */
  private half(line: string, indent: number): number {
    const plain = /^[ -~]*/.exec(line)?.[0] ?? ''
    if (plain.length === line.length - (line.endsWith('\n') ? 1 : 0)) {
      this.text += plain.slice(0, this.halfWidth)
      return Math.min(plain.length, this.halfWidth)
    }
    let [read, written] = [0, 0]
    for (const character of shownText(line)) {
      if (character === '\n') break
      if (character === '\t') {
        const blanks = tabSize - (read % tabSize)
        if (read === written) {
          const stop = written + blanks
          if (this.tab === 1) {
            const end = Math.min(stop, this.halfWidth)
            this.text += ' '.repeat(Math.max(0, end - written))
            written = Math.max(written, end)
          } else if (stop < this.halfWidth) {
            written = stop
            this.text += '\t'
          }
        }
        read += blanks
      } else if (character === '\r') {
        this.text += '\r'
        this.to(0, indent)
        read = 0
        written = 0
      } else if (character < ' ' || character === '\x7f') {
        if (read < this.halfWidth) this.text += character
      } else {
        read += 1
        if (read <= this.halfWidth) {
          written = read
          this.text += bytesOfArgument(character)
        }
      }
    }
    return written
  }
}
