// The port that a shell implements: `start` only. Collecting, caps, time-outs and draining stand once above it, in run.ts.

import type { VfsPath } from '../core/path.ts'
import type { ShellChanges } from './changes.ts'

/** What a shell runs: a script, or a program with its arguments. */
export type ShellCommand =
  /** Parsed by the shell's own dialect. */
  | { readonly kind: 'script'; readonly script: string }
  /** Never parsed. */
  | { readonly kind: 'file'; readonly file: string; readonly args: readonly string[] }

/** Options of `Shell.start`. */
export interface StartOptions {
  readonly cwd?: VfsPath
  /** Added to the shell's own environment. */
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: Uint8Array
  readonly terminal?: { readonly columns: number; readonly rows: number }
  /** A shell that runs on our own thread cannot be interrupted from outside: it must end itself by this time. */
  readonly timeoutMs?: number
  /** The name that its changes go under, for a shell that can be given files for each command. */
  readonly origin?: string
}

/** A piece of output and the stream that it belongs to. */
export interface OutputChunk {
  /** `merged` where the shell cannot tell them apart. Chunks arrive in the order they were written. */
  readonly channel: 'stdout' | 'stderr' | 'merged'
  readonly bytes: Uint8Array
}

/** How a process ended. */
export type ExitStatus =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal?: string; readonly code?: number }
  /** It ended itself because `timeoutMs` was over. */
  | { readonly kind: 'timed-out' }
  /** Nobody can say how it ended: it could not be killed, ran out of memory, or its runtime went away. */
  | { readonly kind: 'lost'; readonly why: string }

/** A running command. */
export interface ShellProcess {
  /** Ends when the process can write no more. */
  readonly output: AsyncIterable<OutputChunk>
  /** Never rejects. */
  readonly exit: Promise<ExitStatus>
  /** Writes to the standard input. */
  write(bytes: Uint8Array): Promise<void>
  /** Ends the process; the answer says whether the signal could be delivered. */
  kill(signal?: 'term' | 'kill'): Promise<'delivered' | 'unsupported' | 'already-exited'>
  /** What it did to the files so far; after `exit`, all of it. Only where the shell can tell its own writes from others'. */
  readonly changes?: () => Promise<ShellChanges>
}

/** What a shell can do. The bash tool's description is generated from it. */
export interface ShellCapabilities {
  readonly dialect: 'bash' | 'jsh' | 'posix'
  readonly splitStreams: boolean
  /** Both streams in the order they were written. */
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
  /** Sentences for the model about what is missing or different, such as "`cmd &` runs in the foreground". */
  readonly notes: readonly string[]
}

/** The port that a shell implements: it starts commands. Collecting, limits and time-outs are done by the caller. */
export interface Shell {
  readonly capabilities: ShellCapabilities
  /** Rejects only if nothing was started. */
  start(command: ShellCommand, options?: StartOptions): Promise<ShellProcess>
  /** Kills what runs. Calling it twice is fine. */
  dispose(): Promise<void>
}
