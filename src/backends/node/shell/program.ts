// The program that runs the scripts.

import { access, constants } from 'node:fs/promises'
import { AnchorageError } from '../../../core/errors.ts'
import type { ShellCapabilities, ShellCommand } from '../../../shell/shell.ts'

export interface ShellProgram {
  readonly dialect: ShellCapabilities['dialect']
  readonly argumentsFor: (command: ShellCommand) => readonly [file: string, args: readonly string[]]
}

/** Rejects with `AnchorageError` `no-such-shell`. */
export async function programOf(shell: string): Promise<ShellProgram> {
  await access(shell, constants.X_OK).catch((cause: unknown) => {
    throw new AnchorageError(
      'no-such-shell',
      `The program ${shell} to run commands with does not exist. Next: set \`shell\` to an existing one.`,
      {
        cause,
      },
    )
  })
  return {
    dialect: /(?:^|\/)(?:bash|zsh)$/.test(shell) ? 'bash' : 'posix',
    argumentsFor: command => {
      if (command.kind === 'script') return [shell, ['-c', command.script]]
      // The shell only finds the program: the script is constant.
      return [shell, ['-c', '"$@"', shell, command.file, ...command.args]]
    },
  }
}
