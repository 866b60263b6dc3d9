// The options of `pr` and the page that they describe.

import { type Arguments, has, type OptionTable, optionTable, valueOf, wholeNumberOf } from '../options.ts'
import type { Numbering, RowStyle, Tabs } from './pr-row.ts'
import { showTimes } from '../fs/ls-times.ts'

export const table: OptionTable = {
  ...Object.fromEntries(Array.from({ length: 10 }, (_, digit) => [`-${digit}`, String(digit)])),
  ...optionTable(`
    --columns: columns=, -a --across: across, -b: balanced, -c --show-control-chars: carets, -d --double-space: double,
    -D --date-format: date=, -e --expand-tabs: expand?, -f -F --form-feed: feed, -h --header: header=, -i --output-tabs: tabs?,
    -J --join-lines: joined, -l --length: length=, -m --merge: parallel, -n --number-lines: number?,
    -N --first-line-number: first-number=, -o --indent: margin=, --pages: pages=, -r --no-file-warnings: quiet,
    -s --separator: old-separator?, -S --sep-string: separator?, -t --omit-header: bare, -T --omit-pagination: bare-pages,
    -v --show-nonprinting: octal, -w --width: old-width=, -W --page-width: width=
  `),
}

export interface PageStyle extends RowStyle {
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

/** Of a line, and the most lines of a page: a page is kept in memory. */
const mostColumns = 100_000
const mostCells = 1_000_000

export const pageRange: RegExp = /^\+\d+(?::\d+)?$/

/** A string is an error message. */
export function styleOf(parsed: Arguments, pages: string | undefined, fileCount: number, zone: string): PageStyle | string {
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
