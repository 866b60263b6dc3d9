// One worker and the calls in progress in it. When the worker is lost, every caller is rejected at once. When a caller aborts, its call is
// rejected at once too, and the worker is told.

import { wrap, type Endpoint } from 'comlink'
import { deferred } from '../core/deferred.ts'
import { AnchorageError } from '../core/errors.ts'
import { SentCallback, reportFault } from './callback.ts'
import { installHandlers } from './handlers.ts'
import { Heartbeat } from './heartbeat.ts'
import { protocol, type WireArguments, type WireResult, type WireVerb } from './protocol.ts'
import { SentSignal } from './signal.ts'

/** The part of `Worker` that we use. */
export interface WorkerLike extends Endpoint {
  terminate(): void
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined
  readonly onUpdate?: ((value: unknown) => void) | undefined
  /** How long the worker may be silent because of this call. */
  readonly ownTimeMs?: number | undefined
  /** The call as shown in the error that reports what was lost: `bash`, `readFile /a`. */
  readonly label?: string | undefined
}

export interface ConnectionOptions {
  readonly callTimeoutMs: number
  /** Whether ending the worker would lose files. Then it gets the time that its calls may take to recover. */
  readonly losesFiles: () => boolean
  /** The worker was ended because it is stuck or broken. Not called for `end`. */
  readonly onLost: (reason: string, outstanding: readonly string[]) => AnchorageError
}

interface Outstanding {
  readonly label: string
  ownTimeMs: number
  readonly reject: (error: unknown) => void
  readonly release: () => void
}

type RemoteFunction = (...args: readonly unknown[]) => Promise<unknown>

/** More beats per time-out would cost messages without better detection. */
const beatsPerTimeout = 5
const maxIntervalMs = 2_000

export class Connection {
  readonly #worker: WorkerLike
  readonly #options: ConnectionOptions
  readonly #heartbeat: Heartbeat
  readonly #outstanding = new Set<Outstanding>()
  // Kept as long as the connection: Comlink releases the endpoint under calls in progress once the root proxy is collected.
  readonly #remote: Readonly<Record<string, RemoteFunction>>
  readonly #functions = new Map<WireVerb, RemoteFunction>()
  #hasAnswered = false
  #ended: AnchorageError | undefined
  readonly #ending = deferred<AnchorageError>()

