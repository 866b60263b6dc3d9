// numfmt: converts numbers with unit suffixes from and to plain numbers.

import { ownValue } from '../../../../core/record.ts'
import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { TextOutput } from '../filter/output.ts'
import { RecordReader, type TextRecord } from '../filter/record-reader.ts'
import { type Arguments, has, parseArguments, valueOf, optionTable } from '../options.ts'
import { complain } from '../program.ts'

const letters = ['', 'K', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y']
const scales: readonly string[] = ['none', 'auto', 'si', 'iec', 'iec-i']
const roundings: Readonly<Record<string, (value: number) => number>> = {
  up: Math.ceil,
  down: Math.floor,
  'from-zero': value => (value < 0 ? Math.floor(value) : Math.ceil(value)),
  'towards-zero': Math.trunc,
  nearest: value => (value < 0 ? -Math.round(-value) : Math.round(value)),
}

const numfmtOptions = optionTable(`
  --to: to=, --from: from=, --suffix: suffix=, --padding: padding=, --field: field=, -d --delimiter: delimiter=,
  --round: round=, --format: format=, --header: header?, --grouping: grouping, --invalid: invalid=, --from-unit: from-unit=,
  --to-unit: to-unit=, -z --zero-terminated: zero, --debug: debug
`)

export async function numfmt(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, numfmtOptions)
  if (typeof parsed === 'string') return complain(context, 'numfmt', parsed)
  for (const name of ['to', 'from'])
    if (!scales.includes(valueOf(parsed, name) ?? 'none'))
      return complain(
        context,
        'numfmt',
        `invalid argument ‘${valueOf(parsed, name) ?? ''}’ for ‘--${name}’; valid are ${scales.join(', ')}`,
      )
  if (ownValue(roundings, valueOf(parsed, 'round') ?? 'from-zero') === undefined)
    return complain(
      context,
      'numfmt',
      `invalid argument ‘${valueOf(parsed, 'round') ?? ''}’ for ‘--round’; valid are ${Object.keys(roundings).join(', ')}`,
    )
  const form = readFormat(valueOf(parsed, 'format') ?? '%f')
  if (typeof form === 'string') return complain(context, 'numfmt', form)
  const isGrouped = has(parsed, 'grouping') || form.isGrouped
  if (isGrouped && (valueOf(parsed, 'to') ?? 'none') !== 'none')
    return complain(context, 'numfmt', 'grouping cannot be combined with --to')
  if (parsed.options.filter(({ name }) => name === 'field').length > 1)
    return complain(context, 'numfmt', 'multiple field specifications')
  if (/(?:^|,)0*(?:-|,|$)/.test((valueOf(parsed, 'field') ?? '1').replace(/(^|,)-/g, '$11-')))
    return complain(context, 'numfmt', 'fields are numbered from 1')
  for (const name of ['from-unit', 'to-unit'])
    if (unitOf(parsed, name) === undefined)
      return complain(context, 'numfmt', `invalid unit size: ‘${valueOf(parsed, name) ?? ''}’`)
  const terminator = has(parsed, 'zero') ? '\0' : '\n'
  const mode = valueOf(parsed, 'invalid') ?? 'abort'
  if (!['abort', 'fail', 'warn', 'ignore'].includes(mode))
    return complain(context, 'numfmt', `invalid argument ‘${mode}’ for ‘--invalid’; valid are abort, fail, warn, ignore`)
  const writtenPadding = valueOf(parsed, 'padding')
  if (writtenPadding !== undefined && !/^[-+]?0*[1-9]\d*$/.test(writtenPadding))
    return complain(context, 'numfmt', `invalid padding value ‘${writtenPadding}’`)
  const header = valueOf(parsed, 'header') ?? ''
  if (header !== '' && !/^\+?0*[1-9]\d*$/.test(header)) return complain(context, 'numfmt', `invalid header value '${header}'`)
  let code = 0
  const headerCount = has(parsed, 'header') && parsed.operands.length === 0 ? Number(valueOf(parsed, 'header') || 1) : 0
  const output = new TextOutput(context.stdout)
  const records = new RecordReader(context.stdin, terminator)
  const given = parsed.operands.values()
  const next = async (): Promise<TextRecord | undefined> => {
    if (parsed.operands.length === 0) return records.next()
    const operand = given.next().value
    return operand === undefined ? undefined : { text: operand, isEnded: true }
  }
  let index = 0
  for (let record = await next(); record !== undefined; record = await next()) {
    const [line, end] = [record.text, record.isEnded ? terminator : '']
    index += 1
    if (index <= headerCount) {
      output.write(line + end)
      continue
    }
    const converted = convertLine(line, parsed, form)
    if (converted.problem !== undefined && mode !== 'ignore') {
      if (mode === 'abort') output.write(converted.before ?? '')
      await output.flush()
      code = await complain(context, 'numfmt', converted.problem, 2)
      if (mode === 'abort') return 2
    }
    output.write(converted.text + end)
    if (output.isFull) await output.flush()
  }
  await output.flush()
  return mode === 'warn' ? 0 : code
}

