// An interactive session: a shell that runs commands one at a time and keeps its state. The state can be moved to another worker.

import { joinBytes } from '../../../core/bytes.ts'
import type { TerminalSize } from '../../../shell/session.ts'
import { runText } from './calls.ts'
import { Description, Descriptors, outputFile, refuseWriting, type OpenFile } from './descriptors.ts'
import { prepareVariables } from './environment.ts'
import { ExitFlow, Flow, Killed, ShellError } from './flow.ts'
import { OpenFiles } from './open-files.ts'
import { report } from './report.ts'
import { provide, type ScriptRequest } from './run-script.ts'
import { Run } from './run.ts'
import { restoreState, saveState, type ShellState } from './shell-state.ts'
import { Shell } from './shell.ts'
import { runTrap } from './traps.ts'
import { BrokenPipeError, type ShellCommandDefinition } from '../../../shell/commands.ts'
import type { Awaitable } from '../../../shell/files.ts'

export interface InteractiveRequest extends Pick<
  ScriptRequest,
  'files' | 'cwd' | 'env' | 'signal' | 'isStopped' | 'pause' | 'onWait' | 'hasOwnPrograms'
> {
  readonly commands: ReadonlyMap<string, ShellCommandDefinition>
  readonly state: ShellState | undefined
  /** Output waits for the returned promise, so that a slow terminal limits the rate. */
  readonly onOutput: (channel: 'stdout' | 'stderr', bytes: Uint8Array) => Awaitable<void>
}

export interface LineResult {
  readonly code: number
  /** Whether the shell has ended, by `exit` or `set -e`. */
  readonly isOver: boolean
  readonly state: ShellState
  /** Typed input that no command has read. */
  readonly unread: Uint8Array
  /** A job or a file opened by `exec` remains in this thread, so the next command must run here too. */
  readonly isHeld: boolean
}

const maxLineHistory = 1_000

export class InteractiveShell {
  readonly #shell: Shell
  readonly #run: Run
  readonly #input = new TerminalInput()
  readonly #standard: readonly Description[]
  #isRunning = false

