// just-bash's cut drops lines that have no delimiter, and prints fields in the order asked for; scripts rely on what cut really does.

import { failed, type CommandContext, type CommandResult } from '../command.ts'
import { bytesOfArgument, bytesResult, readInputs, recordsOf, shownText } from '../inputs.ts'
import { has, parseArguments, valueOf, type OptionTable } from '../options.ts'

const table: OptionTable = {
  '-b': 'bytes=',
  '--bytes': 'bytes=',
  '-c': 'characters=',
  '--characters': 'characters=',
  '-f': 'fields=',
  '--fields': 'fields=',
  '-d': 'delimiter=',
  '--delimiter': 'delimiter=',
  '-s': 'only-delimited',
  '--only-delimited': 'only-delimited',
  '-n': 'ignored',
  '--complement': 'complement',
  '--output-delimiter': 'output=',
  '-z': 'zero',
  '--zero-terminated': 'zero',
}

type Range = readonly [first: number, last: number]

/** `cut -b|-c|-f LIST [-d X] [-s] [--complement] [--output-delimiter=X] [FILE]...`. Characters are whole ones, also beyond ASCII. */
export async function cut(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const parsed = parseArguments(args, table)
  if (typeof parsed === 'string') return failed('cut', parsed)
  const units = (['bytes', 'characters', 'fields'] as const).filter(name => has(parsed, name))
  const [unit] = units
  if (unit === undefined || units.length > 1)
    return failed('cut', 'you must specify one list of bytes (-b), characters (-c) or fields (-f)')
  const ranges = rangesOf(valueOf(parsed, unit) ?? '')
  if (typeof ranges === 'string') return failed('cut', ranges)
  const delimiter = bytesOfArgument(valueOf(parsed, 'delimiter') ?? '\t')
  if ([...shownText(delimiter)].length !== 1) return failed('cut', 'the delimiter must be a single character')
  const output = valueOf(parsed, 'output')
  const isWanted = (number: number): boolean =>
    ranges.some(([first, last]) => number >= first && number <= last) !== has(parsed, 'complement')
  const cutLine = (line: string): string | undefined => {
    if (unit === 'fields') {
      const fields = line.split(delimiter)
      if (fields.length === 1) return has(parsed, 'only-delimited') ? undefined : line
      return fields
        .filter((_field, index) => isWanted(index + 1))
        .join(output === undefined ? delimiter : bytesOfArgument(output))
    }
    if (unit === 'characters') return bytesOfArgument([...shownText(line)].filter((_part, index) => isWanted(index + 1)).join(''))
    return [...line].filter((_part, index) => isWanted(index + 1)).join('')
  }
  if (output !== undefined && unit !== 'fields') return failed('cut', '--output-delimiter is available here with -f only')
  const end = has(parsed, 'zero') ? '\0' : '\n'
  const { found, problems } = await readInputs('cut', parsed.operands, context)
  const lines = found.flatMap(({ bytes }) => recordsOf(bytes, end).flatMap(line => cutLine(line) ?? []))
  return bytesResult(lines.map(line => line + end).join(''), problems)
}

function rangesOf(list: string): readonly Range[] | string {
  const ranges: Range[] = []
  for (const part of list.split(/[, ]/)) {
    const [, from, dash, to] = /^(\d*)(-?)(\d*)$/.exec(part) ?? []
    if (from === undefined || (from === '' && to === '')) return `invalid list '${list}'; write for example 1,3-5,7-`
    const first = from === '' ? 1 : Number(from)
    const last = dash === '' ? first : to === '' ? Infinity : Number(to)
    if (first === 0) return 'fields and positions are numbered from 1'
    if (last < first) return `invalid decreasing range '${part}'`
    ranges.push([first, last])
  }
  return ranges
}
