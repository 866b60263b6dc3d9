// `printf` with the formats of bash, widths in bytes and 64-bit numbers.

import { assignElement } from '../assign-element.ts'
import { hasByteLocale, inCharacters } from '../byte-locale.ts'
import { namedElement } from '../named-element.ts'
import { decodeText, encodeText } from '../../../../shell/byte-text.ts'
import { joinBytesInText, readEscape } from '../../syntax/ansi-quotes.ts'
import { parseArithmetic } from '../arithmetic-parser.ts'
import { ShellError } from '../flow.ts'
import { formatLongDouble, parseLongDouble, type LongDouble } from '../../format/long-double.ts'
import { isLong, shellPace } from '../pace.ts'
import { quoteLong, quoteWord } from '../quote.ts'
import type { Shell } from '../shell.ts'
import { print, usage, usageProblem, type Builtin } from './builtin.ts'
import { decodeEscapes } from './echo.ts'
import { unitsPerItem } from '../../commands/pace.ts'

interface Output {
  text: string
  status: number
  /** `\c` was found: all further output is suppressed. */
  isCut: boolean
  readonly problems: string[]
  /** The long ones of the values, as %q shows them. */
  readonly quoted: Map<string, string>
  /** Loaded for a format with `%(…)T`. */
  times: typeof import('../../format/time-format.ts') | undefined
}

export const printf: Builtin = async (shell, args, { name }) => {
  let operands = args[0] === '--' ? args.slice(1) : args
  let variable: string | undefined
  const [, attached] = /^-v([^]*)$/.exec(operands[0] ?? '') ?? []
  if (attached !== undefined && args[0] !== '--') {
    variable = attached === '' ? operands[1] : attached
    operands = operands.slice(attached === '' ? 2 : 1)
    if (operands[0] === '--') operands = operands.slice(1)
  } else if (/^-./.test(operands[0] ?? '') && args[0] !== '--')
    return usageProblem(shell, name, `${(operands[0] ?? '').slice(0, 2)}: invalid option`)
  const [format, ...values] = operands
  if (format === undefined) return usage(shell, 'printf')
  if (variable !== undefined && !/^[A-Za-z_]\w*(?:\[[^]*\])?$/.test(variable))
    return usageProblem(shell, name, `\`${variable}': not a valid identifier`)
  const output: Output = { text: '', status: 0, isCut: false, problems: [], quoted: new Map(), times: undefined }
  if (format.includes(')T')) output.times = await import('../../format/time-format.ts')
  if (/%[^%]*q/i.test(format))
    for (const value of values) if (isLong(value)) output.quoted.set(value, await quoteLong(shell, value, 'word'))
  let used = 0
  let shown = 0
  const pace = shellPace(shell)
  do {
    const before = used
    used = formatOnce(shell, format, values, used, output)
    if (used === before) break
    if (pace.isDue(output.text.length - shown + unitsPerItem)) await pace.rest()
    shown = output.text.length
  } while (used < values.length && !output.isCut)
  for (const problem of output.problems) await shell.complain(`${name}: ${problem}`)
  const text = joinBytesInText(output.text)
  if (variable === undefined) {
    const status = await print(shell, text, name)
    return output.status || status
  }
  const { name: base = variable, key } = (await namedElement(shell, variable)) ?? {}
  assignElement(shell, base, key, text)
  return output.status
}

