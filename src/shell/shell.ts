// The port that a shell implements: only `start`. Collecting, limits, time-outs and draining are implemented once for all shells, in
// run.ts.

import type { VfsPath } from '../core/path.ts'
import type { ShellChanges } from './changes.ts'
import type { ShellSession, ShellSessionOptions } from './session.ts'

/** What a shell runs: a script, or a program with its arguments. */
export type ShellCommand =
  /** Parsed by the shell in its dialect. */
  | { readonly kind: 'script'; readonly script: string }
  /** Never parsed. */
  | { readonly kind: 'file'; readonly file: string; readonly args: readonly string[] }

/** Options of `Shell.start`. */
export interface StartOptions {
  readonly cwd?: VfsPath
  /** Added to the shell's environment. */
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: Uint8Array
  readonly terminal?: { readonly columns: number; readonly rows: number }
  /** A shell in our thread cannot be interrupted from outside, so it must end the command by this time. */
  readonly timeoutMs?: number
  /** Nobody waits for it: a shell that runs only so many commands at once must not let it hold up those that somebody waits for. */
  readonly isBackground?: boolean
  /** The origin of its changes, for a shell that can use different files for each command. */
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
  /** It ended itself when `timeoutMs` was over. */
  | { readonly kind: 'timed-out' }
  /** Its end is unknown: it could not be killed, ran out of memory, or its runtime ended. */
  | { readonly kind: 'lost'; readonly why: string }

/** A running command. */
export interface ShellProcess {
  /** Ends when the process can write no more. */
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

/** What a shell can do. The bash tool's description is generated from it. */
export interface ShellCapabilities {
  readonly dialect: 'bash' | 'jsh' | 'posix'
  readonly splitStreams: boolean
  /** Both streams arrive in the order in which they were written. */
  readonly ordered: boolean
  readonly exactBytes: boolean
  /** Output arrives while the command runs. */
  readonly streaming: boolean
  readonly stdin: 'eof' | 'tty' | 'none'
  readonly kill: 'signal' | 'soft' | 'none'
  readonly concurrent: boolean
  /** False: files are copied in before a command and out after it. */
  readonly sharesVfs: boolean
  /** Its processes have `changes`. */
  readonly knowsChanges?: boolean
  readonly terminal: boolean
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
