// Lines in reverse, and lines side by side.

import { failed, type CommandContext, type CommandResult } from '../command.ts'
import { bytesOfArgument, bytesResult, readInputs, recordsOf } from '../inputs.ts'
import { has, parseArguments, valueOf } from '../options.ts'

/** `tac [FILE]...` */
export async function tac(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const parsed = parseArguments(args, {})
  if (typeof parsed === 'string') return failed('tac', parsed)
  const { found, problems } = await readInputs('tac', parsed.operands, context)
  const turned = found.map(({ bytes }) => (bytes.match(/[^\n]*\n|[^\n]+$/g) ?? []).toReversed().join(''))
  return bytesResult(turned.join(''), problems)
}

const delimiterEscapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '', '\\': '\\' }

/** `paste [-s] [-d LIST] [FILE]...`; each `-` takes lines of standard input in turn. */
export async function paste(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const parsed = parseArguments(args, {
    '-s': 'serial',
    '--serial': 'serial',
    '-d': 'delimiters=',
    '--delimiters': 'delimiters=',
    '-z': 'zero',
    '--zero-terminated': 'zero',
  })
  if (typeof parsed === 'string') return failed('paste', parsed)
  const list = [...(valueOf(parsed, 'delimiters') ?? '\t').matchAll(/\\([^])|([^])/gu)]
  const delimiters = list.map(([, escaped, plain = '']) =>
    bytesOfArgument(escaped === undefined ? plain : (delimiterEscapes[escaped] ?? escaped)),
  )
  const end = has(parsed, 'zero') ? '\0' : '\n'
  const names = parsed.operands.length === 0 ? ['-'] : parsed.operands
  const { found, problems } = await readInputs('paste', names, context)
  if (problems !== '' && !has(parsed, 'serial')) return bytesResult('', problems)
  const join = (cells: readonly string[]): string =>
    cells.map((cell, index) => (index === 0 ? '' : (delimiters[(index - 1) % delimiters.length] ?? '')) + cell).join('') + end
  if (has(parsed, 'serial')) return bytesResult(found.map(({ bytes }) => join(recordsOf(bytes, end))).join(''), problems)
  const stdinCount = names.filter(name => name === '-').length
  const shared = stdinCount === 0 ? [] : recordsOf(await context.readStdin(), end)
  let seen = 0
  const columns = found.map(({ name, bytes }) => {
    if (name !== '-') return recordsOf(bytes, end)
    const offset = seen
    seen += 1
    return shared.filter((_line, index) => index % stdinCount === offset)
  })
  const height = columns.reduce((most, column) => Math.max(most, column.length), 0)
  return bytesResult(Array.from({ length: height }, (_, row) => join(columns.map(column => column[row] ?? ''))).join(''))
}
