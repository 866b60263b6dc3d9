// A shell that a user or a program works in for some time. It keeps its directory, variables, functions and history between commands.

import type { ExitStatus, OutputChunk } from './shell.ts'

/** The size of a terminal, in characters. */
export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

/** The options of a session. */
export interface ShellSessionOptions {
  /** An absolute path; default the root. */
  readonly cwd?: string | undefined
  /** Variables that are added to the environment of the shell. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** The size of the terminal; default 80 by 24. */
  readonly columns?: number | undefined
  readonly rows?: number | undefined
  /** The origin of each command's changes. Called once for each command. */
  readonly origin?: (() => string) | undefined
  /**
   * Called before each command, which waits for the promise: it resolves with a note for the user, or rejects if the command must not run.
   * Returns `undefined` if there is nothing to wait for. A session of `input: 'keys'` does not know its commands and does not call it.
   */
  readonly before?: (() => Promise<string | undefined> | undefined) | undefined
}

/** The result of one command of a session. */
export interface SessionCommandEnd {
  readonly exit: ExitStatus
  /** The value of `$?`: 130 after Ctrl+C. */
  readonly exitCode: number
  /** The current directory of the session. */
  readonly cwd: string
  /** The end of the output, with both streams in the order in which they were written; at most 1 MiB. */
  readonly output: string
  /** The number of bytes before `output`. */
  readonly droppedBytes: number
  /** Input that was typed while the command ran and that it did not read. */
  readonly unread: string
}

/** The possible completions at the cursor. */
export interface ShellCompletion {
  /** The index at which the word to replace starts, in UTF-16 units of the line. */
  readonly start: number
  /** Sorted, and quoted for the line. A directory ends in `/`. */
  readonly words: readonly string[]
  /** Whether the list was shortened. */
  readonly isCut: boolean
}

/** The options of one command in a session. */
export interface SessionRunOptions {
  /** Interrupts the command, as Ctrl+C does. `run` then rejects with the reason. */
  readonly signal?: AbortSignal | undefined
}

/**
 * A session of a shell. `workspace.shell.open` returns it, also over a worker.
 *
 * ```ts
 * const shell = await workspace.shell.open({ actor: { kind: 'person' }, columns: 80, rows: 24 })
 * await shell.run('cd src && files=(*.ts)')
 * const { output, exitCode } = await shell.run('echo ${#files[@]} in $PWD')
 * ```
 */
export interface ShellSession {
  /** Part of `by.session` of every change. */
  readonly id: string
  /** `bash`, `jsh` or another shell. */
  readonly name: string
  /**
   * `lines`: commands arrive as whole lines, and `anchorage/terminal` edits them. `keys`: the shell has a terminal, shows its own prompt
   * and edits its lines itself; every key goes to `write`.
   */
  readonly input: 'lines' | 'keys'
  /**
   * All output that is shown, for one reader; ends with the session. A command waits for a slow reader. Without a reader, the
   * last mebibyte is kept.
   */
  readonly output: AsyncIterable<OutputChunk>
  /** Absolute, after the last command. The last known directory if the shell does not report it. */
  readonly cwd: string
  /** The exit code of the last command; `undefined` before the first. */
  readonly exitCode: number | undefined
  /** Whether a command runs. */
  readonly isBusy: boolean
  /** The commands so far, oldest first; at most 1,000. */
  readonly history: readonly string[]
  /** Resolves when the reader of `output` has handled everything that was written so far; at once without a reader. */
  drained(): Promise<void>
  /** Calls back when `cwd`, `exitCode`, `isBusy` or `history` has changed. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void
  /** Resolves when the session is over: by `exit`, `close` or a loss of the shell. Never rejects. */
  readonly ended: Promise<ExitStatus>
  /**
   * Sends input as a keyboard does. With `lines`: input of the running command, or without one, lines to run. `\x03` interrupts
   * the command, and `\x04` ends its input. Rejects with `session-over` after the session has ended.
   */
  write(data: string | Uint8Array): Promise<void>
  /**
   * Runs one command, which may have several lines, after those that were submitted before. Rejects with `session-over` if the
   * session has ended.
   */
  run(command: string, options?: SessionRunOptions): Promise<SessionCommandEnd>
  resize(columns: number, rows: number): Promise<void>
  /** Ends the running command: `interrupt` as Ctrl+C does, `kill` also if it does not respond. The session continues. */
  kill(signal?: 'interrupt' | 'kill'): Promise<'delivered' | 'already-exited'>
  /** The commands, paths and variables that are possible at `cursor`. Empty for a shell that completes by itself. */
  complete(line: string, cursor: number): Promise<ShellCompletion>
  /** Whether `line` is only the beginning of a command: an open quote, or `do` without `done`. */
  isIncomplete(line: string): Promise<boolean>
  /** Ends the session and everything that runs in it. May be called twice. */
  close(): Promise<void>
}