  constructor(request: InteractiveRequest) {
    provide()
    const { signal, isStopped, pause, onWait = () => undefined, commands, hasOwnPrograms, onOutput } = request
    const files = new OpenFiles(request.files)
    this.#run = new Run({ files, commands, signal, isStopped, pause, onWait, hasOwnPrograms })
    const output = (channel: 'stdout' | 'stderr'): Description =>
      new Description(outputFile(bytes => (bytes.length === 0 ? undefined : onOutput(channel, bytes))))
    this.#input.onWait = () => this.#run.beforeWaiting()
    this.#standard = [new Description(this.#input), output('stdout'), output('stderr')]
    this.#run.report = text => this.#run.writeTo(this.#standard[2], text)
    this.#shell = new Shell({
      run: this.#run,
      descriptors: new Descriptors(this.#standard.map((description, fd) => [fd, description] as const)),
      environment: request.env,
      cwd: request.cwd,
      name: 'bash',
      parameters: [],
      parentPid: 4099,
      isCommandString: false,
      isInteractive: true,
      signal,
    })
    this.#run.processes.set(this.#shell.pid, this.#shell)
    prepareVariables(this.#shell)
    this.#shell.shopts.add('expand_aliases')
    if (request.state !== undefined) restoreState(this.#shell, request.state)
  }

  async runLine(text: string, { columns, rows }: TerminalSize): Promise<LineResult> {
    const shell = this.#shell
    shell.line = 0
    shell.variables.set('COLUMNS', String(columns))
    shell.variables.set('LINES', String(rows))
    if (text.trim() !== '') shell.lineHistory = [...shell.lineHistory, text].slice(-maxLineHistory)
    this.#input.begin()
    this.#isRunning = true
    let isOver = await this.#runToEnd(() => runText(shell, text))
    this.#isRunning = false
    const wasInterrupted = shell.killedBy !== undefined
    if (shell.killedBy === 130) shell.status = 130
    shell.revive()
    if (wasInterrupted && shell.traps.has('INT'))
      isOver ||= await this.#runToEnd(() => runTrap(shell, 'INT').then(() => shell.status))
    await this.#reportJobs()
    if (isOver) await this.#end()
    else await this.#run.beforeWaiting()
    return { code: shell.status, isOver, state: saveState(shell), unread: this.#input.takeUnread(), isHeld: this.#isHeld }
  }

  /** Adds terminal input. `undefined` is an end of input for the current reader only. */
  input(bytes: Uint8Array | undefined): void {
    this.#input.add(bytes)
  }

  /** Interrupts the foreground command. */
  interrupt(): void {
    if (!this.#isRunning) return
    this.#shell.kill(130)
    this.#input.interrupt()
  }

  /** Returns true if the shell has ended. */
  async #runToEnd(work: () => Promise<number>): Promise<boolean> {
    const shell = this.#shell
    try {
      shell.status = (await work()) & 0xff
      return false
    } catch (error) {
      if (error instanceof ShellError) {
        shell.status = error.status
        await report(shell, error)
        return false
      }
      if (error instanceof BrokenPipeError) {
        shell.status = 141
        return false
      }
      if (!(error instanceof Flow)) throw error
      shell.status = error instanceof Killed ? (shell.killedBy ?? error.status) : error.status & 0xff
      // A signal other than that of Ctrl+C also ends the shell, as in `kill $$`.
      return error instanceof ExitFlow || (error instanceof Killed && shell.killedBy !== 130)
    }
  }

  async #reportJobs(): Promise<void> {
    const all = [...this.#shell.jobs.all()]
    for (const job of all) {
      if (job.status === undefined) continue
      const sign = job === all.at(-1) ? '+' : job === all.at(-2) ? '-' : ' '
      const how = job.status === 0 ? 'Done' : job.status > 128 ? 'Terminated' : `Exit ${job.status}`
      this.#shell.jobs.remove(job)
      await this.#shell.writeError(`[${job.number}]${sign}  ${how.padEnd(24)}${job.source}\n`)
    }
  }

  get #isHeld(): boolean {
    const { descriptors, jobs } = this.#shell
    const isStandard = [0, 1, 2].every(fd => descriptors.get(fd) === this.#standard[fd])
    return jobs.all().length > 0 || !isStandard || descriptors.numbers().some(fd => fd > 2)
  }

  async #end(): Promise<void> {
    const shell = this.#shell
    if (shell.traps.has('EXIT')) {
      const { status } = shell
      await this.#runToEnd(() => runTrap(shell, 'EXIT').then(() => status))
    }
    await quietly(() => shell.end())
    await this.#run.files.saveAll()
  }
}

/** Runs `end` and ignores its errors. The session is over, and failed writes have been reported already. */
async function quietly(end: () => Promise<void>): Promise<void> {
  try {
    await end()
  } catch (error) {
    if (!(error instanceof BrokenPipeError)) throw error
  }
}

/** The terminal input of the running command. */
class TerminalInput implements OpenFile {
  readonly kind = 'terminal'
  readonly canRead = true
  readonly canWrite = false
  #parts: (Uint8Array | undefined)[] = []
  #wake: (() => void) | undefined
  #isInterrupted = false
  onWait: () => Promise<void> = () => Promise.resolve()

  begin(): void {
    this.#isInterrupted = false
  }

  add(bytes: Uint8Array | undefined): void {
    if (bytes === undefined || bytes.length > 0) this.#parts.push(bytes)
    this.#wake?.()
  }

  takeUnread(): Uint8Array {
    const unread = this.#parts.filter(part => part !== undefined)
    this.#parts = []
    return joinBytes(unread)
  }

  interrupt(): void {
    this.#isInterrupted = true
    this.#parts = []
    this.#wake?.()
  }

  read(): Awaitable<Uint8Array | undefined> {
    if (this.#isInterrupted) return undefined
    if (this.#parts.length > 0) return this.#parts.shift()
    return this.#waitAndRead()
  }

  async #waitAndRead(): Promise<Uint8Array | undefined> {
    await this.onWait()
    while (this.#parts.length === 0 && !this.#isInterrupted) {
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
    return this.#isInterrupted ? undefined : this.#parts.shift()
  }

  unread(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#parts.unshift(bytes)
  }

  write(): never {
    return refuseWriting()
  }

  close(): void {}
}
