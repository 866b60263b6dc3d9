// A session of a shell with a terminal. The shell prints its prompts and edits its lines. It reports the start of a command, the
// exit code and the directory through control sequences that terminals do not show.

import { deferred } from '../core/deferred.ts'
import { CommandQueue, refuseOver, type WaitingCommand } from './command-queue.ts'
import { Capture } from './capture.ts'
import type { PromptMark, PromptScanner } from './prompt-scanner.ts'
import { SessionBase } from './session-base.ts'
import type { SessionCommandEnd, SessionRunOptions, ShellCompletion, ShellSession } from './session.ts'
import type { ExitStatus, ShellProcess } from './shell.ts'

export interface KeySessionSetting {
  readonly id: string
  readonly name: string
  readonly cwd: string
  readonly process: ShellProcess
  readonly scanner: PromptScanner
  readonly resize: (columns: number, rows: number) => Promise<void>
  /** Converts a path that the shell reports to a path of the workspace. */
  readonly toWorkspace?: (path: string) => string
  /** For a shell that works on copies of the files: called before a line is sent, and before the next prompt is shown. */
  readonly copies?: { readonly push: () => Promise<void>; readonly pull: () => Promise<string> }
}

interface Waiting extends WaitingCommand {
  readonly command: string
  capture: Capture
}

const maxCaptureBytes = 1024 * 1024

export class KeySession extends SessionBase implements ShellSession {
  readonly input = 'keys'
  readonly #setting: KeySessionSetting
  readonly #queue = new CommandQueue<Waiting>()
  #running: Waiting | undefined
  #cwd: string
  #exitCode: number | undefined
  /** Whether a command runs, or no prompt has been shown yet. */
  #isBusy = true
  #isOver = false
  #writing: Promise<void> = Promise.resolve()

  constructor(setting: KeySessionSetting) {
    super(setting)
    this.#setting = setting
    this.#cwd = setting.cwd
    void this.#pump()
  }

  get cwd(): string {
    return this.#cwd
  }

  get exitCode(): number | undefined {
    return this.#exitCode
  }

  get isBusy(): boolean {
    return this.#isBusy
  }

  async run(command: string, options: SessionRunOptions = {}): Promise<SessionCommandEnd> {
    options.signal?.throwIfAborted()
    refuseOver(this.#isOver)
    const waiting: Waiting = { command, capture: new Capture(maxCaptureBytes), end: deferred() }
    this.#queue.add(waiting)
    this.#next()
    return await this.#queue.endOf(waiting, options, () => {
      if (this.#running === waiting) void this.kill()
    })
  }

  async write(data: string | Uint8Array): Promise<void> {
    refuseOver(this.#isOver)
    const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data
    const { copies, process } = this.#setting
    // Writes stay in order, also while the files are copied.
    const written = this.#writing.then(async () => {
      if (copies !== undefined && !this.#isBusy && bytes.some(byte => byte === 10 || byte === 13)) await copies.push()
      await process.write(bytes)
    })
    this.#writing = written.catch(() => undefined)
    await written
  }

  async resize(columns: number, rows: number): Promise<void> {
    if (!this.#isOver) await this.#setting.resize(columns, rows)
  }

  async kill(signal: 'interrupt' | 'kill' = 'interrupt'): Promise<'delivered' | 'already-exited'> {
    if (this.#isOver) return 'already-exited'
    if (signal === 'kill') {
      // A terminal cannot end a single command by force, so the whole session ends.
      await this.close()
      return 'delivered'
    }
    await this.write('\x03')
    return 'delivered'
  }

  complete(_line: string, cursor: number): Promise<ShellCompletion> {
    return Promise.resolve({ start: cursor, words: [], isCut: false })
  }

  isIncomplete(): Promise<boolean> {
    return Promise.resolve(false)
  }

  async close(): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    const { process } = this.#setting
    await process.kill('kill')
    await process.exit
  }

  #next(): void {
    if (this.#isBusy || this.#running !== undefined || this.#isOver) return
    const waiting = this.#queue.next()
    if (waiting === undefined) return
    this.#running = waiting
    // Only commands of `run` are recorded here: the shell edits typed lines and keeps their history.
    if (this.history.at(-1) !== waiting.command) this.remember(waiting.command)
    // A bracketed paste makes several lines one command, and no character in it acts as a key.
    const isLong = waiting.command.includes('\n')
    const text = isLong && this.#setting.scanner.takesPastes ? `\x1b[200~${waiting.command}\x1b[201~` : waiting.command
    this.write(`${text}\r`).catch((error: unknown) => {
      this.#running = undefined
      waiting.end.reject(error)
    })
  }

  async #pump(): Promise<void> {
    const { process, scanner } = this.#setting
    try {
      for await (const { bytes } of process.output) for (const part of scanner.add(bytes)) await this.#take(part)
    } finally {
      await this.#finish(await process.exit)
    }
  }

  async #take(part: Uint8Array | PromptMark): Promise<void> {
    if (part instanceof Uint8Array) {
      const chunk = { channel: 'merged' as const, bytes: part }
      this.#running?.capture.add(chunk)
      await this.shown.push(chunk)
      return
    }
    switch (part.kind) {
      case 'begin':
        // The output before the mark is the echo of the command.
        if (this.#running !== undefined) this.#running.capture = new Capture(maxCaptureBytes)
        this.#isBusy = true
        break
      case 'exit':
        this.#exitCode = part.code
        break
      case 'prompt':
        await this.#prompt(part.cwd)
        break
      default:
        throw new Error(`unreachable: ${JSON.stringify(part satisfies never)}`)
    }
    this.changed()
  }

  async #prompt(cwd: string | undefined): Promise<void> {
    const { toWorkspace, copies } = this.#setting
    if (cwd !== undefined) this.#cwd = toWorkspace?.(cwd) ?? cwd
    const message = (await copies?.pull().catch((error: unknown) => `${String(error)}\n`)) ?? ''
    if (message !== '')
      await this.shown.push({ channel: 'merged', bytes: new TextEncoder().encode(message.replaceAll('\n', '\r\n')) })
    const ended = this.#running
    this.#running = undefined
    this.#isBusy = false
    ended?.end.resolve(this.#endOf(ended, { kind: 'exited', code: this.#exitCode ?? 0 }))
    this.#next()
  }

  #endOf({ capture }: Waiting, exit: ExitStatus): SessionCommandEnd {
    const exitCode = exit.kind === 'exited' ? exit.code : 137
    const { droppedBytes } = capture
    return { exit, exitCode, cwd: this.#cwd, output: capture.text().output.replaceAll('\r\n', '\n'), droppedBytes, unread: '' }
  }

  async #finish(exit: ExitStatus): Promise<void> {
    this.#isOver = true
    this.#isBusy = false
    const rest = this.#setting.scanner.end()
    if (rest.length > 0) void this.shown.push({ channel: 'merged', bytes: rest })
    const { copies } = this.#setting
    // The container may have ended, with the copies in it; the exit status reports that.
    await copies?.pull().catch(() => '')
    this.#running?.end.resolve(this.#endOf(this.#running, exit))
    this.#queue.rejectAll()
    this.shown.end()
    this.over.resolve(exit)
    this.changed()
  }
}
