// A booted container, for whoever connects to it: the filesystem and the shell in a worker, or several workers. It counts generations,
// because it alone sees everything that may change a file, and it notices when the container is gone, which the client never says.

import type { WebContainer } from '@webcontainer/api'
import { AnchorageError } from '../core/errors.ts'
import { failureOf, lostError } from '../backends/webcontainer/failures.ts'
import { runnerPath, runnerSource, runtimeFolder } from '../backends/webcontainer/runner.ts'
import {
  parseRequest,
  type ContainerAction,
  type ContainerCall,
  type ContainerEvent,
  type ContainerSource,
  type ProcessSpec,
} from '../backends/webcontainer/wire.ts'
import { applyActions, ContainerCallError, listDirectories, probeRename, readFiles } from './webcontainer-files.ts'
import { ContainerProcesses } from './webcontainer-processes.ts'

export interface ContainerHostOptions {
  /** Whether what the container lives in is still in the page. */
  readonly isThere?: () => boolean
  /** How long a call may be silent before the container is asked whether it lives, and how long it may take to answer that. Default 30 s. */
  readonly silenceMs?: number
  /** Runs when the container is gone, whatever the reason. */
  readonly onGone?: () => void
}

const watchIntervalMs = 1000

interface Prepared {
  readonly renameReplaces: boolean
}

/** A container that workspaces can be connected to. */
export class ContainerHost implements ContainerSource {
  readonly container: WebContainer
  /** Resolves, with the reason, when the container is gone. */
  readonly lost: Promise<AnchorageError>
  readonly #options: ContainerHostOptions
  readonly #sessions = new Set<Session>()
  readonly #owned = new WeakMap<object, Session>()
  readonly #memory = new Map<string, string>()
  readonly #tellLost: (error: AnchorageError) => void
  #prepared: Promise<Prepared> | undefined
  #generation = 0
  #runningProcesses = 0
  #gone: AnchorageError | undefined
  /** When each call that waits was made. */
  readonly #waiting = new Map<symbol, number>()
  #watching: ReturnType<typeof setInterval> | undefined
  #isAsking = false

  constructor(container: WebContainer, options: ContainerHostOptions = {}) {
    this.container = container
    this.#options = options
    let tell: (error: AnchorageError) => void = () => {}
    this.lost = new Promise(resolve => {
      tell = resolve
    })
    this.#tellLost = tell
  }

  /** One end of a channel whose other end is served here. It can be sent to a worker. */
  connect(owner?: object): MessagePort {
    const { port1, port2 } = new MessageChannel()
    const session = new Session(this, port1, () => this.#sessions.delete(session))
    if (owner !== undefined) {
      this.#owned.get(owner)?.close()
      this.#owned.set(owner, session)
    }
    if (this.#gone === undefined) this.#sessions.add(session)
    else session.post({ kind: 'lost', why: reasonOf(this.#gone) })
    return port2
  }

  /** Files were changed through `container` itself: what workspaces know of them is looked at again. */
  changed(): void {
    this.bump()
  }

  /** Ends the container and everything in it. Whoever is connected is told. Calling it twice is fine. */
  teardown(): void {
    if (this.#gone !== undefined) return
    this.lose('it was torn down')
    this.container.teardown()
  }

  lose(why: string): void {
    if (this.#gone !== undefined) return
    const error = lostError(why)
    this.#gone = error
    clearInterval(this.#watching)
    for (const session of this.#sessions) session.post({ kind: 'lost', why })
    this.#sessions.clear()
    this.#tellLost(error)
    this.#options.onGone?.()
  }

  get memory(): Map<string, string> {
    return this.#memory
  }

  get generation(): { readonly number: number; readonly runningProcesses: number } {
    return { number: this.#generation, runningProcesses: this.#runningProcesses }
  }

  /** Everybody hears of it before anything else that is posted later. */
  bump(runningDifference: 0 | 1 | -1 = 0): number {
    this.#generation++
    this.#runningProcesses += runningDifference
    for (const session of this.#sessions) session.post({ kind: 'generation', generation: this.generation })
    return this.#generation
  }

  /** The folder for what is ours, with the runner in it. */
  prepare(): Promise<Prepared> {
    const preparing = (this.#prepared ??= this.#prepareOnce())
    preparing.catch(() => {
      if (this.#prepared === preparing) this.#prepared = undefined
    })
    return preparing
  }

  async #prepareOnce(): Promise<Prepared> {
    await this.#makeFolder()
    return { renameReplaces: await probeRename(this.container.fs) }
  }

  async #makeFolder(): Promise<void> {
    const { fs } = this.container
    await fs.mkdir(runtimeFolder, { recursive: true })
    await fs.writeFile(runnerPath, runnerSource)
  }

  /** A process may have cleaned it away. */
  async ensureFolder(): Promise<void> {
    const names = await this.container.fs.readdir(runtimeFolder).catch((): string[] => [])
    if (!names.includes(runnerPath.slice(runtimeFolder.length + 1))) await this.#makeFolder()
  }

  /** What the client does not tell, found out while somebody waits: that the container is gone. */
  async waitFor<T>(work: () => Promise<T>): Promise<T> {
    if (this.#gone !== undefined) throw this.#gone
    const call = Symbol('call')
    this.#waiting.set(call, performance.now())
    this.#watching ??= setInterval(() => this.#watch(), watchIntervalMs)
    try {
      return await work()
    } finally {
      this.#waiting.delete(call)
      if (this.#waiting.size === 0) {
        clearInterval(this.#watching)
        this.#watching = undefined
      }
    }
  }

  #watch(): void {
    if (this.#options.isThere?.() === false) {
      this.lose('its frame was removed from the page')
      return
    }
    const { silenceMs = 30_000 } = this.#options
    const oldestAtMs = Math.min(...this.#waiting.values())
    if (this.#isAsking || performance.now() - oldestAtMs < silenceMs) return
    this.#isAsking = true
    void answersWithin(this.container.fs.readdir('.'), silenceMs).then(answers => {
      this.#isAsking = false
      if (!answers) this.lose(`it has not answered for ${Math.round((2 * silenceMs) / 1000)} seconds`)
    })
  }
}

/** One driver at the other end of a port. */
class Session {
  readonly #host: ContainerHost
  readonly #port: MessagePort
  readonly #processes: ContainerProcesses
  readonly #cancelled = new Set<number>()
  readonly #pending = new Set<number>()
  readonly #onClose: () => void

  constructor(host: ContainerHost, port: MessagePort, onClose: () => void) {
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

  /** Ends what it started. Calling it twice is fine. */
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

  /** The driver is ours and compiled against the same list; what it sends is what the list says. */
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

function reasonOf(error: AnchorageError): string {
  return String(error.details['why'])
}

async function answersWithin(promise: Promise<unknown>, limitMs: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<boolean>(resolve => {
    timer = setTimeout(() => resolve(false), limitMs)
  })
  // That it answers with an error is an answer.
  const answer = promise.then(
    () => true,
    () => true,
  )
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
