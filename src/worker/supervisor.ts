// Keeps a workspace usable when its worker is not. A stuck or broken worker is ended and every caller is told. If a new worker can be
// created, the workspace is built again from the same options. This is always reported, because files in memory are lost.

import { transfer } from 'comlink'
import { AnchorageError, checkMember } from '../core/errors.ts'
import type { Approve } from '../session/policy/approve.ts'
import { reportFault } from './callback.ts'
import { Connection, type WorkerLike } from './connection.ts'
import { sendContainers } from './containers.ts'
import { inTime } from './in-time.ts'
import { startForWorker } from './page-workers.ts'
import type { PageResources } from './options.ts'
import { wireVersion, type WireConnected, type WireWorkspaceOptions } from './wire.ts'

/** Why a worker was replaced, and whether its files are still there. */
export interface Replacement {
  /** Why the old worker was ended. */
  readonly reason: string
  /** False: every change since connecting is lost, and the files are the initial ones of the workspace. */
  readonly filesKept: boolean
}

export interface SupervisorOptions {
  readonly workspace: WireWorkspaceOptions
  /** Asked by the current worker, also after a replacement. */
  readonly approve: Approve | undefined
  readonly resources: PageResources
  readonly callTimeoutMs: number
  readonly connectTimeoutMs: number
  readonly onReplaced?: ((replacement: Replacement) => void) | undefined
}

/** How long the worker may take to close its sessions and files before it is ended. */
const disposeTimeoutMs = 30_000

export class Supervisor {
  readonly #spawn: () => WorkerLike
  readonly #canRespawn: boolean
  readonly #options: SupervisorOptions
  readonly #afterReplacement = new Set<(connection: Connection) => void>()
  #current: Promise<Connection>
  #connection: Connection | undefined
  #connected: WireConnected | undefined
  #disposed: Promise<void> | undefined
  /** Set once no worker will answer any more. */
  #over: AnchorageError | undefined

  private constructor(worker: WorkerLike | (() => WorkerLike), options: SupervisorOptions) {
    this.#canRespawn = typeof worker === 'function'
    this.#spawn = typeof worker === 'function' ? worker : () => worker
    this.#options = options
    this.#current = this.#start()
  }

  static async start(worker: WorkerLike | (() => WorkerLike), options: SupervisorOptions): Promise<Supervisor> {
    const supervisor = new Supervisor(worker, options)
    await supervisor.#current
    return supervisor
  }

  get connected(): WireConnected {
    if (this.#connected === undefined) throw new Error('unreachable: start waits for the connection')
    return this.#connected
  }

  /** The connection for new work; waits while a lost worker is being replaced. */
  async current(): Promise<Connection> {
    if (this.#over !== undefined) throw this.#over
    return await this.#current
  }

  /** The error for a session of `connection` after that has ended. */
  sessionError(connection: Connection): AnchorageError | undefined {
    const { ended } = connection
    if (ended === undefined || ended.code !== 'worker-lost' || !this.#canRespawn) return ended
    return new AnchorageError(
      'session-lost',
      'The worker of this session was lost. Next: check which files still have your changes, then open a new session.',
      { details: ended.details, cause: ended },
    )
  }

  /** `listener` runs with each new connection. Returns a function that removes it. */
  onReplacement(listener: (connection: Connection) => void): () => void {
    this.#afterReplacement.add(listener)
    return () => this.#afterReplacement.delete(listener)
  }

  /** Closes the workspace in the worker, then ends the worker. May be called twice. */
  dispose(): Promise<void> {
    this.#disposed ??= this.#disposeOnce()
    return this.#disposed
  }

  async #disposeOnce(): Promise<void> {
    const wasOver = this.#over
    const error = new AnchorageError('workspace-disposed', 'The workspace was disposed of. Next: connect a new one.')
    this.#over = error
    const connection = this.#connection
    if (connection === undefined || connection.ended !== undefined || wasOver !== undefined) {
      connection?.end(error)
      return
    }
    try {
      await inTime(connection.request('dispose', []), disposeTimeoutMs, () => {
        throw new AnchorageError(
          'dispose-timeout',
          `The worker did not close its files within ${disposeTimeoutMs / 1000} seconds and was ended. Next: check the last changes.`,
        )
      })
    } finally {
      connection.end(error)
    }
  }

  async #start(): Promise<Connection> {
    const { connectTimeoutMs, callTimeoutMs, workspace, approve, resources } = this.#options
    const worker = this.#spawn()
    checkMember('connectWorkspace', worker, 'postMessage', 'createWorker')
    const connection: Connection = new Connection(worker, {
      callTimeoutMs,
      losesFiles: () => this.#connected?.filesPersist === false,
      onLost: (reason, outstanding) => this.#onLost(connection, reason, outstanding),
    })
    try {
      // Each worker gets new ports, because those of a lost worker ended with it.
      const departure = sendContainers(workspace, this)
      const sent = transfer(
        departure.workspace,
        departure.ports.filter(port => port instanceof MessagePort),
      )
      // Must precede the connection: building the workspace may request a worker at once.
      if (workspace.startsWorkers === true) startForWorker(worker, connection.whenEnded)
      const connecting = connection.request('connect', [wireVersion, sent], { ownTimeMs: connectTimeoutMs })
      this.#connected = await inTime(connecting, connectTimeoutMs, () => {
        throw new AnchorageError(
          'connect-timeout',
          `The worker did not answer within ${connectTimeoutMs / 1000} seconds. Next: check that its script loads and hosts a workspace ` +
            '(anchorage/worker), or raise connectTimeoutMs.',
          { details: { connectTimeoutMs } },
        )
      })
      // Both are loaded only for a page that answers.
      if (approve !== undefined) await (await import('./approvals.ts')).answerApprovals(connection, approve)
      if (workspace.answers !== undefined) await (await import('./page-resources.ts')).answerQuestions(connection, resources)
    } catch (error) {
      connection.end(
        error instanceof AnchorageError
          ? error
          : new AnchorageError('connect-failed', 'The workspace could not be built. Next: see the cause of this error.', {
              cause: error,
            }),
      )
      throw error
    }
    if (this.#over !== undefined) {
      connection.end(this.#over)
      throw this.#over
    }
    this.#connection = connection
    return connection
  }

