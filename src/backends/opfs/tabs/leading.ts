// The work of a tab while it holds the store's files. It leads the other tabs, and starts with a new leader each time the store returns to
// its stored state.

import { defined } from '../../../core/record.ts'
import type { FullBackend } from '../../../vfs/backend.ts'
import { VfsError } from '../../../vfs/error.ts'
import { actingAs } from '../../../vfs/origin.ts'
import type { Lives } from '../indexeddb/open-indexeddb.ts'
import type { OpenLog } from '../log/open.ts'
import { errorOf } from './errors.ts'
import type { Job } from './jobs.ts'
import { Leader, type Refused } from './leader.ts'
import type { FollowerMessage, Place, Wanted } from './messages.ts'
import type { Network } from './network.ts'
import { refuse } from './private-store.ts'
import { prepared } from './requests.ts'
import { settle, type Slot } from './submissions.ts'

/** The opened files of a store. Without a log they cannot be shared. */
export interface OwnedStore {
  readonly backend: FullBackend
  readonly open: OpenLog | undefined
  /** Set if commits are stored a moment later, and may be lost until then. */
  readonly lives?: Lives
  /** Sent to the tabs that do not have the files. */
  readonly place?: Place
  /** From now on every operation is refused with `failure`, and the files are released. */
  end(failure: VfsError): void
}

export interface LeadingOptions {
  readonly clientId: string
  readonly network: Network
  readonly now: () => number
  /** The epoch of every leader in this tab is above this one. */
  readonly lastEpoch: number
  /** Called when another tab has taken the files. */
  readonly onTaken: (failure: VfsError) => void
}

/** `paused`: the store is returning to its stored state, and a new leader follows. `alone`: the store cannot be shared. */
type State =
  | { readonly is: 'leading'; readonly leader: Leader; readonly open: OpenLog }
  | { readonly is: 'paused'; readonly refused: Refused }
  | { readonly is: 'alone' }
  | { readonly is: 'ended' }

export class Leading<S extends OwnedStore> {
  readonly store: S
  readonly #options: LeadingOptions
  #lastEpoch: number
  #state: State = { is: 'alone' }

  constructor(store: S, options: LeadingOptions) {
    this.store = store
    this.#options = options
    this.#lastEpoch = options.lastEpoch
    const { open, lives } = store
    if (open === undefined) return
    this.#begin(open, new Map(), undefined)
    if (lives === undefined) return
    lives.onFailed = failure => this.#fail(failure, lives)
    lives.onReopened = (reopened, failure) => {
      if (this.#state.is === 'ended') return
      this.#begin(reopened, this.#state.is === 'paused' ? this.#state.refused : new Map(), failure)
    }
  }

  /** `undefined` while this tab has no active leader. */
  get epoch(): number | undefined {
    return this.#state.is === 'leading' ? this.#state.leader.epoch : undefined
  }

  /** Handles a message of a tab that follows, or wants to. */
  hear(message: FollowerMessage): void {
    const { network, clientId } = this.#options
    if (this.#state.is === 'leading') this.#state.leader.hear(message)
    // If this fails, the next message tries again.
    else if (this.#state.is === 'paused') this.store.lives?.reopen().catch(() => {})
    else if (this.#state.is === 'alone' && message.kind === 'hello') refuse(network, clientId, message.from)
  }

  /** For contents that this tab wanted while it was a follower. */
  find(wanted: Wanted): Uint8Array | undefined {
    return this.#state.is === 'leading' ? this.#state.leader.find(wanted) : undefined
  }

  /** Stops leading. The files stay open. */
  end(): void {
    if (this.#state.is === 'leading') this.#state.leader.end()
    this.#state = { is: 'ended' }
  }

  /** Carries out a job that this tab was given while it was a follower. */
  finish(job: Job): void {
    const { backend, lives } = this.store
    if (job.kind === 'operation') {
      actingAs(backend, job.origin)
        .batch(transaction => job.work(transaction))
        .then(job.resolve, job.reject)
      return
    }
    if (this.#state.is !== 'leading') {
      job.reject(
        new VfsError('EAGAIN', job.syscall, { hint: 'the store could not be written and is being opened again; try again' }),
      )
      return
    }
    const { clientId } = this.#options
    const { leader, open } = this.#state
    const { request, sent } = prepared({ ...job, isTogether: true }, open.log.clients.lastOf(clientId) + 1, Infinity)
    const outcome = leader.carryOut(clientId, request, sent)
    if (outcome.is === 'refused') job.reject(errorOf(outcome.refusal))
    else if (outcome.is !== 'done') throw new Error(`a request of this tab was ${outcome.is}`)
    else if (lives === undefined) job.resolve(job.value)
    else lives.stored().then(() => job.resolve(job.value), job.reject)
  }

  /** Carries out all work that was left from this tab's time as a follower. Requests that are stored already are not repeated. */
  finishAll(slot: Slot | undefined, queue: readonly Job[]): void {
    if (slot !== undefined && !slot.isGivenUp) {
      const isDone = (this.store.open?.log.clients.lastOf(this.#options.clientId) ?? 0) >= slot.request.sequence
      if (isDone) settle(slot.bundle)
      else for (const { job } of slot.bundle.results) this.finish(job)
    }
    for (const job of queue) this.finish(job)
  }

  /** `failure` is the reason why the previous leader of this tab ended. */
  #begin(open: OpenLog, refused: Refused, failure: VfsError | undefined): void {
    const { clientId, network, now } = this.#options
    const { backend, lives, place } = this.store
    this.#lastEpoch = Math.max(now(), this.#lastEpoch + 1)
    const leader = new Leader({
      clientId,
      open,
      network,
      now,
      flush: () => backend.flush(),
      epoch: this.#lastEpoch,
      ...defined({ place, later: lives && { stored: () => lives.stored(), isFull: failure?.code === 'ENOSPC', refused } }),
    })
    this.#state = { is: 'leading', leader, open }
  }

  #fail(failure: VfsError, lives: Lives): void {
    if (this.#state.is === 'leading') this.#state = { is: 'paused', refused: this.#state.leader.fail(failure) }
    if (failure.code === 'EBUSY') this.#options.onTaken(failure)
    else lives.reopen().catch(() => {})
  }
}
