// seq: prints a sequence of numbers.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { formatNumber } from '../../format/number-format.ts'
import { complain } from '../program.ts'
import { letOthersRun } from '../stop.ts'

export async function seq(context: ShellCommandContext): Promise<number> {
  let format: string | undefined
  let separator = '\n'
  let isPadded = false
  const operands: string[] = []
  const { args } = context
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    // As in GNU, options end at the first operand.
    if (operands.length > 0) operands.push(arg)
    else if (arg === '-f' || arg === '--format') format = args[(index += 1)]
    else if (arg.startsWith('--format=')) format = arg.slice(9)
    else if (arg === '-s' || arg === '--separator') separator = args[(index += 1)] ?? ''
    else if (arg.startsWith('--separator=')) separator = arg.slice(12)
    else if (/^-s./.test(arg)) separator = arg.slice(2)
    else if (arg === '-w' || arg === '--equal-width') isPadded = true
    else if (arg !== '--') operands.push(arg)
  }
  if (format !== undefined && isPadded)
    return complain(context, 'seq', 'format string may not be specified when printing equal width strings')
  const wrongFormat = format === undefined ? undefined : formatProblem(format)
  if (wrongFormat !== undefined) return complain(context, 'seq', wrongFormat)
  if (operands.length === 0) return complain(context, 'seq', 'missing operand')
  if (operands.length > 3) return complain(context, 'seq', `extra operand '${operands[3] ?? ''}'`)
  // `inf` is valid only as the last number.
  if (operands.at(-1) === 'inf') operands[operands.length - 1] = 'Infinity'
  const wrong = operands.find(
    (operand, index) =>
      !/^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$|^0[xX][\da-fA-F]+$/.test(operand) &&
      !(operand === 'Infinity' && index === operands.length - 1),
  )
  if (wrong !== undefined) return complain(context, 'seq', `invalid floating point argument: '${wrong}'`)
  const [first = '1', step = '1', last = '1'] =
    operands.length === 1 ? ['1', '1', operands[0]] : operands.length === 2 ? [operands[0], '1', operands[1]] : operands
  const [from, by, to] = [Number(first), Number(step), Number(last)]
  if (by === 0) return complain(context, 'seq', `invalid Zero increment value: '${step}'`)
  const places = Math.max(decimalPlaces(first), decimalPlaces(step))
  // Integers beyond 2^53 are counted as bigints.
  const isLarge =
    format === undefined && operands.every(text => /^[-+]?\d+$/.test(text)) && Math.max(-from, -to, from, to) > 2 ** 53
  const count = isLarge
    ? (to - from) / by < 0
      ? 0
      : Number((BigInt(last) - BigInt(first)) / BigInt(step)) + 1
    : Math.floor((to - from) / by + 1e-10) + 1
  const width =
    isPadded && count < Infinity ? Math.max(from.toFixed(places).length, (from + (count - 1) * by).toFixed(places).length) : 0
  const show = (value: number): string => {
    if (format !== undefined) return formatted(format, value)
    const text = value.toFixed(places)
    return value < 0 ? `-${text.slice(1).padStart(width - 1, '0')}` : text.padStart(width, '0')
  }
  const exact = (index: number): string => (BigInt(first) + BigInt(index) * BigInt(step)).toString().padStart(width, '0')
  let part: string[] = []
  for (let index = 0; index < count; index++) {
    part.push((index === 0 ? '' : separator) + (isLarge ? exact(index) : show(from + index * by)))
    if (part.length < 4096) continue
    await context.stdout.write(part.join(''))
    part = []
    await letOthersRun(context.signal)
  }
  if (count > 0) await context.stdout.write(`${part.join('')}\n`)
  return 0
}

/** How many decimal places a number has as it is written: `1e-1` has one, `1.50e1` has one. */
function decimalPlaces(text: string): number {
  const [, digits = '', exponent = '0'] = /^[-+]?\d*(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/.exec(text) ?? []
  return Math.max(0, digits.length - Number(exponent))
}

/** A format has one directive for a floating-point number. */
function formatProblem(format: string): string | undefined {
  const directives = Array.from(format.replaceAll('%%', '').matchAll(/%([-+ 0#']*\d*(?:\.\d*)?)(.?)/gs))
  const [first, second] = directives
  if (first === undefined) return `format '${format}' has no % directive`
  const [, , letter = ''] = first
  if (letter === '') return `format '${format}' ends in %`
  if (!/[efgaEFGA]/.test(letter)) return `format '${format}' has unknown %${letter} directive`
  return second === undefined ? undefined : `format '${format}' has too many % directives`
}

function formatted(format: string, value: number): string {
  return format.replace(
    /%([-+ 0#']*)(\d*)(?:\.(\d+))?([efgEFG%])/g,
    (_, flags: string, width: string, precision: string | undefined, letter: string) =>
      letter === '%'
        ? '%'
        : formatNumber(value, {
            flags,
            width: Number(width),
            precision: precision === undefined ? -1 : Number(precision),
            letter,
          }),
  )
}
