// What a command gets and gives that works on its whole input at once: standard input and binary output are strings of one character for
// each byte.

import type { CommandFiles } from './text-files.ts'

export interface CommandResult {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
  /** `bytes`: `stdout` has one character for each byte. Default `text`. */
  readonly stdoutKind?: 'text' | 'bytes'
}

export interface CommandContext {
  readonly fs: CommandFiles
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Prints bytes, one character each, before the command is over: whoever reads only the beginning need not wait for the rest. */
  readonly print: (bytes: string) => Promise<void>
  /** All of standard input, one character for each byte. It is read when it is first asked for: what needs none leaves it to the next command. */
  readonly readStdin: () => Promise<string>
  /** Its `aborted` is true as soon as the script must end, whether or not an event could say so. */
  readonly signal: AbortSignal
  /** Runs `file` as the script would, and ends it with `signal` too. It reads this command's own input where no `stdin` is given. */
  readonly exec: (file: string, args: readonly string[], signal?: AbortSignal, stdin?: string) => Promise<CommandResult>
}

export interface OwnCommand {
  readonly name: string
  readonly run: (args: readonly string[], context: CommandContext) => Promise<CommandResult>
}

export function failed(name: string, problem: string, exitCode = 1): CommandResult {
  return { stdout: '', stderr: `${name}: ${problem}\n`, exitCode }
}
