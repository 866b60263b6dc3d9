// Commands that a host adds to a shell which runs none of its programs itself. They work beside the files, wherever the shell runs.

import type { VfsPath } from '../core/path.ts'

export interface ShellCommandContext {
  readonly cwd: VfsPath
  /** Exported variables. */
  readonly env: Readonly<Record<string, string>>
  /** `undefined`: nothing is piped in. */
  readonly stdin: Uint8Array | undefined
  /** Aborts when the script that called the command is ended. */
  readonly signal: AbortSignal
}

export interface ShellCommandResult {
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
  readonly exitCode: number
}

export interface ShellCommandDefinition {
  /** As it is called in a script; it goes before a command of the shell's own that has the same name. */
  readonly name: string
  /** Rejects only for a bug or an abort: what goes wrong is told in `stderr` and `exitCode`. */
  run(args: readonly string[], context: ShellCommandContext): Promise<ShellCommandResult>
}
