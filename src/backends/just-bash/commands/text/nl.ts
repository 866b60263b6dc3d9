// nl: numbers lines, in logical pages of a header, a body and a footer.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { eachStream } from '../filter/each-input.ts'
import { mapLines } from '../filter/whole-lines.ts'
import { has, type OptionTable, optionTable, parseArguments, valueOf, wholeNumberOf } from '../options.ts'
import { complain } from '../program.ts'
import { posixRegex } from '../../regex/regex.ts'

const table: OptionTable = optionTable(`
  -b --body-numbering: body=, -h --header-numbering: header=, -f --footer-numbering: footer=,
  -d --section-delimiter: delimiter=, -l --join-blank-lines: blank=, -w --number-width: width=,
  -s --number-separator: separator=, -v --starting-line-number: start=, -n --number-format: format=, -i --line-increment: step=,
  -p --no-renumber: goes-on
`)

/** The options with a number, what it means, and the smallest one. */
const numbers = [
  ['width', 'line number field width', 1],
  ['start', 'starting line number', -Infinity],
  ['step', 'line number increment', -Infinity],
  ['blank', 'line number of blank lines', 1],
] as const

const sections = ['footer', 'body', 'header'] as const

export async function nl(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, table)
  if (typeof parsed === 'string') return complain(context, 'nl', parsed)
  const values: Record<string, number> = {}
  for (const [name, meaning, least] of numbers) {
    const written = valueOf(parsed, name)
    const value = written === undefined ? undefined : wholeNumberOf(written, least)
    if (written !== undefined && value === undefined) return complain(context, 'nl', `invalid ${meaning}: '${written}'`)
    if (value !== undefined) values[name] = value
  }
  const { width = 6, start = 1, step = 1, blank: joined = 1 } = values
  const isNumbered: Partial<Record<(typeof sections)[number], (line: string) => boolean>> = {}
  let blanks = 0
  for (const name of sections) {
    const style = valueOf(parsed, name) ?? (name === 'body' ? 't' : 'n')
    if (!/^[atnp]/.test(style)) return complain(context, 'nl', `invalid ${name} numbering style: '${style}'`)
    const pattern = style.startsWith('p') ? posixRegex(style.slice(1), { syntax: 'basic', escapes: 'none' }) : undefined
    isNumbered[name] = line => {
      if (pattern !== undefined) return pattern.test(line)
      if (!style.startsWith('a')) return style.startsWith('t') && line !== ''
      blanks = line === '' ? blanks + 1 : 0
      return line !== '' || blanks % joined === 0
    }
  }
  const format = valueOf(parsed, 'format') ?? 'rn'
  if (!/^(?:ln|rn|rz)$/.test(format))
    return complain(context, 'nl', `invalid line numbering format: '${format}'; valid are ln, rn and rz`)
  const separator = valueOf(parsed, 'separator') ?? '\t'
  const given = valueOf(parsed, 'delimiter') ?? '\\:'
  const delimiter = given.length === 1 ? `${given}:` : given
  let section: (typeof sections)[number] = 'body'
  let number = start
  const numbered = (line: string): string => {
    const marks =
      delimiter !== '' && line === delimiter.repeat(line.length / delimiter.length) ? line.length / delimiter.length : 0
    const begun = sections[marks - 1]
    if (begun !== undefined) {
      section = begun
      if (!has(parsed, 'goes-on')) number = start
      return ''
    }
    if (isNumbered[section]?.(line) !== true) return `${' '.repeat(width + separator.length)}${line}`
    const digits = String(Math.abs(number)).padStart(format === 'rz' ? width - (number < 0 ? 1 : 0) : 0, '0')
    const shown = `${number < 0 ? '-' : ''}${digits}`
    number += step
    return `${format === 'ln' ? shown.padEnd(width) : shown.padStart(width)}${separator}${line}`
  }
  return eachStream(context, 'nl', parsed.operands, input => mapLines(input, context.stdout, numbered, 'always'))
}
