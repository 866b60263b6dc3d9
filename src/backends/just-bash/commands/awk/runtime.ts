// The state of a running awk program: its record and fields, variables, inputs and outputs.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { posixRegex, type Regex } from '../../regex/regex.ts'
import { PatternError } from '../../regex/syntax.ts'
import { wholeLanguage, type Dialect } from './dialect.ts'
import { AwkError } from './error.ts'
import { hasWideCharacters } from './printf.ts'
import { Streams } from './streams.ts'
import { InputText, isTrue, numberText, type Slot, toNumber, type Value } from './values.ts'

/** Splits a record into fields; appends the separators to `separators` if given. */
export type Splitter = (text: string, separators?: string[]) => string[]

/** The variables that affect the program's behaviour; each index is a slot number. */
export const specialNames = [
  'NR',
  'FNR',
  'NF',
  'FS',
  'OFS',
  'ORS',
  'RS',
  'RT',
  'SUBSEP',
  'CONVFMT',
  'OFMT',
  'FILENAME',
  'RSTART',
  'RLENGTH',
  'ENVIRON',
  'ARGC',
  'ARGV',
  'IGNORECASE',
  'FPAT',
  'FIELDWIDTHS',
  'PROCINFO',
  'BINMODE',
  'LINT',
  'TEXTDOMAIN',
  'ERRNO',
] as const

export type SpecialName = (typeof specialNames)[number]

export const special = Object.fromEntries(specialNames.map((name, index) => [name, index])) as Readonly<
  Record<SpecialName, number>
>

export class Runtime {
  readonly slots: Slot[] = []
  frame: Slot[] = []
  readonly streams: Streams
  readonly context: ShellCommandContext
  private record = ''
  private fields: Value[] = []
  private isSplit = true
  private isJoined = true
  private splitter: Splitter = splitBlanks
  private nextSplitter: Splitter = splitBlanks
  private readonly regexes = new Map<string, Regex>()
  private convfmt = '%.6g'
  subsep = '\x1c'
  /** RS: empty for paragraphs, one character, or a pattern. */
  recordSeparator: string | Regex = '\n'
  private ignoresCase = false
  readonly dialect: Dialect

  constructor(context: ShellCommandContext, dialect: Dialect = wholeLanguage) {
    this.dialect = dialect
    this.context = context
    this.streams = new Streams(context)
    const initial: Partial<Record<SpecialName, Slot>> = {
      NR: 0,
      FNR: 0,
      FS: ' ',
      OFS: ' ',
      ORS: '\n',
      RS: '\n',
      RT: '',
      SUBSEP: '\x1c',
      CONVFMT: '%.6g',
      OFMT: '%.6g',
      FILENAME: '',
      RSTART: 0,
      RLENGTH: -1,
      ENVIRON: new Map(Object.entries(context.env).map(([name, value]) => [name, new InputText(value)])),
      IGNORECASE: 0,
      PROCINFO: new Map<string, Slot>([['version', '5.2.1']]),
    }
    for (const name of specialNames) this.slots[special[name]] = initial[name]
  }

  text(name: SpecialName): string {
    const value = this.slots[special[name]]
    return value instanceof Map ? '' : this.textOf(value)
  }

  /** Converts a value to a string by CONVFMT. */
  readonly textOf = (value: Value): string => {
    if (typeof value === 'string') return value
    if (value === undefined) return ''
    return typeof value === 'number' ? numberText(value, this.convfmt) : value.text
  }

  /** The text of a value as comparisons and `index` take it. */
  readonly comparedText = (value: Value): string => (this.ignoresCase ? this.textOf(value).toLowerCase() : this.textOf(value))

