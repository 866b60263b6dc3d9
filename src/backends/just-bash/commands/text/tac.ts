// tac: lines in reverse.

import { failed, type CommandContext, type CommandResult } from '../command.ts'
import { bytesResult, readInputs } from '../inputs.ts'
import { parseArguments } from '../options.ts'

/** `tac [FILE]...` */
export async function tac(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const parsed = parseArguments(args, {})
  if (typeof parsed === 'string') return failed('tac', parsed)
  const { found, problems } = await readInputs('tac', parsed.operands, context)
  const turned = found.map(({ bytes }) => (bytes.match(/[^\n]*\n|[^\n]+$/g) ?? []).toReversed().join(''))
  return bytesResult(turned.join(''), problems)
}
