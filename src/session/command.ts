// What the `bash` of every toolset checks before it runs a command.

import { ToolError } from '../core/errors.ts'
import type { Shell } from '../shell/shell.ts'
import type { Session } from './session.ts'

/** Throws `ToolError` for a command that no shell can run. */
export function checkCommand(command: string): void {
  if (command.trim() === '')
    throw new ToolError('invalid-arguments', 'The command is empty.', { nextStep: 'Give a command in "command".' })
  if (command.includes('\0'))
    throw new ToolError('invalid-arguments', 'The command contains a null byte.', {
      nextStep: "Remove it. To print a null byte, use printf '\\0'.",
    })
}

/** Throws `ToolError` `no-shell` in a workspace without a shell; `otherTools` says what the model can use instead. */
export async function openShell({ shell }: Session, otherTools: string): Promise<Shell> {
  if (shell.kind === 'available') return shell.open()
  throw new ToolError('no-shell', 'This workspace has no shell.', { nextStep: `Use ${otherTools} instead.` })
}