const directive = /%([-+ #0']*)(\*|-?\d+)?(?:\.(\*|-?\d*))?((?:hh|h|ll|l|L|j|z|t)*)(\([^)]*\)T|[A-Za-z%])?/y

/** Formats once and returns the index of the next unused value. */
function formatOnce(shell: Shell, format: string, values: readonly string[], start: number, output: Output): number {
  let next = start
  const take = (): string | undefined => values[next++]
  for (let at = 0; at < format.length && !output.isCut;) {
    const character = format.charAt(at)
    if (character === '\\') {
      if (format.charAt(at + 1) === '"' || format.charAt(at + 1) === "'") {
        output.text += format.charAt(at + 1)
        at += 2
        continue
      }
      const { value, length } = readEscape(format, at, 'plain')
      output.text += value ?? '\\'
      at += length
      continue
    }
    if (character !== '%') {
      output.text += character
      at += 1
      continue
    }
    directive.lastIndex = at
    const match = directive.exec(format)
    const [all = '%', flags = '', widthText, precisionText, , conversion] = match ?? []
    at += all.length
    if (all === '%%') {
      output.text += '%'
      continue
    }
    if (conversion === undefined || conversion === '%') {
      output.problems.push(
        `\`${conversion ?? (format.charAt(at) || all)}': ${all === '%' && at >= format.length ? 'missing format character' : 'invalid format character'}`,
      )
      output.status = 1
      output.isCut = true
      break
    }
    const width = widthText === '*' ? Number(integerOf(shell, take(), output)) : Number(widthText ?? 0)
    const precision =
      precisionText === undefined
        ? undefined
        : precisionText === '*'
          ? Number(integerOf(shell, take(), output))
          : Number(precisionText || 0)
    const spec = {
      flags: width < 0 ? `${flags}-` : flags,
      width: Math.abs(width),
      precision: precision !== undefined && precision < 0 ? undefined : precision,
      hasBarePoint: precisionText === '',
    }
    const shown = convert(shell, conversion, spec, take, output)
    if (shown === undefined) {
      output.problems.push(`\`${conversion}': invalid format character`)
      output.status = 1
      output.isCut = true
      break
    }
    output.text += shown
  }
  // If the format consumes no values, it is printed once instead of endlessly.
  return next === start ? values.length : next
}

interface Spec {
  readonly flags: string
  readonly width: number
  readonly precision: number | undefined
  /** A point without digits: the precision is 0, and what %Q quotes is cut too. */
  readonly hasBarePoint: boolean
}

function convert(
  shell: Shell,
  conversion: string,
  spec: Spec,
  take: () => string | undefined,
  output: Output,
): string | undefined {
  if (conversion.startsWith('(')) {
    const given = take()
    const seconds =
      given === undefined || given === '-1'
        ? Date.now() / 1000
        : given === '-2'
          ? Date.now() / 1000
          : Number(integerOf(shell, given, output))
    const { times } = output
    const time = times?.inZone(seconds * 1000, shell.variables.get('TZ') ?? '') ?? times?.inZone(seconds * 1000, '')
    return times === undefined || time === undefined ? '' : padText(times.formatTime(conversion.slice(1, -2) || '%X', time), spec)
  }
  switch (conversion) {
    case 's':
      return padText(cut(take() ?? '', spec.precision), spec)
    case 'b': {
      const { text, isCut } = decodeEscapes(take() ?? '', 'both')
      output.isCut ||= isCut
      return padText(cut(text, spec.precision), spec)
    }
    case 'q':
    case 'Q': {
      const value = take() ?? ''
      if (conversion === 'Q') {
        return padText(spec.hasBarePoint ? '' : quoteWord(inCharacters(shell, cut(value, spec.precision))), spec)
      }
      return padText(cut(output.quoted.get(value) ?? quoteWord(inCharacters(shell, value)), spec.precision), spec)
    }
    case 'c':
      // A missing character is a NUL, which counts in the width.
      return padText(cut(take() ?? '', 1) || '\0', spec)
    case 'd':
    case 'i':
      return formatInteger(integerOf(shell, take(), output), 10, spec, true)
    case 'u':
      return formatInteger(BigInt.asUintN(64, integerOf(shell, take(), output)), 10, spec, false)
    case 'o':
      return formatInteger(BigInt.asUintN(64, integerOf(shell, take(), output)), 8, spec, false)
    case 'x':
    case 'X': {
      const text = formatInteger(BigInt.asUintN(64, integerOf(shell, take(), output)), 16, spec, false)
      return conversion === 'X' ? text.toUpperCase() : text
    }
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      return formatLongDouble(floatOf(take(), output), conversion, spec)
    default:
      return undefined
  }
}

function cut(text: string, precision: number | undefined): string {
  return precision === undefined ? text : decodeText(encodeText(text).subarray(0, precision))
}

function padText(text: string, { flags, width }: Spec): string {
  const missing = width === 0 ? 0 : width - encodeText(text).length
  if (missing <= 0) return text
  return flags.includes('-') ? text + ' '.repeat(missing) : ' '.repeat(missing) + text
}

function formatInteger(value: bigint, base: number, { flags, width, precision }: Spec, isSigned: boolean): string {
  const isNegative = value < 0n
  let digits = (isNegative ? -value : value).toString(base)
  if (precision !== undefined) digits = precision === 0 && value === 0n ? '' : digits.padStart(precision, '0')
  if (flags.includes('#') && base === 8 && !digits.startsWith('0')) digits = `0${digits}`
  const prefix = flags.includes('#') && base === 16 && value !== 0n ? '0x' : ''
  const sign = isNegative ? '-' : isSigned && flags.includes('+') ? '+' : isSigned && flags.includes(' ') ? ' ' : ''
  const head = sign + prefix
  if (flags.includes('-')) return (head + digits).padEnd(width)
  if (flags.includes('0') && precision === undefined) return head + digits.padStart(width - head.length, '0')
  return (head + digits).padStart(width)
}

/** The code of the character behind a quote: of a byte that is not text, the byte. */
function characterCode(shell: Shell, text: string): number {
  const code = text.codePointAt(1) ?? 0
  return hasByteLocale(shell) || (code & 0xff80) === 0xdc80 ? (encodeText(text.slice(1))[0] ?? 0) : code
}

/**
 * Converts an argument to an integer. After a leading quote, it is the code of the next character. Of an invalid number, the
 * valid prefix counts and a message is added.
 */
function integerOf(shell: Shell, text: string | undefined, output: Output): bigint {
  if (text === undefined || text === '') {
    return 0n
  }
  if (/^["']/.test(text)) return BigInt(characterCode(shell, text))
  const trimmed = text.trimStart()
  const [whole = ''] = /^[-+]?(?:0[xX][\da-fA-F]+|\d+#?[\w@]*|\d+)/.exec(trimmed) ?? []
  const match = /^([-+]?)(0[xX][\da-fA-F]+|0[0-7]*|[1-9]\d*)/.exec(trimmed)
  if (match === null || match[0] !== trimmed) {
    output.problems.push(`${text}: invalid ${/^[-+]?0[89]/.test(whole) ? 'octal number' : 'number'}`)
    output.status = 1
  }
  if (match === null) return 0n
  const digits = match[2] ?? '0'
  const value = parseArithmetic(digits)
  const isTooLarge = /^[1-9]\d{18,}$/.test(digits) && BigInt(digits) > (match[1] === '-' ? 2n ** 63n : 2n ** 63n - 1n)
  if (isTooLarge) {
    output.problems.push(`warning: ${text}: Numerical result out of range`)
    return match[1] === '-' ? -(2n ** 63n) : 2n ** 63n - 1n
  }
  if (value.type !== 'number') throw new ShellError(`${shell.name}: ${text}: invalid number`)
  return match[1] === '-' ? -value.value : value.value
}

function floatOf(text: string | undefined, output: Output): LongDouble {
  if (text === undefined || text === '') return parseLongDouble('0')
  if (/^["']/.test(text)) return parseLongDouble(String(text.codePointAt(1) ?? 0))
  const trimmed = text.trimStart()
  const number =
    /^[-+]?(?:0x(?:[\da-f]+\.?[\da-f]*|\.[\da-f]+)(?:p[-+]?\d+)?|(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|inf(?:inity)?|nan)/i
  const [all = ''] = number.exec(trimmed) ?? []
  if (all !== trimmed) {
    output.problems.push(`${text}: invalid number`)
    output.status = 1
  }
  return parseLongDouble(all)
}
