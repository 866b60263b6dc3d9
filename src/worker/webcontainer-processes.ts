// The container's processes, for one driver. Output is passed on as it arrives, and the exit is reported after the last output.

import type { WebContainer, WebContainerProcess } from '@webcontainer/api'
import { AnchorageError } from '../core/errors.ts'
import { defined } from '../core/record.ts'
import { ContainerCallError } from './webcontainer-files.ts'
import type { ContainerEvent, ProcessSpec } from '../backends/webcontainer/wire.ts'

/** Limit for output that the driver has not consumed. The client has no back-pressure, so a process above it is ended. */
const maxUntakenBytes = 64 * 1024 * 1024
/** A process that was ended may continue to write, and its stream may stay open. */
const drainGraceMs = 250
/** Output may come after the exit, and late on a busy machine. Only a program that it left behind can keep the stream open. */
const lateOutputMs = 5_000

interface Running {
  readonly process: WebContainerProcess
  readonly input: WritableStreamDefaultWriter<string>
  untakenBytes: number
  isKilled: boolean
  why: string | undefined
}

export interface ProcessesOptions {
  readonly post: (event: ContainerEvent) => void
  /** A process has started or ended, so files may have changed. Returns when all drivers were told. */
  readonly onRunning: (difference: 1 | -1) => void
}

export class ContainerProcesses {
  readonly #container: WebContainer
  readonly #options: ProcessesOptions
  readonly #running = new Map<number, Running>()
  #lastId = 0

  constructor(container: WebContainer, options: ProcessesOptions) {
    this.#container = container
    this.#options = options
  }

  async start(spec: ProcessSpec, isCancelled: () => boolean): Promise<number> {
    const { fs } = this.#container
    const cwd = spec.cwd === '' ? '.' : spec.cwd
    // A missing directory is reported in several ways, and only after the start; a listing reports it in one.
    await fs.readdir(cwd).catch((error: unknown) => {
      throw new ContainerCallError(spec.cwd, error)
    })
    if (spec.jobFile !== undefined) await fs.writeFile(spec.jobFile.path, spec.jobFile.bytes)
    this.#options.onRunning(1)
    let process: WebContainerProcess
    try {
      process = await this.#container.spawn(spec.command, [...spec.args], {
        env: { ...spec.env },
        terminal: { cols: spec.terminal.columns, rows: spec.terminal.rows },
        ...(spec.cwd === '' ? {} : { cwd: spec.cwd }),
      })
    } catch (error) {
      this.#options.onRunning(-1)
      throw error
    }
    const id = ++this.#lastId
    const running: Running = { process, input: process.input.getWriter(), untakenBytes: 0, why: undefined, isKilled: false }
    this.#running.set(id, running)
    void this.#follow(id, running, spec)
    if (isCancelled()) end(running)
    return id
  }

  async #follow(id: number, running: Running, spec: ProcessSpec): Promise<void> {
    const reader = running.process.output.getReader()
    const reading = this.#read(id, running, reader).catch((error: unknown) => {
      running.why ??= `its output broke off: ${error instanceof Error ? error.message : String(error)}`
    })
    let code: number | undefined
    try {
      code = await running.process.exit
    } catch (error) {
      running.why ??= error instanceof Error ? error.message : String(error)
    }
    await Promise.race([reading, delay(running.isKilled ? drainGraceMs : lateOutputMs)])
    await reader.cancel().catch(() => {})
    if (spec.jobFile !== undefined) await this.#container.fs.rm(spec.jobFile.path, { force: true }).catch(() => {})
    this.#running.delete(id)
    this.#options.onRunning(-1)
    const { why } = running
    this.#options.post({
      kind: 'exit',
      process: id,
      ...defined({ code, why }),
    })
  }

  async #read(id: number, running: Running, reader: ReadableStreamDefaultReader<string>): Promise<void> {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      running.untakenBytes += value.length
      if (running.untakenBytes > maxUntakenBytes && running.why === undefined) {
        running.why = `it wrote ${Math.round(maxUntakenBytes / 1024 / 1024)} MiB that were not consumed`
        end(running)
      }
      if (running.why === undefined) this.#options.post({ kind: 'output', process: id, text: value })
    }
  }

  taken(id: number, units: number): void {
    const running = this.#running.get(id)
    if (running !== undefined) running.untakenBytes -= units
  }

  async input(id: number, text: string): Promise<void> {
    await this.#find(id).input.write(text)
  }

  /** Does nothing if it has ended already. */
  resize(id: number, size: { readonly cols: number; readonly rows: number }): void {
    this.#running.get(id)?.process.resize(size)
  }

  /** The client has no signals, and does not report whether the process was ended. Does nothing if it has ended already. */
  kill(id: number): void {
    const running = this.#running.get(id)
    if (running !== undefined) end(running)
  }

  killAll(): void {
    for (const running of this.#running.values()) end(running)
  }

  #find(id: number): Running {
    const running = this.#running.get(id)
    if (running !== undefined) return running
    throw new AnchorageError('process-ended', 'This process has ended. Next: start a new one.')
  }
}

function end(running: Running): void {
  running.isKilled = true
  running.process.kill()
}

function delay(durationMs: number): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, durationMs)
  })
}