  #onLost(connection: Connection, reason: string, outstanding: readonly string[]): AnchorageError {
    const wasConnected = this.#connection === connection
    const filesKept = wasConnected && this.connected.filesPersist
    const willReplace = wasConnected && this.#canRespawn && this.#over === undefined
    const details = { reason, outstanding, filesKept, replaced: willReplace }
    const error = new AnchorageError('worker-lost', lostMessage(reason, outstanding, wasConnected, filesKept, willReplace), {
      details,
    })
    if (willReplace) {
      this.#current = this.#replace(error, { reason, filesKept })
      // The next caller receives the failure.
      this.#current.catch(() => {})
    } else if (wasConnected) {
      this.#over ??= error
    }
    return error
  }

  async #replace(lost: AnchorageError, replacement: Replacement): Promise<Connection> {
    // First let the old worker end and its callers be told: a persistent filesystem is locked until then.
    await Promise.resolve()
    let connection: Connection
    try {
      connection = await this.#start()
    } catch (cause) {
      this.#over ??= new AnchorageError('worker-lost', `${lost.message} Starting a new worker failed as well.`, {
        details: { ...lost.details, replaced: false },
        cause,
      })
      throw this.#over
    }
    // Before any caller gets the new connection, so that no caller uses reset files without knowing.
    try {
      this.#options.onReplaced?.(replacement)
    } catch (error) {
      reportFault(error)
    }
    for (const listener of this.#afterReplacement) listener(connection)
    return connection
  }
}

/** The error for a worker whose script failed before there was a connection. */
export function lostBeforeConnecting(reason: string): AnchorageError {
  const details = { reason, outstanding: [], filesKept: false, replaced: false }
  return new AnchorageError('worker-lost', lostMessage(reason, [], false, false, false), { details })
}

function lostMessage(
  reason: string,
  outstanding: readonly string[],
  wasConnected: boolean,
  filesKept: boolean,
  willReplace: boolean,
): string {
  const during =
    outstanding.length === 0
      ? ''
      : ` while ${outstanding.slice(0, 5).join(', ')}${outstanding.length > 5 ? ', …' : ''} was in progress`
  const ended = `The worker was ended${during}: ${reason}.`
  if (!wasConnected) return `${ended} Next: check the worker's script.`
  const files = filesKept
    ? 'The files are persistent and kept; calls in progress may or may not have changed them.'
    : 'THE FILES WERE IN MEMORY AND ARE LOST, with every change since connecting.'
  const next = willReplace
    ? `A new worker takes its place${filesKept ? '' : ', with the initial files of the workspace'}. Next: open a new toolset.`
    : 'Next: connect a new workspace; pass a function that makes workers, and lost ones are replaced.'
  return `${ended} ${files} ${next}`
}