/** The factor of `--from-unit` and `--to-unit`, such as 512 or 1K. */
function unitOf(parsed: Arguments, name: string): number | undefined {
  const text = valueOf(parsed, name)
  if (text === undefined) return 1
  const [, digits, letter = '', i = ''] = /^(\d*)([KMGTPEZY]?)(i?)$/.exec(text) ?? []
  if (digits === undefined || (digits === '' && letter === '') || (letter === '' && i !== '')) return undefined
  const unit = Number(digits === '' ? 1 : digits) * (i === '' ? 1000 : 1024) ** letters.indexOf(letter)
  return unit > 0 ? unit : undefined
}

const mostDigits = 18

interface Converted {
  readonly text: string
  readonly problem?: string
  /** The text before the field with the problem. */
  readonly before?: string
}

function convertLine(line: string, parsed: Arguments, form: NumberForm): Converted {
  const delimiter = valueOf(parsed, 'delimiter')
  const wanted = valueOf(parsed, 'field') ?? '1'
  const isWanted = (number: number): boolean =>
    wanted.split(',').some(part => {
      const [, low = '', dash = '', high = ''] = /^(\d*)(-?)(\d*)$/.exec(part) ?? []
      return dash === ''
        ? number === Number(low)
        : number >= Number(low || 1) && number <= (high === '' ? Infinity : Number(high))
    })
  // One separator between two fields is written as a blank; further blanks belong to the field.
  const fields =
    delimiter === undefined
      ? (line.match(/[ \t\n]*[^ \t\n]+|^[ \t\n]*$/g) ?? []).map((field, index) => (index === 0 ? field : ` ${field.slice(1)}`))
      : line.split(delimiter)
  const tail = delimiter === undefined && /[^ \t\n]/.test(line) ? (/[ \t\n]*$/.exec(line)?.[0] ?? '').replace(/^./s, ' ') : ''
  let problem: string | undefined
  let failedAt = 0
  const shown = fields.map((field, index) => {
    if (!isWanted(index + 1) || problem !== undefined) return field
    const separator = delimiter === undefined && index > 0 ? ' ' : ''
    const body = field.slice(separator.length)
    const blanks = delimiter === undefined ? (/^[ \t\n]*/.exec(body)?.[0] ?? '') : ''
    // Without another width, a field behind more than one blank keeps its own.
    const converted = convert(body.slice(blanks.length), parsed, form, blanks === '' ? 0 : body.length)
    if (converted.problem !== undefined) [problem, failedAt] = [converted.problem, index]
    return separator + converted.text
  })
  const glue = delimiter ?? ''
  if (problem === undefined) return { text: shown.join(glue) + tail }
  const before = shown.slice(0, failedAt).map(field => field + (delimiter ?? ' '))
  return { text: fields.join(glue) + tail, problem, before: before.join('') }
}

function convert(text: string, parsed: Arguments, form: NumberForm, ownWidth: number): Converted {
  const suffix = valueOf(parsed, 'suffix') ?? ''
  const bare = suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text
  const value = read(bare, valueOf(parsed, 'from') ?? 'none')
  if (typeof value === 'string') return { text, problem: value }
  const places = /\.(\d+)$/.exec(bare)?.[1]?.length ?? 0
  const scaled = (value * (unitOf(parsed, 'from-unit') ?? 1)) / (unitOf(parsed, 'to-unit') ?? 1)
  const precision = form.precision ?? places
  if ((valueOf(parsed, 'to') ?? 'none') === 'none' && Math.abs(scaled) >= 10 ** (mostDigits + 1 - precision)) {
    const what = precision > 0 ? ['value/precision', `/${precision}`] : ['value', '']
    return {
      text,
      problem: `${what[0]} too large to be printed: '${scaled.toPrecision(6).replace(/\.?0+e/, 'e')}${what[1]}' (consider using --to)`,
    }
  }
  const [, sign = '', digits = '', unit = ''] = /^(-?)([\d.]*)([^]*)$/.exec(format(scaled, places, parsed, form)) ?? []
  const shown = sign + digits.padStart(form.zeroWidth - sign.length, '0') + unit + suffix
  // A width in the format takes the place of that in --padding, which still says the side.
  const padding = Number(valueOf(parsed, 'padding') ?? ownWidth)
  const width = Math.abs(form.width ?? padding)
  return {
    text: form.before + (Math.min(padding, form.width ?? 0) < 0 ? shown.padEnd(width) : shown.padStart(width)) + form.after,
  }
}

