// pr: sets files in pages with headers, and in columns. Here are its options and its pages; a line is set in pr-row.ts.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { reasonOf } from '../../errno.ts'
import { openInput, StopCheck } from '../filter/input.ts'
import { TextOutput } from '../filter/output.ts'
import { RecordReader } from '../filter/record-reader.ts'
import { showTimes } from '../fs/ls-times.ts'
import { has, parseArguments, valueOf, wholeNumberOf, type Arguments, type OptionTable } from '../options.ts'
import { complain, pathOf, statIfThere } from '../program.ts'
import { letOthersRun } from '../stop.ts'
import { marginOf, rowText, type Numbering, type RowStyle, type Tabs } from './pr-row.ts'

const table: OptionTable = {
  ...Object.fromEntries(Array.from({ length: 10 }, (_, digit) => [`-${digit}`, String(digit)])),
  '--columns': 'columns=',
  '-a': 'across',
  '--across': 'across',
  '-b': 'balanced',
  '-c': 'carets',
  '--show-control-chars': 'carets',
  '-d': 'double',
  '--double-space': 'double',
  '-D': 'date=',
  '--date-format': 'date=',
  '-e': 'expand?',
  '--expand-tabs': 'expand?',
  '-f': 'feed',
  '-F': 'feed',
  '--form-feed': 'feed',
  '-h': 'header=',
  '--header': 'header=',
  '-i': 'tabs?',
  '--output-tabs': 'tabs?',
  '-J': 'joined',
  '--join-lines': 'joined',
  '-l': 'length=',
  '--length': 'length=',
  '-m': 'parallel',
  '--merge': 'parallel',
  '-n': 'number?',
  '--number-lines': 'number?',
  '-N': 'first-number=',
  '--first-line-number': 'first-number=',
  '-o': 'margin=',
  '--indent': 'margin=',
  '--pages': 'pages=',
  '-r': 'quiet',
  '--no-file-warnings': 'quiet',
  '-s': 'old-separator?',
  '--separator': 'old-separator?',
  '-S': 'separator?',
  '--sep-string': 'separator?',
  '-t': 'bare',
  '--omit-header': 'bare',
  '-T': 'bare-pages',
  '--omit-pagination': 'bare-pages',
  '-v': 'octal',
  '--show-nonprinting': 'octal',
  '-w': 'old-width=',
  '--width': 'old-width=',
  '-W': 'width=',
  '--page-width': 'width=',
}

interface PageStyle extends RowStyle {
  readonly isParallel: boolean
  readonly isDoubleSpaced: boolean
  /** How many rows of text a page has. */
  readonly rows: number
  readonly hasHeader: boolean
  readonly keepsFeeds: boolean
  readonly endsWithFeed: boolean
  readonly firstPage: number
  readonly lastPage: number
  readonly lineWidth: number
  readonly firstNumber: number | undefined
  readonly header: string | undefined
  readonly showTime: (timeMs: number) => string
}

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

/** Of a line, and the most lines of a page: a page is kept in memory. */
const mostColumns = 100_000
const mostCells = 1_000_000

const pageRange = /^\+\d+(?::\d+)?$/

