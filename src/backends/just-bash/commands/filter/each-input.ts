// Runs a filter over its input files in order.

import type { ShellCommandContext, ShellInput } from '../../../../shell/commands.ts'
import { complain } from '../program.ts'
import { openInput } from './input.ts'
import { reasonOf } from '../../errno.ts'

/** Calls `work` for each input. An input that cannot be opened is reported and makes the exit code 1. */
export async function eachStream(
  context: ShellCommandContext,
  command: string,
  names: readonly string[],
  work: (input: ShellInput) => Promise<void>,
): Promise<number> {
  let code = 0
  for (const name of names.length === 0 ? ['-'] : names) {
    let input: ShellInput
    try {
      input = await openInput(name, context)
    } catch (error) {
      code = await complain(context, command, `${name}: ${reasonOf(error)}`)
      continue
    }
    await work(input)
  }
  return code
}