/** What `--format` says. */
interface NumberForm {
  readonly before: string
  readonly after: string
  readonly isGrouped: boolean
  readonly zeroWidth: number
  /** Negative for numbers at the left. */
  readonly width: number | undefined
  readonly precision: number | undefined
}

/** Reads `%[0]['][-][N][.][N]f` with text around it; a string is an error message. */
function readFormat(text: string): NumberForm | string {
  const [start] = /^(?:[^%]|%%)*/.exec(text) ?? ['']
  const [directive = '', flags = '', sign = '', digits = '', precision] =
    /^%([ '0]*)([-+]?)(\d*)(?:\.(\d*))?/.exec(text.slice(start.length)) ?? []
  if (directive === '') return `format ‘${text}’ has no % directive`
  const rest = text.slice(start.length + directive.length)
  if (rest === '' && precision === undefined) return `format ‘${text}’ ends in %`
  if (precision === '' && /^[-+ \t]/.test(rest)) return `invalid precision in format ‘${text}’`
  if (!rest.startsWith('f') || (sign !== '' && digits === ''))
    return `invalid format ‘${text}’, directive must be %[0]['][-][N][.][N]f`
  if (!/^(?:[^%]|%%)*%?$/.test(rest)) return `format ‘${text}’ has too many % directives`
  const width = Number(digits)
  const isZero = flags.includes('0') && sign !== '-'
  return {
    // A doubled percent sign counts as one character of the text before the number, as in GNU's numfmt.
    before: start.slice(0, start.replaceAll('%%', '%').length),
    after: rest.slice(1),
    isGrouped: flags.includes("'"),
    zeroWidth: isZero ? width : 0,
    width: isZero || width === 0 ? undefined : sign === '-' ? -width : width,
    precision: precision === undefined ? undefined : Number(precision),
  }
}

function read(text: string, from: string): number | string {
  const [, number, letter = '', i = ''] = /^(-?(?:\d+(?:\.\d+)?|\.\d+))([KMGTPEZY]?)(i?)$/.exec(text) ?? []
  if (number === undefined) return /^-?\d/.test(text) ? `invalid suffix in input: ‘${text}’` : `invalid number: ‘${text}’`
  if (letter === '') return i === '' ? Number(number) : `invalid suffix in input: ‘${text}’`
  if (from === 'none') return `rejecting suffix in input: ‘${text}’ (consider using --from)`
  if (from === 'iec-i' && i === '') return `missing 'i' suffix in input: ‘${text}’ (e.g Ki/Mi/Gi)`
  if ((from === 'iec' || from === 'si') && i !== '') return `invalid suffix in input ‘${text}’: ‘i’`
  const base = from === 'si' || (from === 'auto' && i === '') ? 1000 : 1024
  return Number(number) * base ** letters.indexOf(letter.toUpperCase())
}

function format(value: number, places: number, parsed: Arguments, { precision }: NumberForm): string {
  const to = valueOf(parsed, 'to') ?? 'none'
  const round = ownValue(roundings, valueOf(parsed, 'round') ?? 'from-zero') ?? Math.ceil
  if (to !== 'none' && to !== 'auto') return withUnit(value, to, round, precision)
  const factor = 10 ** (precision ?? places)
  return (round(value * factor) / factor).toFixed(precision ?? places)
}

/** Below ten, the scaled value has one fraction digit. */
function withUnit(value: number, to: string, round: (value: number) => number, places: number | undefined): string {
  const base = to === 'si' ? 1000 : 1024
  let [scaled, unit] = [value, 0]
  while (Math.abs(scaled) >= base && unit < letters.length - 1) {
    scaled /= base
    unit += 1
  }
  const roundedTo = (count: number): number => round(scaled * 10 ** count) / 10 ** count
  const isSmall = (): boolean => Math.abs(scaled) < 10 && Math.abs(roundedTo(1)) < 10
  const count = (): number => places ?? (unit > 0 && isSmall() ? 1 : 0)
  let result = roundedTo(places ?? (isSmall() ? 1 : 0))
  if (Math.abs(result) >= base && unit < letters.length - 1) {
    scaled = result / base
    unit += 1
    result = roundedTo(count())
  }
  const mark = (letters[unit] ?? '') + (to === 'iec-i' && unit > 0 ? 'i' : '')
  // Rounds half to even, as C's printf does.
  const isHalf = count() === 0 && Math.abs(result % 1) === 0.5
  return (isHalf ? String(2 * Math.round(result / 2)) : result.toFixed(count())) + mark
}