  constructor(worker: WorkerLike, options: ConnectionOptions) {
    installHandlers()
    this.#worker = worker
    this.#options = options
    this.#remote = wrap<Record<string, RemoteFunction>>(worker)
    this.#heartbeat = new Heartbeat({
      allowedSilenceMs: () => this.#allowedSilenceMs(),
      intervalMs: Math.min(maxIntervalMs, Math.ceil(options.callTimeoutMs / beatsPerTimeout)),
      ping: () => this.#function('ping')(),
      onSilent: silentMs =>
        this.#lose(`it did not answer for ${Math.round(silentMs / 100) / 10} seconds beyond the time its calls may take`),
    })
    worker.addEventListener('error', this.#onError)
    worker.addEventListener('messageerror', this.#onMessageError)
  }

  /** Why this connection has ended; `undefined` while it is open. */
  get ended(): AnchorageError | undefined {
    return this.#ended
  }

  /** Resolves with the reason when this connection ends. */
  get whenEnded(): Promise<AnchorageError> {
    return this.#ending.promise
  }

  /**
   * Calls one function of the worker. Rejects with `signal.reason` as soon as `signal` aborts, whatever the worker does. If the signal is
   * already aborted, nothing is sent. Rejects with the connection's error when the worker is lost.
   */
  request<V extends WireVerb>(verb: V, args: WireArguments<V>, options: RequestOptions = {}): Promise<WireResult<V>> {
    // The worker is ours, and `connect` has checked its version, so the results can be given their types here.
    return this.#request(verb, args, options) as Promise<WireResult<V>>
  }

  async #request(
    verb: WireVerb,
    args: readonly unknown[],
    { signal, onUpdate, ownTimeMs = 0, label = verb }: RequestOptions,
  ): Promise<unknown> {
    signal?.throwIfAborted()
    if (this.#ended !== undefined) throw this.#ended
    const { live } = protocol[verb]
    // A function that takes no signal continues in the worker after its caller aborted, and ends by itself.
    const sentSignal = signal === undefined || live !== 'updates' ? undefined : new SentSignal(signal)
    const sentCallback = onUpdate === undefined ? undefined : new SentCallback(onUpdate)
    const release = (): void => sentCallback?.release()
    const extra = live === 'none' ? [] : live === 'updates' ? [sentSignal, sentCallback] : [sentCallback]
    const givenUp = deferred<never>()
    const entry: Outstanding = { label, ownTimeMs, reject: givenUp.reject, release: () => sentSignal?.release() }
    const onAbort = (): void => {
      givenUp.reject(signal?.reason)
      // A worker that cannot receive the abort is stuck. If its files are safe, it gets no more time. If its files would be lost, a shell
      // loop may continue until its own time-out, because the caller is already free.
      if (!this.#options.losesFiles()) entry.ownTimeMs = 0
      this.#heartbeat.heard()
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    this.#outstanding.add(entry)
    this.#heartbeat.wake()
    // Not part of the race below: the call stays in progress, and supervised, until the worker answers.
    const answer = this.#send(verb, [...args, ...extra]).finally(() => {
      this.#outstanding.delete(entry)
      this.#hasAnswered = true
      this.#heartbeat.heard()
      entry.release()
    })
    let isLate = false
    try {
      const result = await Promise.race([answer, givenUp.promise])
      // A watch's listener stays active; the last updates of a call may still be on their way.
      if (live === 'updates') await sentCallback?.drain()
      return result
    } catch (error) {
      // If the caller has already left, no one receives the outcome.
      const ended = answer.catch(() => {})
      // An aborted call still reports its changes.
      isLate = signal?.aborted === true && live === 'updates'
      if (isLate)
        void Promise.race([ended, this.#ending.promise])
          .then(() => sentCallback?.drain())
          .then(release)
      else release()
      throw error
    } finally {
      signal?.removeEventListener('abort', onAbort)
      if (live !== 'listener' && !isLate) release()
    }
  }

  async #send(verb: WireVerb, args: readonly unknown[]): Promise<unknown> {
    try {
      return await this.#function(verb)(...args)
    } catch (error) {
      if (error instanceof DOMException && error.name === 'DataCloneError') {
        const hint = 'Next: pass plain data only, without functions, class instances or symbols.'
        throw new AnchorageError('not-cloneable', `An argument cannot be sent to the worker: ${error.message}. ${hint}`, {
          cause: error,
        })
      }
      throw error
    }
  }

  /** Ends it on purpose: every call in progress rejects with `error`. */
  end(error: AnchorageError): void {
    if (this.#ended !== undefined) return
    this.#ended = error
    this.#ending.resolve(error)
    this.#heartbeat.stop()
    this.#worker.removeEventListener('error', this.#onError)
    this.#worker.removeEventListener('messageerror', this.#onMessageError)
    this.#worker.terminate()
    const outstanding = [...this.#outstanding]
    this.#outstanding.clear()
    for (const entry of outstanding) {
      entry.reject(error)
      entry.release()
    }
  }

  #lose(reason: string): void {
    if (this.#ended !== undefined) return
    this.end(
      this.#options.onLost(
        reason,
        [...this.#outstanding].map(entry => entry.label),
      ),
    )
  }

  #function(verb: WireVerb): RemoteFunction {
    let remote = this.#functions.get(verb)
    if (remote === undefined) {
      remote = this.#remote[verb]
      if (remote === undefined) throw new Error(`unreachable: a proxy has every property`)
      this.#functions.set(verb, remote)
    }
    return remote
  }

  #allowedSilenceMs(): number | undefined {
    if (this.#outstanding.size === 0) return undefined
    let ownTimeMs = 0
    for (const entry of this.#outstanding) ownTimeMs = Math.max(ownTimeMs, entry.ownTimeMs)
    return ownTimeMs + this.#options.callTimeoutMs
  }

  // Before the first answer, an error means that the script did not load. Later it is an uncaught error in a worker that continues: the
  // browser shows it, the page's files are still in the worker, and the heartbeat finds out whether it still answers.
  readonly #onError = (event: unknown): void => {
    if (!this.#hasAnswered) this.#lose(scriptFailure(event))
  }

  // Some answer is lost, and it is unknown which. The worker continues with all its files, so only the waiting calls fail.
  readonly #onMessageError = (): void => {
    const error = new AnchorageError(
      'reply-unreadable',
      'A reply of the worker could not be read. Next: check what was changed, then call again.',
    )
    reportFault(error)
    for (const entry of this.#outstanding) {
      entry.reject(error)
      entry.release()
    }
    this.#outstanding.clear()
  }
}

/** The reason why a worker is lost whose script did not load or threw. */
export function scriptFailure(event: unknown): string {
  const message: unknown = typeof event === 'object' && event !== null && 'message' in event ? event.message : undefined
  const isTold = typeof message === 'string' && message !== ''
  return `its script failed: ${isTold ? message : 'it could not be loaded or it threw while it started'}`
}