  /** Called after each assignment to a special variable. */
  changed(name: SpecialName): void {
    switch (name) {
      case 'NF':
        this.setFieldCount(toNumber(this.slots[special.NF] as Value))
        break
      case 'FS':
      case 'RS':
      case 'FPAT':
      case 'FIELDWIDTHS':
      case 'IGNORECASE':
        if (name === 'IGNORECASE') {
          this.ignoresCase = this.dialect.language === 'gawk' && isTrue(this.slots[special.IGNORECASE] as Value)
          this.regexes.clear()
        }
        this.recordSeparator = this.separatorOf(this.text('RS'))
        this.nextSplitter = this.makeSplitter(name)
        break
      case 'CONVFMT':
        this.convfmt = this.text('CONVFMT')
        break
      case 'SUBSEP':
        this.subsep = this.text('SUBSEP')
        break
      default:
    }
  }

  private separatorOf(text: string): string | Regex {
    if (this.dialect.language !== 'gawk') return text.slice(0, 1)
    return text.length > 1 ? this.regex(text) : text
  }

  private lastSplitting: 'FS' | 'FPAT' | 'FIELDWIDTHS' = 'FS'

  private makeSplitter(changed: SpecialName): Splitter {
    const isKnown = changed === 'FS' || this.dialect.language === 'gawk'
    if (isKnown && (changed === 'FS' || changed === 'FPAT' || changed === 'FIELDWIDTHS')) this.lastSplitting = changed
    const isParagraph = this.text('RS') === ''
    if (this.lastSplitting === 'FPAT') {
      const regex = this.regex(this.text('FPAT'))
      return (text, separators) => splitByContent(text, regex, separators)
    }
    if (this.lastSplitting === 'FIELDWIDTHS') {
      const widths = this.text('FIELDWIDTHS').trim().split(/\s+/).map(fieldWidth)
      return text => splitByWidths(text, widths)
    }
    const separator = this.text('FS')
    if (separator === '' && this.dialect.language !== 'gawk') return text => (text === '' ? [] : [text])
    return this.splitterFor(separator, isParagraph)
  }

  splitterFor(separator: string, isParagraph: boolean = false): Splitter {
    if (separator === ' ') return splitBlanks
    if (separator === '') return (text, separators) => splitCharacters(text, separators)
    const isPlain = separator.length === 1 && separator !== '\\'
    if (isPlain && !isParagraph) return (text, separators) => splitAt(text, separator, separators)
    if (separator === '\t' && isParagraph) return this.splitterFor('[\t\n]')
    const pattern = isPlain ? separator.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') : separator === '\\' ? '\\\\' : separator
    const regex = this.regex(isParagraph ? `(${pattern})|\n` : pattern)
    return (text, separators) => splitAtMatches(text, regex, separators)
  }

  /** Compiles `source` to a regular expression and caches it. */
  regex(source: string): Regex {
    const known = this.regexes.get(source)
    if (known !== undefined) return known
    try {
      const isWithoutExtensions = this.dialect.language !== 'gawk'
      const made = posixRegex(source, { syntax: 'extended', escapes: 'awk', ignoresCase: this.ignoresCase, isWithoutExtensions })
      if (this.regexes.size > 500) this.regexes.clear()
      this.regexes.set(source, made)
      return made
    } catch (error) {
      if (error instanceof PatternError) throw new AwkError(`${error.message}: /${source}/`)
      throw error
    }
  }

  setRecord(text: string): void {
    this.record = text
    this.isSplit = false
    this.isJoined = true
    this.splitter = this.nextSplitter
  }

  get recordText(): string {
    if (!this.isJoined) {
      this.record = this.fields.map(this.textOf).join(this.text('OFS'))
      this.isJoined = true
    }
    return this.record
  }

  private splitFields(): void {
    if (this.isSplit) return
    this.isSplit = true
    this.fields = this.splitter(this.record).map(text => new InputText(text))
  }

  get fieldCount(): number {
    this.splitFields()
    return this.fields.length
  }

  field(index: number): Value {
    if (index === 0) return new InputText(this.recordText)
    if (index < 0) throw new AwkError(`attempt to access field ${index}`)
    this.splitFields()
    return this.fields[index - 1]
  }

