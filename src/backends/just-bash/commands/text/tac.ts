// tac: records in reverse, lines by default.

import { failed, type CommandContext, type CommandResult } from '../command.ts'
import { bytesOfArgument, bytesResult, readInputs } from '../inputs.ts'
import { has, parseArguments, valueOf } from '../options.ts'

/** `tac [-b] [-s SEPARATOR] [FILE]...` */
export async function tac(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const parsed = parseArguments(args, { '-s': 'separator=', '--separator': 'separator=', '-b': 'before', '--before': 'before' })
  if (typeof parsed === 'string') return failed('tac', parsed)
  const separator = bytesOfArgument(valueOf(parsed, 'separator') ?? '\n') || '\0'
  const { found, problems } = await readInputs('tac', parsed.operands, context)
  const turned = found.map(({ bytes }) => recordsOf(bytes, separator, has(parsed, 'before')).toReversed().join(''))
  return bytesResult(turned.join(''), problems)
}

/** Each with the separator behind it, or before it. */
function recordsOf(bytes: string, separator: string, isBefore: boolean): string[] {
  const parts = bytes.split(separator)
  return isBefore
    ? parts.map((part, index) => (index === 0 ? part : separator + part))
    : parts.map((part, index) => (index === parts.length - 1 ? part : part + separator))
}
