// One call of a command: its arguments, where it runs, its streams. Output goes out in larger pieces, and a reader that goes away ends
// the command (`git log | head -5`).

import { decodeText, encodeText } from '../shell/byte-text.ts'
import { readAll, type ShellInput, type ShellOutput } from '../shell/commands.ts'
import { joinBytes } from '../core/bytes.ts'
import { fatal } from './errors.ts'
import { discover, type GitEnvironment, Repository } from './repository.ts'
import { Config } from './store/config.ts'
import { readAllConfig } from './repository.ts'

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
  readonly out: CallOutput
  readonly err: CallOutput
  readonly #stdin: ShellInput
  #repository: Promise<Repository | undefined> | undefined

  constructor(
    environment: GitEnvironment,
    streams: { readonly stdin: ShellInput; readonly stdout: ShellOutput; readonly stderr: ShellOutput },
  ) {
    this.environment = environment
    this.out = new CallOutput(streams.stdout)
    this.err = new CallOutput(streams.stderr)
    this.#stdin = streams.stdin
  }

  /** One line, or several, to stdout; the line feed is added. */
  print(line: string): void | Promise<void> {
    return this.out.write(`${line}\n`)
  }

  /** A line to stderr. */
  warn(line: string): void | Promise<void> {
    return this.err.write(`${line}\n`)
  }

  /** False where stdin would be the keyboard. */
  get isInputGiven(): boolean {
    return this.#stdin.isGiven
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
    return found
  }

  findRepository(): Promise<Repository | undefined> {
    return (this.#repository ??= this.#open())
  }

  async #open(): Promise<Repository | undefined> {
    const place = await discover(this.environment)
    return place === undefined ? undefined : Repository.open(this.environment, place)
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

  /** Between two steps of something long. */
  check(): void {
    this.environment.signal.throwIfAborted()
  }
}
