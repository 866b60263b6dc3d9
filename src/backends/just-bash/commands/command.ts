// The interface of commands that work on their whole input at once: standard input and binary output are byte strings (one
// character per byte).

import { complaintOf } from './options.ts'
import type { CommandFiles } from './text-files.ts'

export interface CommandResult {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
  /** `bytes`: `stdout` is a byte string, with one character per byte. Default `text`. */
  readonly stdoutKind?: 'text' | 'bytes'
}

export interface CommandContext {
  readonly fs: CommandFiles
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Prints a byte string while the command still runs, so that a consumer that reads only the beginning need not wait for the rest. */
  readonly print: (bytes: string) => Promise<void>
  /** Prints a message to standard error while the command still runs, so that it stands between the outputs. */
  readonly complain: (message: string) => Promise<void>
  /**
   * All of standard input as a byte string. It is read at the first call, so that a command that does not need it leaves it to
   * the next one.
   */
  readonly readStdin: () => Promise<string>
  /** The path of standard input, if it is a regular file. */
  readonly stdinPath: string | undefined
  /** `aborted` becomes true as soon as the script must end, even while no event can be delivered. */
  readonly signal: AbortSignal
  /** Runs `file` as the script would; `signal` ends it too. Without `stdin`, it reads the input of this command. */
  readonly exec: (file: string, args: readonly string[], signal?: AbortSignal, stdin?: string) => Promise<CommandResult>
}

export interface OwnCommand {
  readonly name: string
  readonly run: (args: readonly string[], context: CommandContext) => Promise<CommandResult>
}

export function failed(name: string, problem: string, exitCode = 1): CommandResult {
  return { stdout: '', stderr: complaintOf(name, problem), exitCode }
}
