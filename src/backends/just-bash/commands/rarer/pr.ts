// pr: sets files in pages with headers, and in columns. Here are its options and its pages; a line is set in pr-row.ts.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { reasonOf } from '../../errno.ts'
import { openInput, StopCheck } from '../filter/input.ts'
import { TextOutput } from '../filter/output.ts'
import { RecordReader } from '../filter/record-reader.ts'
import { has, parseArguments, valueOf } from '../options.ts'
import { complain, pathOf, statIfThere } from '../program.ts'
import { letOthersRun } from '../stop.ts'
import { marginOf, rowText } from './pr-row.ts'
import { pageRange, type PageStyle, styleOf, table } from './pr-options.ts'

/** The end of a page in the text. */
const feed = '\f'

export async function pr(context: ShellCommandContext): Promise<number> {
  const pagesAt = context.args.findIndex(arg => pageRange.test(arg))
  const parsed = parseArguments(context.args.toSpliced(pagesAt, pagesAt < 0 ? 0 : 1), table)
  if (typeof parsed === 'string') return complain(context, 'pr', parsed)
  const names = parsed.operands.length === 0 ? ['-'] : parsed.operands
  const style = styleOf(
    parsed,
    context.args[pagesAt]?.slice(1) ?? valueOf(parsed, 'pages'),
    names.length,
    context.env['TZ'] ?? '',
  )
  if (typeof style === 'string') return complain(context, 'pr', style)
  const output = new TextOutput(context.stdout)
  let code = 0
  const opened: (readonly [name: string, source: Source])[] = []
  const print = async (): Promise<void> => {
    const sources = opened.splice(0)
    const [first] = sources
    if (first === undefined) return
    const [name] = first
    const isNamed = name !== '-' && !style.isParallel
    const time = isNamed ? (await statIfThere(context, pathOf(context, name)))?.mtimeMs : undefined
    const title = style.header ?? (isNamed ? name : '')
    const printer = new Printer(style, [style.showTime(time ?? Date.now()), title], output, context.signal)
    const pageCount = await printer.print(sources.map(([, source]) => source))
    if (pageCount < style.firstPage && style.firstPage > 1)
      await complain(context, 'pr', `starting page number ${style.firstPage} exceeds page count ${pageCount}`)
  }
  for (const name of names) {
    try {
      opened.push([name, new Source(new RecordReader(await openInput(name, context), '\n'))])
    } catch (error) {
      code = 1
      if (!has(parsed, 'quiet')) await complain(context, 'pr', `${name}: ${reasonOf(error)}`)
    }
    if (!style.isParallel) await print()
  }
  await print()
  await output.flush()
  return code
}

/** The lines of a file, and `feed` for each end of a page. */
class Source {
  readonly #reader: RecordReader
  #tokens: string[] = []
  #at = 0
  #isDone = false
  #isUnended = false

  constructor(reader: RecordReader) {
    this.#reader = reader
  }

  /** `undefined` at the end. */
  async peek(): Promise<string | undefined> {
    while (this.#at >= this.#tokens.length && !this.#isDone) {
      const next = this.#reader.next()
      const record = next instanceof Promise ? await next : next
      this.#at = 0
      this.#tokens = record === undefined ? [] : tokensOf(record.text)
      this.#isDone = record === undefined
      this.#isUnended = record?.isEnded === false
    }
    return this.#tokens[this.#at]
  }

  /** Whether the next one follows the last one without a newline. */
  get isInLine(): boolean {
    return this.#at > 0 && this.#tokens[this.#at - 1] !== feed
  }

  drop(): void {
    this.#at += 1
  }

  /** Whether its end is known: it has been seen, or the last line had no newline. */
  get isOver(): boolean {
    return (this.#isDone || this.#isUnended) && this.#at >= this.#tokens.length
  }
}

/** A newline directly behind the end of a page is not a line. */
function tokensOf(line: string): string[] {
  const [first = '', ...rest] = line.split(feed)
  if (rest.length === 0) return [first]
  return [...(first === '' ? [] : [first]), ...rest.flatMap(part => (part === '' ? [feed] : [feed, part]))]
}

interface Page {
  /** Each row has a cell for each column; trailing ones may be missing. */
  readonly rows: readonly (readonly (string | undefined)[])[]
  readonly hasFeed: boolean
  /** Whether nothing can follow its last row. GNU's pr then drops what it adds for the next one. */
  readonly isOver: boolean
}

class Printer {
  readonly #style: PageStyle
  readonly #head: readonly [time: string, title: string]
  readonly #output: TextOutput
  readonly #signal: AbortSignal

  constructor(style: PageStyle, head: readonly [time: string, title: string], output: TextOutput, signal: AbortSignal) {
    this.#style = style
    this.#head = head
    this.#output = output
    this.#signal = signal
  }

