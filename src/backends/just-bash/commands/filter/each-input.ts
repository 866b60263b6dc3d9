// A filter over the inputs that it was given by name, one after the other.

import type { ShellCommandContext, ShellInput } from '../../../../shell/commands.ts'
import { complain, reasonOf } from '../program.ts'
import { openInput } from './input.ts'

/** Gives each to `work`; what cannot be opened is reported, and makes the code 1. */
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