/** A string is an error message. */
function styleOf(parsed: Arguments, pages: string | undefined, fileCount: number, zone: string): PageStyle | string {
  const wrong: string[] = []
  const number = (name: string, least: number): number | undefined => {
    const written = valueOf(parsed, name)
    const value = written === undefined ? undefined : wholeNumberOf(written, least, mostColumns)
    if (written !== undefined && value === undefined) wrong.push(`invalid number '${written}'`)
    return value
  }
  const digits = lastDigits(parsed)
  const asked = number('columns', 1) ?? (digits === '' ? undefined : Number(digits))
  if (asked === 0) return "invalid number of columns: '0'"
  const isParallel = has(parsed, 'parallel')
  const isAcross = has(parsed, 'across')
  if (isParallel && asked !== undefined) return 'cannot specify number of columns when printing in parallel'
  if (isParallel && isAcross) return 'cannot specify both printing across and printing in parallel'
  const columns = isParallel ? fileCount : (asked ?? 1)
  const [firstPage, lastPage] = (pages ?? '1').split(':').map(Number)
  if (firstPage === undefined || !(firstPage >= 1 && (lastPage ?? Infinity) >= firstPage)) return `invalid page range '${pages}'`
  const length = number('length', 1) ?? 66
  const lastBare = parsed.options.findLast(({ name }) => name === 'bare' || name === 'bare-pages')?.name
  const isBare = lastBare !== undefined
  const hasHeader = !isBare && length > 10
  const isDoubleSpaced = has(parsed, 'double')
  const body = hasHeader ? length - 10 : length
  const [numbers, inputTabs, outputTabs] = [marked(parsed, 'number', 5), marked(parsed, 'expand', 8), marked(parsed, 'tabs', 8)]
  if (numbers === 'invalid' || inputTabs === 'invalid' || outputTabs === 'invalid')
    return 'invalid value of -n, -e or -i: they take a character, a number, or both'
  const numbering = numbers && { separator: numbers.character, digits: numbers.width }
  const line = lineOf(parsed, isParallel || asked !== undefined, columns)
  const oldWidth = number('old-width', 1)
  const lineWidth = number('width', 1) ?? oldWidth ?? 72
  const numberWidth = numbering === undefined ? 0 : widthOfNumber(numbering)
  const width = Math.floor(
    (lineWidth - (isParallel && numbering !== undefined ? numberWidth : 0) - (columns - 1) * line.separator.length) / columns,
  )
  const margin = number('margin', 0) ?? 0
  const firstNumber = number('first-number', -Infinity)
  const [problem] = wrong
  if (problem !== undefined) return problem
  if (columns * body > mostCells) return `a page has more than ${mostCells} places; ask for fewer columns or lines`
  if (width < 1 || (line.isCut && !isParallel && numberWidth >= width)) return 'page width too narrow'
  if (numbering !== undefined && columns > 1 && !isParallel && line.isJoined)
    return '-n cannot be combined with -s in columns here; number the lines with nl'
  const showTime = showTimes(`+${valueOf(parsed, 'date') ?? '%F %H:%M'}`, zone)
  if (typeof showTime === 'string') return showTime
  return {
    columns,
    width,
    margin,
    ...line,
    inputTabs: columns > 1 && line.separator !== '\t' ? (inputTabs ?? { character: '\t', width: 8 }) : inputTabs,
    outputTabs: columns > 1 ? (outputTabs ?? { character: '\t', width: 8 }) : outputTabs,
    escapes: has(parsed, 'octal') ? 'octal' : has(parsed, 'carets') ? 'carets' : undefined,
    numbering: numbering === undefined ? undefined : { ...numbering, width: numberWidth, isOnce: isParallel },
    isAcross: isAcross && columns > 1,
    isParallel,
    isDoubleSpaced,
    rows: Math.max(1, isDoubleSpaced ? Math.floor(body / 2) : body),
    hasHeader,
    keepsFeeds: lastBare === 'bare' || length <= 10,
    endsWithFeed: has(parsed, 'feed'),
    firstPage,
    lastPage: lastPage ?? Infinity,
    lineWidth,
    firstNumber,
    header: valueOf(parsed, 'header'),
    showTime,
  }
}

/** How columns are set beside each other. `-s` and `-w` mean something else than `-S` and `-W`, as POSIX wants. */
function lineOf(parsed: Arguments, isInColumns: boolean, columns: number): Pick<RowStyle, 'separator' | 'isJoined' | 'isCut'> {
  const own = valueOf(parsed, 'separator')
  const old = valueOf(parsed, 'old-separator')
  const isWide = has(parsed, 'width')
  const isOldWide = has(parsed, 'old-width') && isInColumns
  const joinsByOld = own === undefined && old !== undefined && isInColumns && !isWide && !isOldWide
  const isJoined = has(parsed, 'joined') || joinsByOld
  const written = own ?? (old === undefined || (old === '' && joinsByOld) ? undefined : old)
  const separator = written ?? (isJoined ? '\t' : ' ')
  return {
    separator: !isJoined && separator === '\t' ? ' ' : separator,
    isJoined,
    isCut: !isJoined && (columns > 1 || isWide),
  }
}

function widthOfNumber({ digits, separator }: Pick<Numbering, 'digits' | 'separator'>): number {
  return digits + (separator === '\t' ? 8 - (digits % 8) : 1)
}

/** The digits of `-2` or `-12`, which reach the options one by one. */
function lastDigits({ options }: Arguments): string {
  let digits = ''
  let isOpen = false
  for (const { name } of options) {
    const isDigit = /^\d$/.test(name)
    if (isDigit) digits = isOpen ? digits + name : name
    isOpen = isDigit
  }
  return digits
}

/** What all options `name` say together: each has a character, a number, both or nothing. */
function marked({ options }: Arguments, name: string, width: number): Tabs | undefined | 'invalid' {
  let result: Tabs | undefined
  for (const option of options) {
    if (option.name !== name) continue
    result ??= { character: '\t', width }
    const [, character = result.character, digits = String(result.width)] = /^(\D)?(\d+)?$/u.exec(option.value) ?? ['', '', '0']
    if (Number(digits) < 1 || Number(digits) > mostColumns) return 'invalid'
    result = { character, width: Number(digits) }
  }
  return result
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

/** A newline directly behind an end of a page is no line. */
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

  /** Returns the number of pages. */
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

/** How many lines the columns before `column` have. */
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
