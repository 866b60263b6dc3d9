// A booted container for everything that connects to it: the filesystem and the shell in one or several workers. It counts generations,
// because only it sees everything that may change a file. It also detects that the container is gone, which the client does not report.

import type { WebContainer } from '@webcontainer/api'
import { deferred } from '../core/deferred.ts'
import { AnchorageError } from '../core/errors.ts'
import { lostError } from '../backends/webcontainer/failures.ts'
import { runnerPath, runnerSource, runtimeFolder } from '../backends/webcontainer/runner.ts'
import type { ContainerSource } from '../backends/webcontainer/wire.ts'
import { inTime } from './in-time.ts'
import { probeRename } from './webcontainer-files.ts'
import { ContainerSession } from './webcontainer-session.ts'

export interface ContainerHostOptions {
  /** Whether the container's frame is still in the page. */
  readonly isThere?: () => boolean
  /** How long a call may be silent before the container is probed, and how long it may take to answer the probe. Default 30 s. */
  readonly silenceMs?: number
  /** Called when the container is gone, for any reason. */
  readonly onGone?: () => void
}

const watchIntervalMs = 1000

interface Prepared {
  readonly renameReplaces: boolean
}

/** A container that workspaces can be connected to. */
export class ContainerHost implements ContainerSource {
  readonly container: WebContainer
  /** Resolves with the reason when the container is gone. */
  readonly lost: Promise<AnchorageError>
  readonly #options: ContainerHostOptions
  readonly #sessions = new Set<ContainerSession>()
  readonly #owned = new WeakMap<object, ContainerSession>()
  readonly #memory = new Map<string, string>()
  readonly #tellLost: (error: AnchorageError) => void
  #prepared: Promise<Prepared> | undefined
  #generation = 0
  #runningProcesses = 0
  #gone: AnchorageError | undefined
  /** The start time of each waiting call. */
  readonly #waiting = new Map<symbol, number>()
  #watching: ReturnType<typeof setInterval> | undefined
  #isAsking = false

  constructor(container: WebContainer, options: ContainerHostOptions = {}) {
    this.container = container
    this.#options = options
    const lost = deferred<AnchorageError>()
    this.lost = lost.promise
    this.#tellLost = lost.resolve
  }

  /** One end of a channel whose other end is served here. It can be sent to a worker. */
  connect(owner?: object): MessagePort {
    const { port1, port2 } = new MessageChannel()
    const session = new ContainerSession(this, port1, () => this.#sessions.delete(session))
    if (owner !== undefined) {
      this.#owned.get(owner)?.close()
      this.#owned.set(owner, session)
    }
    if (this.#gone === undefined) this.#sessions.add(session)
    else session.post({ kind: 'lost', why: reasonOf(this.#gone) })
    return port2
  }

  /** Call this after changing files through `container` directly: workspaces then check their state again. */
  changed(): void {
    this.bump()
  }

  /** Ends the container and everything in it, and notifies everything connected. May be called twice. */
  teardown(): void {
    if (this.#gone !== undefined) return
    this.lose('it was torn down')
    this.container.teardown()
  }

  /** Ends everything that waits for the container with the error `container-lost`. */
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

  /** Sends the new generation to all drivers, before anything that is posted later. */
  bump(runningDifference: 0 | 1 | -1 = 0): number {
    this.#generation++
    this.#runningProcesses += runningDifference
    for (const session of this.#sessions) session.post({ kind: 'generation', generation: this.generation })
    return this.#generation
  }

  /** Creates the folder for our files, with the runner in it. */
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

  /** Creates the folder again, because a process may have removed it. */
  async ensureFolder(): Promise<void> {
    const names = await this.container.fs.readdir(runtimeFolder).catch((): string[] => [])
    if (!names.includes(runnerPath.slice(runtimeFolder.length + 1))) await this.#makeFolder()
  }

  /** Detects while a call waits that the container is gone, which the client does not report. */
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

function reasonOf(error: AnchorageError): string {
  return String(error.details['why'])
}

function answersWithin(promise: Promise<unknown>, limitMs: number): Promise<boolean> {
  // An error also shows that the container is there.
  const answer = promise.then(
    () => true,
    () => true,
  )
  return inTime(answer, limitMs, () => false)
}
