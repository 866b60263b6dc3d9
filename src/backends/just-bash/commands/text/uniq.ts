// just-bash's uniq has no -D, -f, -s, -w and -z, writes no output file, and pads its counts otherwise than scripts cut them.

import { failed, type CommandContext, type CommandResult } from '../command.ts'
import { bytesResult, readInputs, recordsOf } from '../inputs.ts'
import { latin1Bytes } from '../../encoding.ts'
import { has, parseArguments, valueOf, type OptionTable } from '../options.ts'

const table: OptionTable = {
  '-c': 'count',
  '--count': 'count',
  '-d': 'repeated',
  '--repeated': 'repeated',
  '-D': 'all-repeated',
  '--all-repeated': 'all-repeated',
  '-u': 'unique',
  '--unique': 'unique',
  '-i': 'ignore-case',
  '--ignore-case': 'ignore-case',
  '-f': 'fields=',
  '--skip-fields': 'fields=',
  '-s': 'skip=',
  '--skip-chars': 'skip=',
  '-w': 'width=',
  '--check-chars': 'width=',
  '-z': 'zero',
  '--zero-terminated': 'zero',
}

/** `uniq [-cdDuiz] [-f N] [-s N] [-w N] [INPUT [OUTPUT]]` */
export async function uniq(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const parsed = parseArguments(args, table)
  if (typeof parsed === 'string') return failed('uniq', parsed)
  const [input = '-', output, ...rest] = parsed.operands
  if (rest.length > 0) return failed('uniq', `extra operand '${rest[0] ?? ''}'`)
  const [fields, skip, width] = ['fields', 'skip', 'width']
    .map(name => valueOf(parsed, name))
    .map(text => (text === undefined ? undefined : Number(text)))
  if ([fields, skip, width].some(count => Number.isNaN(count))) return failed('uniq', 'the values of -f, -s and -w are numbers')
  const end = has(parsed, 'zero') ? '\0' : '\n'
  const keyOf = (line: string): string => {
    const rest = fields === undefined ? line : line.replace(new RegExp(`^(?:[ \\t]*[^ \\t]*){0,${fields}}`), '')
    const key = rest.slice(skip ?? 0, width === undefined ? undefined : (skip ?? 0) + width)
    return has(parsed, 'ignore-case') ? key.toLowerCase() : key
  }
  const { found, problems } = await readInputs('uniq', [input], context)
  const groups: { key: string; lines: string[] }[] = []
  for (const line of found.flatMap(({ bytes }) => recordsOf(bytes, end))) {
    const key = keyOf(line)
    const last = groups.at(-1)
    if (last?.key === key) last.lines.push(line)
    else groups.push({ key, lines: [line] })
  }
  const shown = groups
    .filter(({ lines }) => !((has(parsed, 'repeated') || has(parsed, 'all-repeated')) && lines.length === 1))
    .filter(({ lines }) => !(has(parsed, 'unique') && lines.length > 1))
    .flatMap(({ lines }) => {
      if (has(parsed, 'all-repeated')) return lines
      return `${has(parsed, 'count') ? `${String(lines.length).padStart(7)} ` : ''}${lines[0] ?? ''}`
    })
  const text = shown.map(line => line + end).join('')
  if (output === undefined || problems !== '') return bytesResult(text, problems)
  await context.fs.writeFile(context.fs.resolvePath(context.cwd, output), latin1Bytes(text))
  return bytesResult('')
}
