// date: prints a time in the formats of GNU date. Setting the clock is not supported.

import { ownValue } from '../../../../core/record.ts'
import { decodeText, encodeText } from '../../../../shell/byte-text.ts'
import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { formatTime, inZone } from '../../format/time-format.ts'
import { versionText } from '../about.ts'
import { type Arguments, has, type OptionTable, optionTable, parseArguments, valueOf } from '../options.ts'
import { complain, pathOf, readNamed } from '../program.ts'
import { momentOf, parseTime, type Moment } from './parse-time.ts'
import { reasonOf } from '../../errno.ts'

const table: OptionTable = optionTable(`
  -d --date: date=, -f --file: file=, -r --reference: reference=, -u --utc --universal: utc,
  -R --rfc-email --rfc-822 --rfc-2822: mail, --iso-8601: iso?, --rfc-3339: rfc=, -s --set: set=, --help: help,
  --version: version
`)

const isoFormats: Readonly<Record<string, string>> = {
  date: '%F',
  hours: '%FT%H%:z',
  minutes: '%FT%H:%M%:z',
  seconds: '%FT%T%:z',
  ns: '%FT%T,%N%:z',
}

const rfcFormats: Readonly<Record<string, string>> = { date: '%F', seconds: '%F %T%:z', ns: '%F %T.%N%:z' }

const usage = 'Usage: date [-u] [-d TIME | -f FILE | -r FILE] [-I[UNIT] | -R | --rfc-3339=UNIT | +FORMAT]\n'
const noSetting = 'the clock cannot be set here; to show a time give it with -d'

export async function date(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args.flatMap(isoApart), table)
  if (typeof parsed === 'string') return complain(context, 'date', parsed)
  if (has(parsed, 'help') || has(parsed, 'version')) {
    await context.stdout.write(has(parsed, 'help') ? usage : versionText('date'))
    return 0
  }
  const [operand, ...rest] = parsed.operands
  if (rest.length > 0) return complain(context, 'date', `extra operand '${rest[0] ?? ''}'`)
  if (has(parsed, 'set') || operand?.startsWith('+') === false) {
    return complain(
      context,
      'date',
      operand === undefined || has(parsed, 'set') ? noSetting : `invalid date '${operand}'; ${noSetting}`,
    )
  }
  const sources = ['date', 'file', 'reference'].filter(name => has(parsed, name))
  if (sources.length > 1) return complain(context, 'date', 'the options to specify dates for printing are mutually exclusive')
  const format = formatOf(parsed, operand)
  if (typeof format !== 'string') return complain(context, 'date', format.problem)
  const zone = has(parsed, 'utc') ? '' : (context.env['TZ'] ?? '')
  if (inZone(0, zone) === undefined)
    return complain(context, 'date', `the time zone '${zone}' of TZ is not known here; write for example Europe/Berlin or UTC`)
  const moments = await momentsOf(parsed, zone, context)
  let code = 0
  for (const moment of moments) {
    if (typeof moment === 'string') {
      code = await complain(context, 'date', moment)
      continue
    }
    const time = inZone(moment.seconds * 1000, zone)
    if (time === undefined) throw new Error('unreachable: the zone was looked up above')
    await context.stdout.write(encodeText(`${formatTime(format, { ...time, nanoseconds: moment.nanoseconds })}\n`))
  }
  return code
}

/** Rewrites -I: its value is optional and never the next argument. */
function isoApart(arg: string): readonly string[] {
  const [, others, unit = ''] = /^-([uR]*)I([a-z]*)$/.exec(arg) ?? []
  if (others === undefined) return [arg]
  return [...(others === '' ? [] : [`-${others}`]), unit === '' ? '--iso-8601' : `--iso-8601=${unit}`]
}

/** The times to print; a string is an error message. */
async function momentsOf(parsed: Arguments, zone: string, context: ShellCommandContext): Promise<readonly (Moment | string)[]> {
  const nowMs = Date.now()
  const reference = valueOf(parsed, 'reference')
  const file = valueOf(parsed, 'file')
  const text = valueOf(parsed, 'date')
  try {
    if (reference !== undefined) return [momentOf((await context.files.stat(pathOf(context, reference))).mtimeMs)]
    if (file !== undefined) {
      const lines = decodeText(await readNamed(context, file)).replace(/\n$/, '')
      return lines === '' ? [] : lines.split('\n').map(line => understood(line, nowMs, zone))
    }
  } catch (error) {
    return [`${reference ?? file ?? ''}: ${reasonOf(error)}`]
  }
  return [text === undefined ? momentOf(nowMs) : understood(text, nowMs, zone)]
}

function understood(text: string, nowMs: number, zone: string): Moment | string {
  return (
    parseTime(text, nowMs, zone) ??
    `invalid date '${text}'; write for example '2024-01-31 12:00', '2 days ago', 'next monday' or '@SECONDS'`
  )
}

function formatOf(parsed: Arguments, operand: string | undefined): string | { readonly problem: string } {
  const kinds = ['iso', 'rfc', 'mail'].filter(name => has(parsed, name))
  if (kinds.length + (operand === undefined ? 0 : 1) > 1) return { problem: 'multiple output formats specified' }
  const iso = valueOf(parsed, 'iso')
  const rfc = valueOf(parsed, 'rfc')
  if (iso !== undefined) return chosen(isoFormats, iso === '' ? 'date' : iso, '--iso-8601')
  if (rfc !== undefined) return chosen(rfcFormats, rfc, '--rfc-3339')
  if (has(parsed, 'mail')) return '%a, %d %b %Y %T %z'
  return operand?.slice(1) ?? '%a %b %e %T %Z %Y'
}

/** Finds the format by a prefix of its name. */
function chosen(formats: Readonly<Record<string, string>>, given: string, option: string): string | { readonly problem: string } {
  const name = Object.keys(formats).find(known => known.startsWith(given))
  const format = name === undefined ? undefined : ownValue(formats, name)
  return format ?? { problem: `invalid argument '${given}' for '${option}'; valid are ${Object.keys(formats).join(', ')}` }
}
