// The port that a shell implements: only `start`. Collecting, limits, time-outs and draining are implemented once for all shells, in
// run.ts.

import type { VfsPath } from '../core/path.ts'
import type { ShellChanges } from './changes.ts'
import type { ShellSession, ShellSessionOptions } from './session.ts'

/** The command to run: a script, or a program with arguments. */
export type ShellCommand =
  /** Parsed by the shell, in its dialect. */
  | { readonly kind: 'script'; readonly script: string }
  /** Never parsed. */
  | { readonly kind: 'file'; readonly file: string; readonly args: readonly string[] }

/** Options of `Shell.start`. */
export interface StartOptions {
  readonly cwd?: VfsPath
  /** Variables that are added to the environment of the shell. */
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: Uint8Array
  readonly terminal?: { readonly columns: number; readonly rows: number }
  /** The time limit. A shell on the current thread cannot be interrupted from outside, so it must end the command by then. */
  readonly timeoutMs?: number
  /**
   * Whether no caller waits for the command. A shell with a limit on concurrent commands must not let it delay those that have a
   * waiting caller.
   */
  readonly isBackground?: boolean
  /** Aborts when the caller no longer waits for the start. A command that has not started by then must not start. */
  readonly signal?: AbortSignal
  /** The origin of its changes, for a shell that can use separate files for each command. */
  readonly origin?: string
}

/** A piece of output and the stream that it belongs to. */
export interface OutputChunk {
  /** `merged` if the shell cannot distinguish them. Chunks arrive in the order in which they were written. */
  readonly channel: 'stdout' | 'stderr' | 'merged'
  readonly bytes: Uint8Array
}

/** How a process ended. */
export type ExitStatus =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal?: string; readonly code?: number }
  /** The shell ended it when `timeoutMs` had elapsed. */
  | { readonly kind: 'timed-out' }
  /** Its end is unknown: it could not be killed, ran out of memory, or its runtime ended. */
  | { readonly kind: 'lost'; readonly why: string }

/** A running command. */
export interface ShellProcess {
  /** Ends when the process cannot write any more. */
  readonly output: AsyncIterable<OutputChunk>
  /** Never rejects. */
  readonly exit: Promise<ExitStatus>
  /** Writes to the standard input. */
  write(bytes: Uint8Array): Promise<void>
  /** Ends the process. The result says whether the signal could be delivered. */
  kill(signal?: 'term' | 'kill'): Promise<'delivered' | 'unsupported' | 'already-exited'>
  /** Its changes to the files so far; after `exit`, all of them. Only if the shell can distinguish its writes from others'. */
  readonly changes?: () => Promise<ShellChanges>
}

/** The features of a shell. The description of the bash tool is generated from them. */
export interface ShellCapabilities {
  readonly dialect: 'bash' | 'jsh' | 'posix'
  readonly splitStreams: boolean
  /** Whether both streams arrive in the order in which they were written. */
  readonly ordered: boolean
  readonly exactBytes: boolean
  /** Whether output arrives while the command runs. */
  readonly streaming: boolean
  readonly stdin: 'eof' | 'tty' | 'none'
  readonly kill: 'signal' | 'soft' | 'none'
  readonly concurrent: boolean
  /** False if files are copied in before a command and out after it. */
  readonly sharesVfs: boolean
  /** Whether its processes have `changes`. */
  readonly knowsChanges?: boolean
  readonly terminal: boolean
  /** Commands see the directory `workspace` of the files as `shell`. If absent, all paths are equal. */
  readonly directory?: { readonly workspace: VfsPath; readonly shell: string }
  /** A directory of the workspace for temporary files of a command. It need not exist. */
  readonly temporaryDirectory?: VfsPath
  readonly commands?: readonly string[]
  /** Sentences for the model about missing or different features, such as "`cmd &` runs in the foreground". */
  readonly notes: readonly string[]
}

/** The port that a shell implements: it starts commands. Collecting, limits and time-outs are done by the caller. */
export interface Shell {
  readonly capabilities: ShellCapabilities
  /** Rejects only if nothing was started. */
  start(command: ShellCommand, options?: StartOptions): Promise<ShellProcess>
  /**
   * Starts a session: a shell that keeps its directory, variables and functions between commands. `id` becomes `ShellSession.id`. Rejects
   * as `start` does. Absent if the shell has no sessions.
   */
  openSession?(id: string, options: ShellSessionOptions): Promise<ShellSession>
  /** Kills all running processes and sessions. May be called twice. */
  dispose(): Promise<void>
}
