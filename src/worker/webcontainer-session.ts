// One driver at the other end of a port: its calls, its processes and its events.

import type { WebContainer } from '@webcontainer/api'

import { AnchorageError } from '../core/errors.ts'
import { failureOf } from '../backends/webcontainer/failures.ts'
import {
  parseRequest,
  type ContainerAction,
  type ContainerCall,
  type ContainerEvent,
  type ProcessSpec,
} from '../backends/webcontainer/wire.ts'
import { applyActions, ContainerCallError, listDirectories, readFiles } from './webcontainer-files.ts'
import { ContainerProcesses } from './webcontainer-processes.ts'

/** The state that all drivers of one container share. */
interface SharedContainer {
  readonly container: WebContainer
  readonly memory: Map<string, string>
  readonly generation: { readonly number: number; readonly runningProcesses: number }
  /** Something was written, or a process started or ended. */
  bump(runningDifference?: 0 | 1 | -1): number
  prepare(): Promise<{ readonly renameReplaces: boolean }>
  ensureFolder(): Promise<void>
  /** Rejects if the container is gone before the work is done. */
  waitFor<T>(work: () => Promise<T>): Promise<T>
}

export class ContainerSession {
  readonly #host: SharedContainer
  readonly #port: MessagePort
  readonly #processes: ContainerProcesses
  readonly #cancelled = new Set<number>()
  readonly #pending = new Set<number>()
  readonly #onClose: () => void

  constructor(host: SharedContainer, port: MessagePort, onClose: () => void) {
    this.#host = host
    this.#port = port
    this.#onClose = onClose
    this.#processes = new ContainerProcesses(host.container, {
      post: event => this.post(event),
      onRunning: difference => host.bump(difference),
    })
    port.addEventListener('message', this.#onMessage)
    port.start()
  }

  post(event: ContainerEvent, transfer: Transferable[] = []): void {
    this.#port.postMessage(event, transfer)
  }

  /** Ends everything that it started. May be called twice. */
  close(): void {
    this.#processes.killAll()
    this.#port.removeEventListener('message', this.#onMessage)
    this.#port.close()
    this.#onClose()
  }

  readonly #onMessage = ({ data }: MessageEvent): void => {
    const request = parseRequest(data)
    if (request === undefined) return
    switch (request.kind) {
      case 'close':
        this.close()
        return
      case 'cancel':
        if (this.#pending.has(request.id)) this.#cancelled.add(request.id)
        return
      case 'call':
        void this.#answer(request.id, request.call, request.args)
        return
    }
  }

  async #answer(id: number, call: ContainerCall, args: readonly unknown[]): Promise<void> {
    this.#pending.add(id)
    try {
      const value = await this.#host.waitFor(() => this.#run(call, args, () => this.#cancelled.has(id)))
      this.post({ kind: 'result', id, value }, buffersIn(value))
    } catch (error) {
      const failure =
        error instanceof ContainerCallError
          ? failureOf(error.cause, error.path)
          : error instanceof AnchorageError && !('syscall' in error)
            ? { code: error.code, message: error.message }
            : failureOf(error)
      this.post({ kind: 'failure', id, failure })
    } finally {
      this.#pending.delete(id)
      this.#cancelled.delete(id)
    }
  }

  /** The driver is code of this package and sends only the calls in the list. */
  async #run(call: ContainerCall, args: readonly unknown[], isCancelled: () => boolean): Promise<unknown> {
    const host = this.#host
    const { container } = host
    const [first, second] = args
    switch (call) {
      case 'hello': {
        const { renameReplaces } = await host.prepare()
        return { workdir: container.workdir, renameReplaces, generation: host.generation }
      }
      case 'snapshot':
        return await container.export('.', { format: 'binary', excludes: [...(first as readonly string[])] })
      case 'list':
        return await listDirectories(container.fs, first as readonly string[])
      case 'readMany':
        return await readFiles(container.fs, first as readonly string[])
      case 'apply': {
        const { renameReplaces } = await host.prepare()
        const before = host.generation.number
        const ensureFolder = (): Promise<void> => host.ensureFolder()
        try {
          await applyActions(first as readonly ContainerAction[], { container, renameReplaces, isCancelled, ensureFolder })
        } finally {
          host.bump()
        }
        return { before, after: host.generation.number === before + 1 ? before + 1 : -1 }
      }
      case 'start':
        await host.prepare()
        await host.ensureFolder()
        return await this.#processes.start(first as ProcessSpec, isCancelled)
      case 'input':
        return await this.#processes.input(Number(first), String(second))
      case 'resize':
        return this.#processes.resize(Number(first), { cols: Number(second), rows: Number(args[2]) })
      case 'kill':
        return this.#processes.kill(Number(first))
      case 'taken':
        return this.#processes.taken(Number(first), Number(second))
      case 'recall':
        return host.memory.get(String(first))
      case 'remember':
        host.memory.set(String(first), String(second))
        return undefined
    }
  }
}

function buffersIn(value: unknown): Transferable[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  const buffers = list.flatMap(item => (item instanceof Uint8Array ? [item.buffer] : []))
  return [...new Set(buffers)].filter(buffer => buffer instanceof ArrayBuffer)
}
