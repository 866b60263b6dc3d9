// Searches the lines of one file and prints the result.

import { encodeText } from '../../../../shell/byte-text.ts'
import type { TextOutput } from '../filter/output.ts'
import type { LineMatcher } from './matcher.ts'
import type { OutputOptions } from './options.ts'

/** State shared by all files of one call. */
export interface Printed {
  /** A group of lines has been printed, so the next one needs a separator. */
  hasGroup: boolean
}

export interface SearchedFile {
  /** The file name to print before each line, if any. */
  readonly name: string | undefined
  /** The width of numbers for `-T`. */
  readonly numberWidth: number
  /** Only the number of selected lines matters. */
  readonly printsNothing: boolean
  /** The search ends after the first selected line. */
  readonly stopsAtFirst: boolean
}

interface Line {
  readonly text: string
  readonly number: number
  readonly offsetBytes: number
}

const noEnd = -1

/** The matches of a longer line are printed in steps. */
const longLine = 256 * 1024

export class LineSearch {
  selectedCount = 0
  /** The rest of the file need not be searched. */
  isDone = false
  /** The file contains binary data, so matching lines are not printed. */
  isBinary = false
  /** At least one matching line was not printed. */
  hidesMatch = false
  private lineNumber = 0
  private offsetBytes = 0
  /** The last lines behind the last printed one, as many as may be context before a match. */
  private before: Line[] = []
  /** The first lines behind the last printed one, as many as may be context behind a match. */
  private behind: Line[] = []
  private afterLeft = 0
  /** Matches of a long line that are still to be printed. */
  private unprinted: Generator<undefined, void> | undefined
  /** The number of the last printed line; a line that does not follow it begins a new group. */
  private lastPrinted = 0
  private readonly matcher: LineMatcher
  private readonly options: OutputOptions
  private readonly file: SearchedFile
  private readonly output: TextOutput
  private readonly printed: Printed

  constructor(matcher: LineMatcher, options: OutputOptions, file: SearchedFile, output: TextOutput, printed: Printed) {
    this.matcher = matcher
    this.options = options
    this.file = file
    this.output = output
    this.printed = printed
    this.isDone = options.maxCount === 0
  }

  /**
   * Searches `text`, which consists of whole lines; the last line of a file may lack its newline. Yields when the output should
   * be flushed and other tasks may run.
   */
  *search(text: string): Generator<void> {
    const { options } = this
    const { required } = this.matcher
    const canSkip = required !== undefined && !options.isInverted && options.before === 0
    const needsOffsets = options.hasByteOffsets
    let count = 0
    for (let at = 0; at < text.length && !this.isDone;) {
      if (canSkip && this.afterLeft === 0 && this.behind.length === options.after && required !== undefined) {
        const place = text.indexOf(required, at)
        const next = place < 0 ? text.length : text.lastIndexOf(options.end, place - 1) + 1
        if (place !== 0 && next > at) {
          this.pass(text, at, next)
          at = next
          if (place < 0) break
        }
      }
      const found = text.indexOf(options.end, at)
      const end = found === noEnd ? text.length : found
      this.lineNumber += 1
      const line: Line = { text: text.slice(at, end), number: this.lineNumber, offsetBytes: this.offsetBytes }
      if (needsOffsets) this.offsetBytes += encodeText(line.text).length + 1
      at = end + 1
      if (this.isTrailing) {
        this.leave(line)
        continue
      }
      const mayMatch = required === undefined || line.text.includes(required)
      const isShort = line.text.length <= this.matcher.stepLength
      const matches = mayMatch && (isShort ? this.matcher.test(line.text) : yield* this.testInSteps(line.text))
      if (matches !== options.isInverted) this.select(line)
      else this.leave(line)
      if (this.unprinted !== undefined) yield* this.unprinted
      this.unprinted = undefined
      count += 1
      if (this.output.isFull || count % 8192 === 0) yield
    }
  }

  private *testInSteps(text: string): Generator<void, boolean> {
    for (let from = 0; from <= text.length;) {
      const to = this.stepEnd(text, from)
      if (this.matcher.find(text, from, to) !== undefined) return true
      from = to
      yield
    }
    return false
  }

