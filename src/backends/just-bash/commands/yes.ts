// `yes | head -n 3` reads what it needs of an endless input. Pipes are strings here, so there is an end, and one far beyond what is read of it.

import { bytesOfArgument, bytesResult } from './inputs.ts'
import type { CommandContext, CommandResult } from './command.ts'

const printedBytes = 1024 * 1024

/** `yes [WORD]...`: a megabyte of the line. Says so where that is what it is used for, and not as an answer to questions. */
export async function yes(args: readonly string[], _context: CommandContext): Promise<CommandResult> {
  const line = `${bytesOfArgument((args[0] === '--' ? args.slice(1) : args).join(' ') || 'y')}\n`
  const count = Math.max(1, Math.floor(printedBytes / line.length))
  return bytesResult(line.repeat(count), `yes: stopped after ${count} lines: nothing here can be endless\n`, 0)
}
