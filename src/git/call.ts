// One call of a command: its arguments, directory and streams. Output is written in larger pieces, and the command ends when its reader
// has gone (`git log | head -5`).

import { decodeText, encodeText } from '../shell/byte-text.ts'
import { readAll, type ShellInput, type ShellOutput } from '../shell/commands.ts'
import { joinBytes } from '../core/bytes.ts'
import { fatal } from './errors.ts'
import { type GitEnvironment, Repository } from './repository.ts'
import { Config } from './store/config.ts'
import { readAllConfig } from './read-config.ts'
import { graftsFile, refuseGrafts } from './store/replacements.ts'

const pieceBytes = 32 << 10

export class CallOutput {
  readonly #target: ShellOutput
  #waiting: (string | Uint8Array)[] = []
  #size = 0

  constructor(target: ShellOutput) {
    this.#target = target
  }

  /** Text is byte text. Await the result. */
  write(data: string | Uint8Array): void | Promise<void> {
    if (data.length === 0) return undefined
    this.#waiting.push(data)
    this.#size += data.length
    return this.#size > pieceBytes ? this.flush() : undefined
  }

  async flush(): Promise<void> {
    if (this.#waiting.length === 0) return
    const parts = this.#waiting
    this.#waiting = []
    this.#size = 0
    const isText = parts.every(part => typeof part === 'string')
    const bytes = isText
      ? encodeText(parts.join(''))
      : joinBytes(parts.map(part => (typeof part === 'string' ? encodeText(part) : part)))
    await this.#target.write(bytes)
  }
}

export class GitCall {
  readonly environment: GitEnvironment
  readonly err: CallOutput
  readonly #stdin: ShellInput
  readonly #stdout: ShellOutput
  readonly #stderr: ShellOutput
  #out: CallOutput
  #repository: Promise<Repository | undefined> | undefined

  /** The same call with another output, and in another environment if one is given. */
  writingTo(stdout: ShellOutput, environment: GitEnvironment = this.environment): GitCall {
    return new GitCall(environment, { stdin: this.#stdin, stdout, stderr: this.#stderr })
  }

  constructor(
    environment: GitEnvironment,
    streams: { readonly stdin: ShellInput; readonly stdout: ShellOutput; readonly stderr: ShellOutput },
  ) {
    this.environment = environment
    this.#stdout = streams.stdout
    this.#out = new CallOutput(streams.stdout)
    this.#stderr = streams.stderr
    this.err = new CallOutput(streams.stderr)
    this.#stdin = streams.stdin
  }

  get out(): CallOutput {
    return this.#out
  }

  /** Starts each following line of the output with this text. */
  async prefixLines(prefix: string): Promise<void> {
    await this.#out.flush()
    const { PrefixedOutput } = await import('./prefixed-output.ts')
    this.#out = new CallOutput(new PrefixedOutput(this.#stdout, encodeText(prefix)))
  }

  /** One line, or several, to stdout; the line feed is added. */
  print(line: string): void | Promise<void> {
    return this.out.write(`${line}\n`)
  }

  /** A line to stderr. */
  warn(line: string): void | Promise<void> {
    return this.err.write(`${line}\n`)
  }

  get stdin(): ShellInput {
    return this.#stdin
  }

  async input(): Promise<string> {
    return decodeText(await this.inputBytes())
  }

  async inputBytes(): Promise<Uint8Array> {
    return readAll(this.#stdin)
  }

  /** The repository of the working directory. Rejects outside of one. */
  async repository(): Promise<Repository> {
    const found = await this.findRepository()
    if (found === undefined) throw fatal('not a git repository (or any of the parent directories): .git')
    await refuseGrafts(found.files, graftsFile(found.commonDir, this.environment.env))
    return found
  }

  findRepository(): Promise<Repository | undefined> {
    return (this.#repository ??= Repository.open(this.environment))
  }

  /** The configuration, also outside of a repository. */
  async config(): Promise<Config> {
    const repository = await this.findRepository()
    return repository?.config() ?? new Config(await readAllConfig(this.environment, undefined))
  }

  /** Seconds since the epoch. */
  get now(): number {
    return Math.floor(this.environment.clock() / 1000)
  }

  /** Pauses between two steps of a long task. */
  check(): void {
    this.environment.signal.throwIfAborted()
  }
}