  /** Where the step that begins at `from` ends, never within a character. */
  private stepEnd(text: string, from: number): number {
    const end = from + this.matcher.stepLength
    return (text.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end + 1 : end
  }

  /** Skips lines that cannot match, but counts them. */
  private pass(text: string, from: number, to: number): void {
    if (this.options.hasByteOffsets) this.offsetBytes += encodeText(text.slice(from, to)).length
    if (!this.options.hasLineNumbers && this.options.groupSeparator === undefined) return
    for (let at = text.indexOf(this.options.end, from); at >= 0 && at < to; at = text.indexOf(this.options.end, at + 1))
      this.lineNumber += 1
  }

  private select(line: Line): void {
    const { options, file } = this
    this.selectedCount += 1
    const isLast = file.stopsAtFirst || this.selectedCount === options.maxCount
    if (!file.printsNothing) {
      if (this.isBinary && options.binary !== 'text') this.hideRest()
      else this.printGroup(line)
      if (this.isDone) return
      this.afterLeft = options.after
      this.printBehind()
    }
    if (!isLast) return
    if (file.stopsAtFirst || file.printsNothing || this.afterLeft === 0) this.isDone = true
    else this.isTrailing = true
  }

  /** The maximum count is reached; only trailing context of the last match is still printed. */
  private isTrailing = false

  private leave(line: Line): void {
    this.keep(line)
    this.printBehind()
    if (this.isTrailing && this.afterLeft === 0) this.isDone = true
  }

  private keep(line: Line): void {
    const { before, after } = this.options
    if (this.behind.length < after) this.behind.push(line)
    if (before === 0) return
    this.before.push(line)
    if (this.before.length > before) this.before.shift()
  }

  /** A line that is not printed ends the context, because GNU grep tries that line again for each one that is left. */
  private printBehind(): void {
    while (this.afterLeft > 0) {
      const [next] = this.behind
      if (next === undefined) return
      this.afterLeft = this.print(next, false) ? this.afterLeft - 1 : 0
    }
  }

  private printGroup(line: Line): void {
    const { options, printed } = this
    const first = this.before[0] ?? line
    const isNext = this.lastPrinted > 0 && this.lastPrinted === first.number - 1
    if (options.groupSeparator !== undefined && printed.hasGroup && !isNext) {
      const separator = this.options.isColored ? painted(colors.separator, options.groupSeparator) : options.groupSeparator
      this.output.write(`${separator}\n`)
    }
    printed.hasGroup = true
    for (const earlier of this.before) this.print(earlier, false)
    if (!this.print(line, true)) this.keep(line)
  }

  /** False if the line is hidden. Then the lines behind the last printed one stay what they are. */
  private print(line: Line, isSelected: boolean): boolean {
    const { options } = this
    if (!options.isOnlyMatching && this.hides(line.text)) return false
    this.lastPrinted = line.number
    if (this.before.length > 0) this.before = this.before.filter(({ number }) => number > line.number)
    if (this.behind.length > 0) this.behind = this.behind.filter(({ number }) => number > line.number)
    const shows = isSelected !== options.isInverted
    if (options.isOnlyMatching) {
      if (!shows) return true
      const matches = this.printMatches(line, isSelected)
      if (line.text.length > longLine) this.unprinted = matches
      else while (matches.next().done !== true);
      return true
    }
    const head = this.headOf(line, line.offsetBytes, isSelected)
    if (!options.isColored || !shows) {
      this.output.write(head + line.text + options.end)
      return true
    }
    this.output.write(head)
    const parts = this.highlighted(line.text)
    // Lines of context are printed before the selected one is.
    if (isSelected && line.text.length > longLine) this.unprinted = parts
    else while (parts.next().done !== true);
    return true
  }

  /** Yields when the output should be flushed. */
  private *printMatches(line: Line, isSelected: boolean): Generator<undefined, void> {
    const { options } = this
    let offset = line.offsetBytes
    let counted = 0
    for (const found of this.matchesIn(line.text)) {
      if (found === undefined) {
        yield
        continue
      }
      const [start, end] = found
      const match = line.text.slice(start, end)
      if (this.hides(match)) return
      if (options.hasByteOffsets) offset += encodeText(line.text.slice(counted, start)).length
      counted = start
      const shown = options.isColored ? painted(colors.match, match) : match
      this.output.write(`${this.headOf(line, offset, isSelected)}${shown}${options.end}`)
      if (this.output.isFull && line.text.length > longLine) yield
    }
  }

  /** The matches in `text`, without empty ones. `undefined` stands for a step without matches. */
  private *matchesIn(text: string): Generator<readonly [number, number] | undefined> {
    for (let at = 0; at <= text.length;) {
      const to = this.stepEnd(text, at)
      const found = this.matcher.find(text, at, to)
      if (found === undefined) {
        at = to
        if (at <= text.length) yield undefined
        continue
      }
      const [start, end] = found
      if (end > start) yield found
      at = end > start ? end : start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1)
    }
  }

  /** Prints a line with its matches in colour. Yields when the output should be flushed. */
  private *highlighted(text: string): Generator<undefined, void> {
    let done = 0
    for (const found of this.matchesIn(text)) {
      if (found === undefined) {
        yield
        continue
      }
      const [start, end] = found
      this.output.write(text.slice(done, start) + painted(colors.match, text.slice(start, end)))
      done = end
      if (this.output.isFull && text.length > longLine) yield
    }
    this.output.write(text.slice(done) + this.options.end)
  }

  /** Whether `text` contains invalid bytes. If so, it is not printed, and a message follows the other lines. */
  private hides(text: string): boolean {
    const hides = this.options.binary !== 'text' && !text.isWellFormed()
    if (hides) this.hidesMatch = true
    return hides
  }

  private hideRest(): void {
    this.printed.hasGroup = true
    this.hidesMatch = true
    this.isDone = true
  }

  private headOf(line: Line, offsetBytes: number, isSelected: boolean): string {
    const { options, file } = this
    const { isColored } = options
    const mark = isSelected ? ':' : '-'
    const separator = isColored ? painted(colors.separator, mark) : mark
    let head = ''
    if (file.name !== undefined) {
      head += isColored ? painted(colors.name, file.name) : file.name
      head += options.endsNamesWithNull ? '\0' : separator
    }
    const numbered = (value: number): string => {
      const text = String(value).padStart(options.hasTabs ? file.numberWidth : 0)
      return (isColored ? painted(colors.number, text) : text) + separator
    }
    if (options.hasLineNumbers) head += numbered(line.number)
    if (options.hasByteOffsets) head += numbered(offsetBytes)
    return options.hasTabs && head !== '' && line.text !== '' ? `${head}\t` : head
  }
}

export const colors = { match: '01;31', name: '35', number: '32', separator: '36' } as const

export function painted(color: string, text: string): string {
  return `\u001b[${color}m\u001b[K${text}\u001b[m\u001b[K`
}
