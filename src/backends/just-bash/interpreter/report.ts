// Prints the messages of errors that end more than one command.

import { BrokenPipeError } from '../../../shell/commands.ts'
import { ArithmeticError, ExitFlow, type ShellError } from './flow.ts'
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

/** Under `set -e`, an error of the shell itself ends it at once, also in a condition. A wrong number does not. */
export function endIfStrict(shell: Shell, error?: ShellError): void {
  if (shell.has('errexit') && !(error instanceof ArithmeticError)) throw new ExitFlow(shell.status || 1)
}
