// A session of a shell that reads whole lines. This class implements the order of lines, input that is typed ahead, the history
// and interrupts. A driver runs one line at a time and keeps the state between lines.

import { deferred } from '../core/deferred.ts'
import { CommandQueue, refuseOver, type WaitingCommand } from './command-queue.ts'
import { Capture } from './capture.ts'
import { completeLine, type CompletionSource } from './completion.ts'
import { HeldLine } from './held-line.ts'
import { SessionBase } from './session-base.ts'
import type {
  SessionCommandEnd,
  SessionRunOptions,
  ShellCompletion,
  ShellSession,
  ShellSessionOptions,
  TerminalSize,
} from './session.ts'
import type { ExitStatus, OutputChunk } from './shell.ts'

/** Output waits for the returned promise. */
export type LineOutput = (chunk: OutputChunk) => Promise<void> | undefined

export interface LineEnd {
  readonly exit: ExitStatus
  /** The value of `$?`. */
  readonly code: number
  readonly cwd: string
  /** Whether the shell has ended. */
  readonly isOver: boolean
  /** Typed input that no command has read. */
  readonly unread: Uint8Array
}

/** A line that is running. */
export interface RunningLine {
  /** Never rejects. */
  readonly ended: Promise<LineEnd>
  /** Adds input. `undefined` is the end of input. */
  input(bytes: Uint8Array | undefined): void
  interrupt(): void
  /** Ends the line immediately. Its changes to the state of the shell may be lost. */
  kill(): void
}

/** Runs lines for a `LineSession`. */
export interface LineRunner {
  readonly cwd: string
  /** Called when no line runs. `origin` is the origin of its changes. */
  start(line: string, size: TerminalSize, origin: string | undefined): RunningLine
  readonly completion: CompletionSource
  isIncomplete(line: string): Promise<boolean>
  close(): Promise<void>
}

interface Waiting extends WaitingCommand {
  readonly line: string
  /** Whether no caller waits for its end. Unread input then becomes the next lines. */
  readonly isTyped: boolean
  readonly capture: Capture
}

const maxCaptureBytes = 1024 * 1024
/** The time that a command has to respond to Ctrl+C. */
const interruptGraceMs = 2_000
const [interrupt, endOfInput] = [3, 4]

export class LineSession extends SessionBase implements ShellSession {
  readonly input = 'lines'
  readonly #runner: LineRunner
  readonly #origin: (() => string) | undefined
  readonly #before: ShellSessionOptions['before']
  readonly #queue = new CommandQueue<Waiting>()
  #running: { readonly line: RunningLine; readonly waiting: Waiting } | undefined
  #size: TerminalSize
  #exitCode: number | undefined
  /** Typed characters that are not a complete line yet. */
  #typed = ''
  #typedDecoder = new TextDecoder()
  #isOver = false

  constructor(
    identity: { readonly id: string; readonly name: string },
    options: ShellSessionOptions,
    open: (onOutput: LineOutput) => LineRunner,
  ) {
    super(identity)
    this.#size = { columns: options.columns ?? 80, rows: options.rows ?? 24 }
    this.#origin = options.origin
    this.#before = options.before
    this.#runner = open(chunk => this.#told(chunk))
  }

  get cwd(): string {
    return this.#runner.cwd
  }

  get exitCode(): number | undefined {
    return this.#exitCode
  }

  get isBusy(): boolean {
    return this.#running !== undefined
  }

  async run(command: string, options: SessionRunOptions = {}): Promise<SessionCommandEnd> {
    options.signal?.throwIfAborted()
    refuseOver(this.#isOver)
    const waiting = this.#add(command, false)
    return await this.#queue.endOf(waiting, options, () => {
      if (this.#running?.waiting === waiting) this.#interrupt(this.#running.line)
    })
  }

