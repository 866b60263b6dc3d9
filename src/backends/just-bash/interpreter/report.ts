// Prints the messages of errors that end more than one command.

import { BrokenPipeError } from '../../../shell/commands.ts'
import type { ShellError } from './flow.ts'
import type { Shell } from './shell.ts'

/** Prints the message of `error` once, at the point of failure, while standard error and the line number still apply. */
export async function report(shell: Shell, error: ShellError): Promise<void> {
  if (error.isReported) return
  error.isReported = true
  try {
    await shell.complain(error.message)
  } catch (complaint) {
    // The reader of standard error has closed the pipe.
    if (!(complaint instanceof BrokenPipeError)) throw complaint
  }
}
