// just-bash's date knows no steps ("2 days ago"), no -I with a unit and no -r, and prints `%-d` as it stands. The time is found here; how it is
// written stays its own, but for what it does not know.

import { failed, type CommandContext, type CommandResult } from '../command.ts'
import { reasonOf } from '../inputs.ts'
import { has, parseArguments, valueOf, type Arguments, type OptionTable } from '../options.ts'
import { parseTime } from './parse-time.ts'

const table: OptionTable = {
  '-d': 'date=',
  '--date': 'date=',
  '-r': 'reference=',
  '--reference': 'reference=',
  '-u': 'utc',
  '--utc': 'utc',
  '--universal': 'utc',
  '-R': 'mail',
  '--rfc-email': 'mail',
  '--rfc-2822': 'mail',
  '--iso': 'iso=',
  '--rfc-3339': 'rfc=',
}

const isoFormats: Readonly<Record<string, string>> = {
  date: '%F',
  hours: '%FT%H%:z',
  minutes: '%FT%H:%M%:z',
  seconds: '%FT%T%:z',
  ns: '%FT%T,%9N%:z',
}

/** `date [-u] [-d TIME | -r FILE] [-I[UNIT] | -R | +FORMAT]`. */
export async function date(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const parsed = parseArguments(args.map(isoApart), table)
  if (typeof parsed === 'string') return failed('date', parsed)
  const [operand, ...rest] = parsed.operands
  if (rest.length > 0) return failed('date', `extra operand '${rest[0] ?? ''}'`)
  if (operand?.startsWith('+') === false) return failed('date', 'the clock cannot be set here; to show a time give it with -d')
  const zone = context.env['TZ'] ?? ''
  const isUtc = has(parsed, 'utc') || /^(?:|UTC0?|GMT|Etc\/UTC)$/.test(zone)
  const text = valueOf(parsed, 'date')
  let timeMs = Date.now()
  const reference = valueOf(parsed, 'reference')
  if (reference !== undefined) {
    try {
      timeMs = (await context.fs.stat(context.fs.resolvePath(context.cwd, reference))).mtime.getTime()
    } catch (error) {
      return failed('date', `${reference}: ${reasonOf(error)}`)
    }
  } else if (text !== undefined) {
    // Times of day are of the zone, which only its own knows.
    if (!isUtc && !/^\s*(?:now\b[^:]*|@[\d.]+|[+-]?\s*\d+ \w+(?: ago)?)$/.test(text)) return context.original(args)
    const found = parseTime(text, timeMs)
    if (found === undefined)
      return failed(
        'date',
        `invalid date '${text}'; write for example '2024-01-31 12:00', '2 days ago', 'next monday' or '@SECONDS'`,
      )
    timeMs = found
  }
  const format = formatOf(parsed, operand)
  if (typeof format !== 'string') return failed('date', format.problem)
  const result = await context.original([
    ...(has(parsed, 'utc') ? ['-u'] : []),
    '-d',
    new Date(timeMs).toISOString(),
    `+${prepared(format, timeMs)}`,
  ])
  return { ...result, stdout: finished(result.stdout) }
}

/** Its value is optional, and never the next argument. */
function isoApart(arg: string): string {
  const [, value = ''] = /^(?:-I|--iso-8601=?)([a-z]*)$/.exec(arg) ?? []
  return /^(?:-I|--iso-8601)/.test(arg) ? `--iso=${value || 'date'}` : arg
}

function formatOf(parsed: Arguments, operand: string | undefined): string | { readonly problem: string } {
  const iso = valueOf(parsed, 'iso')
  const rfc = valueOf(parsed, 'rfc')
  if (iso !== undefined)
    return isoFormats[iso] ?? { problem: `invalid argument '${iso}' for -I; known are ${Object.keys(isoFormats).join(' ')}` }
  if (rfc !== undefined)
    return isoFormats[rfc]?.replace('T%', ' %').replace(',', '.') ?? { problem: `invalid argument '${rfc}' for --rfc-3339` }
  if (has(parsed, 'mail')) return '%a, %d %b %Y %T %z'
  return operand?.slice(1) ?? '%a %b %e %T %Z %Y'
}

// Characters that nobody writes stand around what is changed afterwards.
const [short, colon, end] = ['\u{10f7c0}', '\u{10f7c1}', '\u{10f7c2}']

function prepared(format: string, timeMs: number): string {
  const nanoseconds = `${
    String(((timeMs % 1000) + 1000) % 1000)
      .split('.')[0]
      ?.padStart(3, '0') ?? ''
  }000000`
  return format.replace(/%(?:%|(\d)N|N|-([a-zA-Z])|:z)/g, (all, digits?: string, plain?: string) => {
    if (all === '%%') return all
    if (digits !== undefined) return nanoseconds.slice(0, Number(digits))
    if (all === '%N') return nanoseconds
    return plain === undefined ? `${colon}%z${end}` : `${short}%${plain}${end}`
  })
}

function finished(output: string): string {
  return output
    .replace(new RegExp(`${short}[0 ]*([^${end}]+)${end}`, 'gu'), '$1')
    .replace(new RegExp(`${colon}([+-]\\d\\d)(\\d\\d)${end}`, 'gu'), '$1:$2')
}