  async write(data: string | Uint8Array): Promise<void> {
    refuseOver(this.#isOver)
    let rest = typeof data === 'string' ? new TextEncoder().encode(data) : data
    while (rest.length > 0) {
      const at = rest.findIndex(byte => byte === interrupt || byte === endOfInput)
      this.#type(at === -1 ? rest : rest.subarray(0, at))
      if (at === -1) return
      if (rest[at] === interrupt) {
        this.#typed = ''
        void this.kill()
      } else if (this.#running !== undefined) this.#running.line.input(undefined)
      rest = rest.subarray(at + 1)
    }
  }

  async resize(columns: number, rows: number): Promise<void> {
    this.#size = { columns, rows }
  }

  async kill(signal: 'interrupt' | 'kill' = 'interrupt'): Promise<'delivered' | 'already-exited'> {
    // Waiting input was typed for the command that is interrupted.
    for (const { end } of this.#queue.takeAll()) end.resolve(this.#endOf({ kind: 'killed', signal: 'SIGINT' }, 130, '', 0))
    const running = this.#running
    if (running === undefined) return 'already-exited'
    if (signal === 'kill') running.line.kill()
    else this.#interrupt(running.line)
    return 'delivered'
  }

  complete(line: string, cursor: number): Promise<ShellCompletion> {
    return completeLine(line, cursor, this.#runner.cwd, this.#runner.completion)
  }

  isIncomplete(line: string): Promise<boolean> {
    return this.#runner.isIncomplete(line)
  }

  async close(): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    const running = this.#running
    running?.line.kill()
    await running?.line.ended
    await this.#finish({ kind: 'killed' })
  }

  #told(chunk: OutputChunk): Promise<void> | undefined {
    this.#running?.waiting.capture.add(chunk)
    return this.shown.push(chunk)
  }

  readonly #show = (text: string): Promise<void> | undefined =>
    this.#told({ channel: 'stderr', bytes: new TextEncoder().encode(text) })

  #interrupt(line: RunningLine): void {
    line.interrupt()
    const timer = setTimeout(() => line.kill(), interruptGraceMs)
    void line.ended.then(() => clearTimeout(timer))
  }

  #type(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    if (this.#running !== undefined) {
      // A keyboard sends a carriage return, which a terminal driver converts to a line feed.
      this.#running.line.input(bytes.map(byte => (byte === 13 ? 10 : byte)))
      return
    }
    const lines = `${this.#typed}${this.#typedDecoder.decode(bytes, { stream: true })}`.split(/\r\n|\r|\n/)
    this.#typed = lines.pop() ?? ''
    // No caller waits for these lines; the session shows their output and exit code.
    for (const line of lines) this.#add(line, true).end.promise.catch(() => undefined)
  }

  #add(line: string, isTyped: boolean): Waiting {
    const waiting = { line, isTyped, capture: new Capture(maxCaptureBytes), end: deferred<SessionCommandEnd>() }
    this.#queue.add(waiting)
    if (this.#running === undefined) this.#next()
    return waiting
  }

  #next(): void {
    const waiting = this.#queue.next()
    if (waiting === undefined || this.#isOver) return
    const { line } = waiting
    if (line.trim() !== '' && this.history.at(-1) !== line) this.remember(line)
    const begin = (): RunningLine => this.#runner.start(line, this.#size, this.#origin?.())
    const ready = this.#before?.()
    const running = ready === undefined ? begin() : new HeldLine({ ready, begin, show: this.#show, cwd: this.cwd })
    this.#running = { line: running, waiting }
    this.changed()
    void running.ended.then(end => this.#ended(waiting, end))
  }

  async #ended(waiting: Waiting, { exit, code, isOver, unread }: LineEnd): Promise<void> {
    this.#running = undefined
    this.#exitCode = code
    const { output } = waiting.capture.text()
    const left = waiting.isTyped ? '' : new TextDecoder().decode(unread)
    const result = { ...this.#endOf(exit, code, output, waiting.capture.droppedBytes), unread: left }
    if (isOver && !this.#isOver) {
      this.#isOver = true
      await this.#finish(exit)
    }
    this.changed()
    waiting.end.resolve(result)
    if (this.#isOver) return
    if (waiting.isTyped) this.#type(unread)
    if (this.#running === undefined) this.#next()
  }

  #endOf(exit: ExitStatus, exitCode: number, output: string, droppedBytes: number): SessionCommandEnd {
    return { exit, exitCode, cwd: this.cwd, output, droppedBytes, unread: '' }
  }

  async #finish(exit: ExitStatus): Promise<void> {
    this.#queue.rejectAll()
    await this.#runner.close()
    this.shown.end()
    this.over.resolve(exit)
  }
}