  setField(index: number, value: Value): void {
    if (index === 0) {
      this.setRecord(this.textOf(value))
      return
    }
    if (index < 0 || index > mostFields) throw new AwkError(`attempt to access field ${index}`)
    this.splitFields()
    while (this.fields.length < index - 1) this.fields.push('')
    this.fields[index - 1] = value instanceof InputText ? value : typeof value === 'number' ? value : this.textOf(value)
    this.isJoined = false
  }

  private setFieldCount(count: number): void {
    if (count < 0 || count > mostFields) throw new AwkError(`NF set to ${count}`)
    this.splitFields()
    while (this.fields.length < count) this.fields.push('')
    this.fields.length = Math.trunc(count)
    this.isJoined = false
  }
}

const mostFields = 10_000_000

const splitBlanks: Splitter = (text, separators) => {
  const fields: string[] = []
  let at = 0
  for (;;) {
    const start = at
    while (at < text.length && isBlank(text.charCodeAt(at))) at += 1
    separators?.push(text.slice(start, at))
    if (at >= text.length) return fields
    const begin = at
    while (at < text.length && !isBlank(text.charCodeAt(at))) at += 1
    fields.push(text.slice(begin, at))
  }
}

function isBlank(unit: number): boolean {
  return unit === 32 || unit === 9 || unit === 10
}

function splitCharacters(text: string, separators?: string[]): string[] {
  const characters = Array.from(text)
  if (separators !== undefined) for (const _ of characters) separators.push('')
  return characters
}

function splitAt(text: string, separator: string, separators?: string[]): string[] {
  if (text === '') return []
  const fields = text.split(separator)
  if (separators !== undefined) for (const _ of fields) separators.push(separators.length === 0 ? '' : separator)
  return fields
}

function splitAtMatches(text: string, regex: Regex, separators?: string[]): string[] {
  if (text === '') return []
  const fields: string[] = []
  separators?.push('')
  let begin = 0
  let from = 0
  while (from <= text.length) {
    const found = regex.find(text, from)
    if (found === undefined) break
    const [start, end] = found
    if (start === end) {
      from = end + 1
      continue
    }
    fields.push(text.slice(begin, start))
    separators?.push(text.slice(start, end))
    begin = end
    from = end
  }
  fields.push(text.slice(begin))
  return fields
}

export function splitByContent(text: string, regex: Regex, separators?: string[]): string[] {
  const fields: string[] = []
  let behind = 0
  let from = 0
  let lastEnd = -1
  while (from <= text.length) {
    const found = regex.find(text, from)
    if (found === undefined) break
    const [start, end] = found
    // An empty match counts at the end only behind a separator.
    if (!(start === end && (start === lastEnd || text === ''))) {
      fields.push(text.slice(start, end))
      separators?.push(text.slice(behind, start))
      behind = end
    }
    lastEnd = end
    from = start === end ? end + 1 : end
  }
  separators?.push(text.slice(behind))
  return fields
}

interface FieldWidth {
  /** Characters before the field that belong to none. */
  readonly skip: number
  readonly width: number
}

/** `3`, `2:3` after two skipped characters, or `*` for the rest. */
function fieldWidth(text: string, index: number, all: readonly string[]): FieldWidth {
  const [, skip = '0', width] = /^(?:(\d+):)?(\d+|\*)$/.exec(text) ?? []
  if (width === undefined || (width === '*' && index < all.length - 1))
    throw new AwkError(`invalid FIELDWIDTHS value, for field ${index + 1}, near \`${text}'`)
  return { skip: Number(skip), width: width === '*' ? Number.POSITIVE_INFINITY : Number(width) }
}

function splitByWidths(text: string, widths: readonly FieldWidth[]): string[] {
  const characters = hasWideCharacters(text) ? Array.from(text) : undefined
  const length = characters?.length ?? text.length
  const fields: string[] = []
  let at = 0
  for (const { skip, width } of widths) {
    at += skip
    if (at >= length) break
    fields.push(characters?.slice(at, at + width).join('') ?? text.slice(at, at + width))
    at += width
  }
  return fields
}
