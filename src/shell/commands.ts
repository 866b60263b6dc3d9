// A command of a shell: built into the shell, from the workspace (`rg`), or from a host.

import { joinBytes } from '../core/bytes.ts'
import type { StartWorker } from '../core/start-worker.ts'
import { encodeText } from './byte-text.ts'
import type { Awaitable, ShellFiles } from './files.ts'
import { mostInputBytes } from './input-limit.ts'

/** The input of a command, which is read in chunks, so that endless input can be interrupted. */
export interface ShellInput {
  /** False if the command was given no input. For commands that read their input only if there is one (`rg word`). */
  readonly isGiven: boolean
  /** True if it is a pipe, which does not support seeking. */
  readonly isPipe?: boolean
  /** The absolute path, if it is a regular file. */
  readonly path?: string
  /** Returns the next bytes, at least one, or `undefined` at the end of input. Must be awaited. */
  read(): Awaitable<Uint8Array | undefined>
}

/** The output of a command. Text is encoded as UTF-8. */
export interface ShellOutput {
  /** The path of the output, if it is a file: `cat f >> f` must not read what it writes. */
  readonly path?: string
  /**
   * Must be awaited: it waits until the reader has space. Throws a `BrokenPipeError` if the reader has ended, as in `yes | head`.
   * Do not catch that error: the shell ends the command without a message.
   */
  write(data: Uint8Array | string): Awaitable<void>
  /** Whether the reader of a pipe has ended. For a command that waits without writing. */
  isBroken?(): boolean
}

/** The reader of the output has ended. */
export class BrokenPipeError extends Error {
  override readonly name = 'BrokenPipeError'
  readonly code = 'EPIPE'

  constructor() {
    super('EPIPE: the reader of this output has ended')
  }
}

export interface ExecOptions {
  /** Default: the streams of the calling command. */
  readonly stdin?: ShellInput
  readonly stdout?: ShellOutput
  readonly stderr?: ShellOutput
  readonly cwd?: string
  /** All variables of the environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Ends the command when it aborts. */
  readonly signal?: AbortSignal
  /**
   * Signals that the command and all that it has started get at their times, the earliest first. A busy script gets them too, although
   * it lets no timer fire.
   */
  readonly signals?: readonly TimedSignal[]
}

/** A signal that is sent at a time. */
export interface TimedSignal {
  /** As of `performance.now()`. */
  readonly atMs: number
  /** A name, with or without `SIG`, or a number. */
  readonly signal: string
  readonly onSent?: () => void
}

/** The context of a host command. */
export interface ShellCommandContext {
  /**
   * The arguments, without the name of the command. Bytes that are not UTF-8 are lone surrogates; `encodeText` (byte-text.ts)
   * converts an argument back to bytes.
   */
  readonly args: readonly string[]
  /** An absolute path. Use `resolveFrom(cwd, argument)` (files.ts) to make a path from an argument. */
  readonly cwd: string
  /** Exported variables. */
  readonly env: Readonly<Record<string, string>>
  readonly stdin: ShellInput
  readonly stdout: ShellOutput
  readonly stderr: ShellOutput
  readonly files: ShellFiles
  /** The permissions that new files do not get, as `umask` sets them. Default 0o022. */
  readonly umask?: number | undefined
  /** The origin of the script's changes, for a command that changes files in another way than through `files`. */
  readonly origin?: string | undefined
  /** Aborts when the script that called the command is ended. A loop without input and output must check `signal.aborted` regularly. */
  readonly signal: AbortSignal
  /** Starts a worker for a command that runs in one, where this thread should not start it directly. */
  readonly startWorker?: StartWorker | undefined
  /**
   * Runs another command of the shell, given as words, which are not parsed (`['sh', '-c', text]` runs a script). Returns its exit code.
   * Absent if the command does not run in the same thread as the interpreter.
   */
  readonly exec?: (words: readonly string[], options?: ExecOptions) => Promise<number>
}

/** A command that the host adds to the shell. */
export interface ShellCommandDefinition {
  /** The name in scripts. It has priority over a command of the shell with the same name. */
  readonly name: string
  /** What it does, in one sentence, for the tool's description and `help`. */
  readonly help?: string
  /**
   * Returns the exit code. Errors are reported in `stderr` and by the exit code. It rejects for an abort, for a broken pipe, and for a bug,
   * which the shell reports as exit code 1.
   */
  run(context: ShellCommandContext): Promise<number>
  /** Ends what the command keeps for later calls, such as idle workers. Called when a shell with it is disposed; another may call it again. */
  dispose?(): void
}

/** Collects chunks of input until the command can use them. An endless input must end the command, not the worker. */
export class PendingInput {
  private parts: Uint8Array[] = []
  private sizeBytes = 0

  /** Throws above 256 MiB. */
  add(piece: Uint8Array): void {
    this.parts.push(piece)
    this.sizeBytes += piece.length
    if (this.sizeBytes > mostInputBytes)
      throw new Error('this needs more than 256 MiB of the input at once; shorten it, for example with head -c')
  }

  /** Returns all bytes, once. */
  take(): Uint8Array {
    const [only] = this.parts
    const bytes = this.parts.length === 1 && only !== undefined ? only : joinBytes(this.parts, this.sizeBytes)
    this.parts = []
    this.sizeBytes = 0
    return bytes
  }
}

/** Reads the complete `input`. Rejects above 256 MiB. */
export async function readAll(input: ShellInput): Promise<Uint8Array> {
  const pending = new PendingInput()
  for (let part = await input.read(); part !== undefined; part = await input.read()) pending.add(part)
  return pending.take()
}

const nothing = new Uint8Array()

/** An input with the given bytes, or a missing input for `undefined`. */
export function inputOf(bytes: Uint8Array | undefined): ShellInput {
  let rest = bytes
  return {
    isGiven: bytes !== undefined,
    read: () => {
      const next = rest
      rest = undefined
      return next === undefined || next.length === 0 ? undefined : next
    },
  }
}

export interface CollectedOutput extends ShellOutput {
  /** Everything written so far, as one array. */
  bytes(): Uint8Array
}

/** An output that collects everything in memory. */
export function collectOutput(): CollectedOutput {
  const parts: Uint8Array[] = []
  return {
    write: data => {
      if (data.length > 0) parts.push(typeof data === 'string' ? encodeText(data) : data.slice())
    },
    bytes: () => (parts.length === 0 ? nothing : joinBytes(parts)),
  }
}
