// The options of `ls` and what they mean together.

import {
  abbreviatedValue,
  type Arguments,
  countOf,
  has,
  type OptionTable,
  optionTable,
  parseArguments,
  valueOf,
} from '../options.ts'
import { type ShowTime, showTimes } from './ls-times.ts'
import type { FileStat } from '../../../../shell/files.ts'
import { type ShowName, showNames } from './ls-quoting.ts'
import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { ownValue } from '../../../../core/record.ts'
import { compilePattern } from '../../interpreter/pattern.ts'

const letters = '1aAlhRdFStrpLinsgoUXcuGkCxmQbNvBfHZ'

const table: OptionTable = {
  ...Object.fromEntries([...letters].map(letter => [`-${letter}`, letter])),
  ...optionTable(`
    --all: a, --almost-all: A, --directory: d, --human-readable: h, --si: si, --recursive: R, --reverse: r,
    --classify: indicator?, --file-type: file-type, --indicator-style: style-of-marks=, --format: format=, --time: time=,
    --block-size: block-size=, --zero: zero, --author: author, --context: Z, --numeric-uid-gid: n, --no-group: G,
    --kibibytes: k, --hyperlink: hyperlink?, --show-control-chars: show, --dereference-command-line: H,
    --dereference-command-line-symlink-to-dir: link-to-directory, -T --tabsize: tabs=, --dereference: L, --inode: i, --size: s,
    --ignore-backups: B, -I --ignore: ignore=, --hide: hide=, --sort: sort=, --time-style: style=, --full-time: full,
    --group-directories-first: first, --color: color?, --hide-control-chars -q: q, --escape: b, --literal: N, --quote-name: Q,
    --quoting-style: quoting=, -w --width: width=
  `),
}

const sortLetters: Readonly<Record<string, string>> = {
  none: 'U',
  size: 'S',
  time: 't',
  version: 'v',
  extension: 'X',
  width: 'by-width',
}

const times = ['atime', 'access', 'use', 'ctime', 'status', 'birth', 'creation']

/** When something is done, in options such as --color. */
const occasions = ['always', 'yes', 'force', 'never', 'no', 'none', 'auto', 'tty', 'if-tty']

type Format = 'long' | 'single' | 'down' | 'across' | 'commas'

const formats: Readonly<Record<string, Format>> = {
  verbose: 'long',
  long: 'long',
  commas: 'commas',
  horizontal: 'across',
  across: 'across',
  vertical: 'down',
  'single-column': 'single',
}

const formatLetters: Readonly<Record<string, Format>> = {
  l: 'long',
  n: 'long',
  g: 'long',
  o: 'long',
  full: 'long',
  C: 'down',
  x: 'across',
  m: 'commas',
}

type Marks = 'none' | 'slash' | 'file-type' | 'classify'

const markStyles: Readonly<Record<string, Marks>> = {
  none: 'none',
  slash: 'slash',
  'file-type': 'file-type',
  classify: 'classify',
}

const markLetters: Readonly<Record<string, Marks>> = { F: 'classify', p: 'slash', 'file-type': 'file-type' }

/** Shared by all directories of one call. */
export interface Request {
  readonly parsed: Arguments
  /** A value of `sortLetters`; the last sort option applies. */
  readonly order: string
  readonly isLong: boolean
  readonly format: Format
  readonly marks: Marks
  readonly lineWidth: number
  readonly tabWidth: number
  readonly unit: Unit | undefined
  readonly showTime: ShowTime
  /** The time that is shown and sorted by. */
  readonly timeMsOf: (stat: FileStat) => number
  readonly showName: ShowName
  readonly isHidden: (name: string) => boolean
}

/** What --block-size counts in. */
interface Unit {
  readonly bytes: number
  /** Printed behind each number if the option has no number. */
  readonly suffix: string
}

function unitOf(text: string): Unit | undefined {
  const [, digits = '', letter = ''] = /^'?(\d*)([A-Za-z]*)$/.exec(text) ?? []
  const bytes = digits === '' && letter === '' ? undefined : countOf((digits || '1') + letter)
  return bytes === undefined || bytes === 0 ? undefined : { bytes, suffix: digits === '' ? letter : '' }
}

/** The values of options, where they are from a list. */
const valuesOf: Readonly<Record<string, readonly string[]>> = {
  sort: Object.keys(sortLetters),
  time: times,
  format: Object.keys(formats),
  'style-of-marks': Object.keys(markStyles),
  color: occasions,
  hyperlink: occasions,
  indicator: occasions,
}

/** Values of options that have a fixed list of them. */
function invalid(option: string, value: string, valid: readonly string[]): string {
  return `invalid argument '${value}' for '--${option}'; valid are ${valid.join(', ')}`
}

