// One command of a shell, whoever brings it: the shell's own, the workspace's (`rg`) and those that a host adds.

import { joinBytes } from '../core/bytes.ts'
import { encodeText } from './byte-text.ts'
import type { Awaitable, ShellFiles } from './files.ts'

/** Bytes that a command reads, piece by piece, so that an endless input can be cut short. */
export interface ShellInput {
  /** False: nobody gave the command an input. What reads its input only when it is given one (`rg word`) asks this. */
  readonly isGiven: boolean
  /** The next bytes, at least one; `undefined` at the end. Await it. */
  read(): Awaitable<Uint8Array | undefined>
}

/** Where a command writes. Text is written as UTF-8. */
export interface ShellOutput {
  /** The file that it goes to, where it is one: `cat f >> f` must not feed itself. */
  readonly path?: string
  /**
   * Await it: it waits until the reader has room. Throws a `BrokenPipeError` when nobody reads on, as in `yes | head`; let that one through,
   * the shell ends the command without a message.
   */
  write(data: Uint8Array | string): Awaitable<void>
}

/** Nobody reads what is written any more. */
export class BrokenPipeError extends Error {
  override readonly name = 'BrokenPipeError'
  readonly code = 'EPIPE'

  constructor() {
    super('EPIPE: nobody reads this output any more')
  }
}

export interface ExecOptions {
  /** Default: those of the calling command. */
  readonly stdin?: ShellInput
  readonly stdout?: ShellOutput
  readonly stderr?: ShellOutput
  readonly cwd?: string
  /** The whole environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Ends it. */
  readonly signal?: AbortSignal
  /** On `performance.now()`: ends it then, also when a busy script lets no timer fire. */
  readonly deadlineMs?: number
}

export interface ShellCommandContext {
  /**
   * Without the command's name. Bytes that are not UTF-8 stand in them as lone surrogates; `encodeText` (byte-text.ts) makes bytes of an
   * argument again.
   */
  readonly args: readonly string[]
  /** Absolute. `resolveFrom(cwd, argument)` (files.ts) makes a path of an argument. */
  readonly cwd: string
  /** Exported variables. */
  readonly env: Readonly<Record<string, string>>
  readonly stdin: ShellInput
  readonly stdout: ShellOutput
  readonly stderr: ShellOutput
  readonly files: ShellFiles
  /** Aborts when the script that called the command is ended. A loop without input and output asks `signal.aborted` now and then. */
  readonly signal: AbortSignal
  /**
   * Runs another command of the shell by its words, which are not parsed (`['sh', '-c', text]` runs a script), and gives its exit code.
   * Absent where the command does not run beside the interpreter.
   */
  readonly exec?: (words: readonly string[], options?: ExecOptions) => Promise<number>
}

export interface ShellCommandDefinition {
  /** As it is called in a script; it goes before a command of the shell's own that has the same name. */
  readonly name: string
  /** What it does, in one sentence: for the tool's description and `help`. */
  readonly help?: string
  /**
   * Gives the exit code. What goes wrong is told in `stderr` and the exit code. It rejects for an abort, for a broken pipe, and for a bug,
   * which the shell reports as exit code 1.
   */
  run(context: ShellCommandContext): Promise<number>
}

/**
 * Describes a command for `shell: justBash({ commands: [...] })`.
 *
 * @example
 * defineCommand({
 *   name: 'shout',
 *   help: 'Prints its input in capitals.',
 *   async run({ stdin, stdout }) {
 *     await stdout.write(new TextDecoder().decode(await readAll(stdin)).toUpperCase())
 *     return 0
 *   },
 * })
 */
export function defineCommand(definition: ShellCommandDefinition): ShellCommandDefinition {
  return definition
}

/** All of `input` at once. */
export async function readAll(input: ShellInput): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for (let part = await input.read(); part !== undefined; part = await input.read()) parts.push(part)
  const [only] = parts
  return parts.length === 1 && only !== undefined ? only : joinBytes(parts)
}

const nothing = new Uint8Array()

/** An input of known bytes. `undefined`: none was given. */
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
  /** What was written so far, as one array. */
  bytes(): Uint8Array
}

/** An output that keeps everything. */
export function collectOutput(): CollectedOutput {
  const parts: Uint8Array[] = []
  return {
    write: data => {
      if (data.length > 0) parts.push(typeof data === 'string' ? encodeText(data) : data.slice())
    },
    bytes: () => (parts.length === 0 ? nothing : joinBytes(parts)),
  }
}