  async print(sources: readonly Source[]): Promise<number> {
    const { firstPage, lastPage, firstNumber } = this.#style
    let number = firstNumber ?? 1
    let count = 0
    while (count < lastPage) {
      const page = await this.#pageOf(sources)
      if (page === undefined) break
      count += 1
      const isShown = count >= firstPage
      if (isShown) await this.#show(page, count, number)
      if (isShown || firstNumber === undefined) number += this.#numbered(page)
      await letOthersRun(this.#signal)
    }
    return count
  }

  #numbered({ rows }: Page): number {
    return this.#style.isParallel
      ? rows.length
      : rows.reduce((sum, cells) => sum + cells.filter(cell => cell !== undefined).length, 0)
  }

  async #pageOf(sources: readonly Source[]): Promise<Page | undefined> {
    const { isParallel, columns, rows, isAcross } = this.#style
    const [only] = sources
    if (isParallel || only === undefined) return parallelPage(sources, rows)
    const lines: string[] = []
    const stop = new StopCheck(this.#signal)
    let hasFeed = false
    let isOver = false
    for (;;) {
      const token = await only.peek()
      if (token === undefined || (token !== feed && lines.length >= columns * rows)) break
      // A line that an end of a page ends, and no newline, is not followed by an empty one.
      isOver ||= token === feed && only.isInLine
      only.drop()
      hasFeed = token === feed
      if (hasFeed) break
      lines.push(token)
      isOver = only.isOver
      stop.check()
    }
    if (lines.length === 0 && !hasFeed) return undefined
    const isShort = lines.length < columns * rows
    return isAcross
      ? { rows: across(lines, columns), hasFeed, isOver: isOver || lines.length % columns > 0 }
      : { rows: downwards(lines, columns), hasFeed, isOver: isOver || (columns > 1 && isShort) }
  }

  async #show(page: Page, pageNumber: number, number: number): Promise<void> {
    const { rows, hasFeed } = page
    const style = this.#style
    const output = this.#output
    const margin = ' '.repeat(style.margin)
    if (style.hasHeader) output.write(`${marginOf(style)}\n\n${margin}${this.#headerOf(pageNumber)}\n\n\n`)
    const height = style.isDoubleSpaced ? 2 : 1
    for (const [index, all] of rows.entries()) {
      const isOver = page.isOver && index === rows.length - 1
      const cells = isOver ? all.slice(0, all.findLastIndex(cell => cell !== undefined) + 1) : all
      const numberOf = (column: number): number =>
        number + (style.isParallel ? index : style.isAcross ? index * style.columns + column : index + heightBefore(rows, column))
      output.write(`${rowText(cells, style, numberOf)}\n${style.isDoubleSpaced && (style.hasHeader || !isOver) ? '\n' : ''}`)
      if (output.isFull) await output.flush()
    }
    const openRows = (rows.length === 0 ? 1 : 0) + (style.isDoubleSpaced && !page.isOver && rows.length < style.rows ? 1 : 0)
    if (style.endsWithFeed && style.hasHeader) output.write('\n'.repeat(openRows) + feed)
    else if (hasFeed && style.keepsFeeds) output.write(feed)
    else if (style.hasHeader) output.write('\n'.repeat((style.rows - rows.length) * height + 5))
  }

  #headerOf(page: number): string {
    const [time, title] = this.#head
    const shown = `Page ${page}`
    const left = Math.max(0, this.#style.lineWidth - time.length - shown.length - title.length)
    const before = Math.max(1, Math.floor(left / 2))
    return `${time}${' '.repeat(before)}${title}${' '.repeat(Math.max(1, left - Math.floor(left / 2)))}${shown}`
  }
}

function heightBefore(rows: Page['rows'], column: number): number {
  let lines = 0
  for (const cells of rows) lines += Math.min(column, cells.length)
  return lines
}

async function parallelPage(sources: readonly Source[], most: number): Promise<Page | undefined> {
  const rows: (string | undefined)[][] = []
  const held = new Set<Source>()
  let hasFeed = false
  let isOver = false
  while (rows.length <= most) {
    const cells: (string | undefined)[] = []
    const heldBefore = held.size
    let areInLine = true
    for (const source of sources) {
      const token = held.has(source) ? undefined : await source.peek()
      if (token === feed) {
        areInLine &&= source.isInLine
        source.drop()
        held.add(source)
        hasFeed = true
      }
      cells.push(token === feed ? undefined : token)
    }
    isOver ||= areInLine && held.size > heldBefore && held.size === sources.length
    if (rows.length === most || cells.every(cell => cell === undefined)) break
    for (const [index, source] of sources.entries()) if (cells[index] !== undefined) source.drop()
    rows.push(cells)
    isOver = sources.every(source => source.isOver)
  }
  return rows.length === 0 && !hasFeed ? undefined : { rows, hasFeed, isOver }
}

function across(lines: readonly string[], columns: number): string[][] {
  return Array.from({ length: Math.ceil(lines.length / columns) }, (_, row) => lines.slice(row * columns, (row + 1) * columns))
}

/** The columns have the same height, or the first ones are a line longer. */
function downwards(lines: readonly string[], columns: number): string[][] {
  const rows: string[][] = []
  let at = 0
  for (let column = 0; column < columns; column++) {
    const height = Math.ceil((lines.length - at) / (columns - column))
    for (let row = 0; row < height; row++) (rows[row] ??= []).push(lines[at + row] ?? '')
    at += height
  }
  return rows
}
