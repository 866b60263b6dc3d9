// A session of a shell in a terminal: the shell shows its prompts and edits its lines itself, and says by control sequences that no
// terminal shows when a command begins, how it ended and where the shell is.

import { deferred, type Deferred } from '../core/deferred.ts'
import { AnchorageError } from '../core/errors.ts'
import { createCapture, type Capture } from './capture.ts'
import type { PromptMark, PromptScanner } from './prompt-scanner.ts'
import { SessionOutput } from './session-output.ts'
import type { SessionCommandEnd, SessionRunOptions, ShellCompletion, ShellSession } from './session.ts'
import type { ExitStatus, ShellProcess } from './shell.ts'

export interface KeySessionSetting {
  readonly id: string
  readonly name: string
  readonly cwd: string
  readonly process: ShellProcess
  readonly scanner: PromptScanner
  readonly resize: (columns: number, rows: number) => Promise<void>
  /** A path as the shell reports it, in the workspace. */
  readonly toWorkspace?: (path: string) => string
  /** For a shell over copies of the files: before a line is sent, and before the next prompt is shown. */
  readonly copies?: { readonly push: () => Promise<void>; readonly pull: () => Promise<string> }
}

interface Waiting {
  readonly command: string
  capture: Capture
  readonly end: Deferred<SessionCommandEnd>
}

const maxHistory = 1_000
const maxCaptureBytes = 1024 * 1024

export class KeySession implements ShellSession {
  readonly id: string
  readonly name: string
  readonly input = 'keys'
  readonly ended: Promise<ExitStatus>
  readonly #setting: KeySessionSetting
  readonly #output = new SessionOutput()
  readonly #over = deferred<ExitStatus>()
  readonly #listeners = new Set<() => void>()
  readonly #queue: Waiting[] = []
  #running: Waiting | undefined
  #cwd: string
  #exitCode: number | undefined
  #history: string[] = []
  /** No prompt was shown yet, or a command runs. */
  #isBusy = true
  #isOver = false
  #writing: Promise<void> = Promise.resolve()

  constructor(setting: KeySessionSetting) {
    this.#setting = setting
    this.id = setting.id
    this.name = setting.name
    this.#cwd = setting.cwd
    this.ended = this.#over.promise
    void this.#pump()
  }

  get output(): ShellSession['output'] {
    return this.#output.output
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

  /** Only the commands of `run`: what is typed is edited by the shell, which keeps its own history. */
  get history(): readonly string[] {
    return this.#history
  }

  drained(): Promise<void> {
    return this.#output.drained()
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async run(command: string, { signal }: SessionRunOptions = {}): Promise<SessionCommandEnd> {
    signal?.throwIfAborted()
    this.#refuseOver()
    const waiting: Waiting = { command, capture: createCapture(maxCaptureBytes), end: deferred() }
    this.#queue.push(waiting)
    this.#next()
    const onAbort = (): void => {
      const index = this.#queue.indexOf(waiting)
      if (index !== -1) this.#queue.splice(index, 1)
      else if (this.#running === waiting) void this.kill()
      waiting.end.reject(signal?.reason)
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      return await waiting.end.promise
    } finally {
      signal?.removeEventListener('abort', onAbort)
    }
  }

  async write(data: string | Uint8Array): Promise<void> {
    this.#refuseOver()
    const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data
    const { copies, process } = this.#setting
    // In order, also while the files are copied.
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
      // A terminal cannot end one command of it, so the whole session ends.
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

  #refuseOver(): void {
    if (this.#isOver) throw new AnchorageError('session-over', 'This session of the shell has ended. Next: open a new one.')
  }

  #next(): void {
    if (this.#isBusy || this.#running !== undefined || this.#isOver) return
    const waiting = this.#queue.shift()
    if (waiting === undefined) return
    this.#running = waiting
    if (this.#history.at(-1) !== waiting.command) this.#history = [...this.#history, waiting.command].slice(-maxHistory)
    // Bracketed, so that several lines are one command and no key of them is taken as one.
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
      await this.#output.push(chunk)
      return
    }
    switch (part.kind) {
      case 'begin':
        // What came before is the echo of the command.
        if (this.#running !== undefined) this.#running.capture = createCapture(maxCaptureBytes)
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
    for (const listener of this.#listeners) listener()
  }

  async #prompt(cwd: string | undefined): Promise<void> {
    const { toWorkspace, copies } = this.#setting
    if (cwd !== undefined) this.#cwd = toWorkspace?.(cwd) ?? cwd
    const message = (await copies?.pull().catch((error: unknown) => `${String(error)}\n`)) ?? ''
    if (message !== '')
      await this.#output.push({ channel: 'merged', bytes: new TextEncoder().encode(message.replaceAll('\n', '\r\n')) })
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
    if (rest.length > 0) void this.#output.push({ channel: 'merged', bytes: rest })
    const { copies } = this.#setting
    // The container may be gone, with what was in it; its loss is in the exit.
    await copies?.pull().catch(() => '')
    this.#running?.end.resolve(this.#endOf(this.#running, exit))
    for (const { end } of this.#queue.splice(0))
      end.reject(new AnchorageError('session-over', 'The session of the shell ended before this command. Next: open a new one.'))
    this.#output.end()
    this.#over.resolve(exit)
    for (const listener of this.#listeners) listener()
  }
}