export function requestOf(context: ShellCommandContext, before: readonly string[]): Request | string {
  const read = parseArguments([...before, ...context.args], table)
  if (typeof read === 'string') return read
  // -f stands for -aU, and takes an -l before it back.
  const parsed: Arguments = {
    ...read,
    options: read.options.flatMap(option =>
      option.name === 'f'
        ? [
            { name: 'a', value: '' },
            { name: 'U', value: '' },
          ]
        : option,
    ),
  }
  const orders = Object.values(sortLetters)
  let order: string | undefined
  let style = context.env['TIME_STYLE'] || 'locale'
  let format: Format = 'single'
  // `-1` gives way to an `-l` of the caller, not to that of `vdir`.
  let isWritten = false
  let marks: Marks = 'none'
  let unit: Unit | undefined
  for (const [index, { name, value: written }] of parsed.options.entries()) {
    const value = abbreviatedValue(written, valuesOf[name] ?? []) ?? written
    const ofLetter = formatLetters[name]
    const ofMark = markLetters[name]
    if (ofLetter !== undefined) [format, isWritten] = [ofLetter, index >= before.length]
    else if (name === '1' && !(format === 'long' && isWritten)) format = 'single'
    if (ofMark !== undefined) marks = ofMark
    if (name === 'indicator') marks = value === '' || /^(?:always|yes|force)$/.test(value) ? 'classify' : 'none'
    if (name === 'style-of-marks') {
      const found = ownValue(markStyles, value)
      if (found === undefined) return invalid('indicator-style', value, Object.keys(markStyles))
      marks = found
    } else if (name === 'format') {
      const found = ownValue(formats, value)
      if (found === undefined) return invalid('format', value, Object.keys(formats))
      format = found
    } else if (name === 'time' && !times.includes(value)) return invalid('time', value, times)
    else if (name === 'hyperlink' && /^(?:|always|yes|force)$/.test(value))
      return "'--hyperlink=always' is not available here; leave it out"
    else if (['color', 'hyperlink', 'indicator'].includes(name) && value !== '' && !occasions.includes(value))
      return invalid(name === 'indicator' ? 'classify' : name, value, occasions)
    else if (name === 'block-size') {
      unit = unitOf(value)
      if (unit === undefined) return `invalid --block-size argument '${value}'`
    }
    if (orders.includes(name)) order = name
    else if (name === 'full') style = 'full-iso'
    else if (name === 'style') style = value
    else if (name === 'sort') {
      if (!Object.hasOwn(sortLetters, value)) return invalid('sort', value, Object.keys(sortLetters))
      order = sortLetters[value] ?? order
    }
  }
  const isLong = format === 'long'
  const timeOption = parsed.options.findLast(({ name }) => ['u', 'c', 'time'].includes(name))
  const timeName = abbreviatedValue(timeOption?.value ?? '', times) ?? ''
  if (['birth', 'creation'].includes(timeName)) return `--time=${timeName}: the time of birth is not known here; use --time=ctime`
  const isChangeTime = timeOption?.name === 'c' || ['ctime', 'status'].includes(timeName)
  const isAccessTime = timeOption?.name === 'u' || ['atime', 'access', 'use'].includes(timeName)
  const hasOtherTime = ['u', 'c', 'time'].some(name => has(parsed, name))
  const widthText = valueOf(parsed, 'width') ?? context.env['COLUMNS'] ?? '80'
  const lineWidth = Number(widthText)
  if (!/^\d+$/.test(widthText)) return `invalid line width: '${widthText}'`
  // Without timestamps in the output, an invalid style is not an error.
  const showTime = showTimes(isLong ? style : 'locale', context.env['TZ'] ?? '')
  if (typeof showTime === 'string') return showTime
  const showName = showNames(has(parsed, 'zero') ? { ...parsed, options: [] } : parsed)
  if (typeof showName === 'string') return showName
  return {
    parsed,
    order: order ?? (hasOtherTime && !isLong ? 't' : 'name'),
    isLong,
    format: has(parsed, 'zero') && !isLong ? 'single' : format,
    marks,
    lineWidth: lineWidth === 0 ? Number.POSITIVE_INFINITY : lineWidth,
    tabWidth: Number(valueOf(parsed, 'tabs') ?? 8),
    unit,
    showTime,
    timeMsOf: ({ mtimeMs, ctimeMs, atimeMs = mtimeMs }) => (isChangeTime ? ctimeMs : isAccessTime ? atimeMs : mtimeMs),
    showName,
    isHidden: hiddenBy(parsed),
  }
}

function hiddenBy(parsed: Arguments): (name: string) => boolean {
  const isAll = has(parsed, 'a')
  const showsDots = isAll || has(parsed, 'A')
  const patternsOf = (option: string): string[] => parsed.options.flatMap(({ name, value }) => (name === option ? [value] : []))
  const patterns = [
    ...patternsOf('ignore'),
    ...(showsDots ? [] : patternsOf('hide')),
    ...(has(parsed, 'B') ? ['*~', '.*~'] : []),
  ].map(pattern => ({ takesDot: /^\\?\./.test(pattern), expression: compilePattern(pattern) }))
  return name => {
    const isDot = name.startsWith('.')
    if (isDot && !showsDots) return true
    return patterns.some(({ takesDot, expression }) => (takesDot || !isDot) && expression.test(name))
  }
}
