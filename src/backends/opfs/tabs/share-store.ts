// One store, open in many tabs. Each tab queues for the store's lock. The tab that holds it has the files and leads; the others follow
// until it is their turn. There are never two writers: a tab opens the files only while it holds the lock, open files cannot be opened
// again, and a leader that receives a message of a newer one stops.
//
//   waiting ──> leading                     no other tab has the store open
//   waiting ──> following ──> taking-over ──> leading
//   any of these ──> closed                 it was closed, it failed, or another tab took the files

import type { BackendRecipe, FullBackend, VfsCaps } from '../../../vfs/backend.ts'
import { defined } from '../../../core/record.ts'
import { deferred } from '../../../core/deferred.ts'
import { VfsError } from '../../../vfs/error.ts'
import { busyStore } from '../lock.ts'
import type { OpenLogOptions } from '../log/open.ts'
import type { LockManager } from '../platform.ts'
import type { After } from './after.ts'
import { closedFilesystem, LeaderUnresponsive } from './errors.ts'
import { Follower } from './follower.ts'
import type { FollowingFeed } from './following-feed.ts'
import { Leading, type OwnedStore } from './leading.ts'
import { type PlaceInQueue, queueForLock } from './lock-queue.ts'
import { isFromLeader, type Message, type Place } from './messages.ts'
import { MissedChanges } from './missed-changes.ts'
import type { Network, OpenNetwork } from './network.ts'
import { type Role, sharedBackend } from './shared-backend.ts'

export type { OwnedStore } from './leading.ts'

export interface ShareOptions<S extends OwnedStore> {
  readonly name: string
  readonly recipe: BackendRecipe
  /** The capabilities of a tab that follows. */
  readonly caps: VfsCaps
  readonly lockName: string
  readonly locks: LockManager
  readonly openNetwork: OpenNetwork
  /** Called while the lock is held; `onClose` releases it. */
  readonly openStore: (hooks: Pick<OpenLogOptions, 'feed' | 'onReplay'> & { readonly onClose: () => void }) => Promise<S>
  readonly quotaBytes: () => Promise<number | undefined>
  readonly clientId: string
  readonly now: () => number
  readonly after: After
  readonly answerTimeoutMs: number
  readonly openTimeoutMs: number
  /** Up to this size a following tab keeps all contents; see `Replica`. */
  readonly keptBytes?: number
  /** Called when this tab has opened the files after another tab had them. */
  readonly onTakenOver?: (store: S) => void
}

export interface Shared<S extends OwnedStore> {
  readonly backend: FullBackend
  /** The opened store, if this tab leads from the start. */
  readonly owned: S | undefined
  /** Where the files are, according to the tab that has them. */
  readonly place: Place | undefined
}

type State<S extends OwnedStore> =
  | { readonly is: 'waiting'; readonly refuse: (error: Error) => void }
  | { readonly is: 'following' }
  | { readonly is: 'taking-over'; readonly done: Promise<void> }
  | { readonly is: 'leading'; readonly leading: Leading<S> }
  | { readonly is: 'closed'; readonly failure: Error }

const closeWaitMs = 2_000
const takenHint = 'another tab took over this stored filesystem; reload this tab'

/** Rejects as `openStore` does, and with `VfsError` EBUSY if the tab that has the files does not answer or does not share them. */
export async function shareStore<S extends OwnedStore>(options: ShareOptions<S>): Promise<Shared<S>> {
  return await new SharedStore(options).open()
}

class SharedStore<S extends OwnedStore> {
  readonly #options: ShareOptions<S>
  readonly #network: Network
  readonly #follower: Follower
  readonly #place: PlaceInQueue
  #state: State<S> = { is: 'waiting', refuse: () => {} }

  constructor(options: ShareOptions<S>) {
    this.#options = options
    const { clientId, now, after, answerTimeoutMs, keptBytes } = options
    this.#place = queueForLock(options.locks, options.lockName, () => this.#stop(taken()))
    this.#network = options.openNetwork(clientId, message => this.#hear(message))
    this.#follower = new Follower(defined({ clientId, network: this.#network, now, after, answerTimeoutMs, keptBytes }))
  }

  async open(): Promise<Shared<S>> {
    const { openStore } = this.#options
    try {
      if ((await this.#lockOrLeader()) === 'lock') {
        this.#follower.close()
        const store = await openStore({ onClose: () => this.#leaveAll() })
        this.#lead(store)
        return { backend: store.backend, owned: store, place: store.place }
      }
    } catch (error) {
      this.#follower.close()
      this.#leaveAll()
      throw error
    }
    this.#state = { is: 'following' }
    this.#place.granted.then(
      () => void this.#takeOver(),
      (error: unknown) =>
        this.#stop(new VfsError('EIO', 'open', { hint: 'the browser no longer grants locks; reload the page', cause: error })),
    )
    const follower = this.#follower
    // With the contents here, snapshots keep what another tab replaces. A content that cannot be fetched now is fetched when it is read.
    await follower.replica.bringContents().catch(() => {})
    const backend = sharedBackend({
      caps: this.#options.caps,
      recipe: this.#options.recipe,
      role: () => this.#role(),
      quotaBytes: this.#options.quotaBytes,
      follower,
      finish: job => {
        if (this.#state.is !== 'leading') return false
        this.#state.leading.finish(job)
        return true
      },
      close: () => this.#close(),
    })
    return { backend, owned: undefined, place: follower.place }
  }

  /** Resolves to whichever comes first: the lock, or a tab that leads. Rejects if neither comes in time. */
  async #lockOrLeader(): Promise<'lock' | 'leader'> {
    const { name, after, openTimeoutMs } = this.#options
    const first = deferred<'lock' | 'leader'>()
    this.#state = { is: 'waiting', refuse: first.reject }
    const stopTimer = after(openTimeoutMs, () => first.reject(unanswered(name)))
    this.#place.granted.then(() => first.resolve('lock'), first.reject)
    this.#follower.whenLive(() => first.resolve('leader'))
    try {
      return await first.promise
    } finally {
      stopTimer()
    }
  }

  #role(): Role {
    switch (this.#state.is) {
      case 'leading':
        return { is: 'leading', backend: this.#state.leading.store.backend }
      case 'closed':
        return { is: 'failed', failure: this.#state.failure }
      case 'taking-over':
        return this.#state
      default:
        return { is: 'following', follower: this.#follower }
    }
  }

  #hear(message: Message): void {
    const state = this.#state
    if (!isFromLeader(message)) {
      if (state.is === 'leading') state.leading.hear(message)
      return
    }
    const ownEpoch = state.is === 'leading' ? state.leading.epoch : undefined
    if (message.kind === 'private') {
      if (state.is === 'waiting') state.refuse(busyStore(this.#options.name, undefined))
    } else if (ownEpoch !== undefined && message.epoch > ownEpoch) {
      // Another tab can lead only if this one has lost the files without noticing.
      this.#stop(taken())
    } else this.#follower.hear(message)
  }

  #lead(store: S): Leading<S> {
    const { clientId, now } = this.#options
    const leading = new Leading(store, {
      clientId,
      network: this.#network,
      now,
      lastEpoch: this.#follower.epoch,
      onTaken: failure => this.#stop(failure),
    })
    this.#state = { is: 'leading', leading }
    return leading
  }

  async #takeOver(): Promise<void> {
    if (this.#state.is !== 'following') return
    const over = deferred<void>()
    this.#state = { is: 'taking-over', done: over.promise }
    const successor = over.promise.then(() => (this.#state.is === 'leading' ? this.#state.leading : undefined))
    const { slot, queue } = this.#follower.end(successor)
    const { replica } = this.#follower
    const missed = new MissedChanges(replica.transaction)
    let isOpen = false
    const feed = ({ lastSeq }: { readonly lastSeq: number }): FollowingFeed => {
      // The store was opened again because a write could not be stored.
      if (isOpen) replica.feed.skipTo(lastSeq)
      return replica.feed
    }
    try {
      const store = await this.#options.openStore({ feed, onReplay: missed.onReplay, onClose: () => this.#leaveAll() })
      if (store.open === undefined) throw new Error('a store that was shared has a log')
      isOpen = true
      missed.tell(replica.feed, store.open.log.transaction, store.open.lastSeq)
      this.#lead(store).finishAll(slot, queue)
      this.#options.onTakenOver?.(store)
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error))
      this.#state = { is: 'closed', failure }
      this.#leaveAll()
      for (const { job } of slot === undefined || slot.isGivenUp ? [] : slot.bundle.results)
        job.reject(new LeaderUnresponsive(job.syscall, 'unknown'))
      for (const job of queue) job.reject(failure)
    } finally {
      over.resolve()
    }
  }

  async #close(): Promise<void> {
    if (this.#state.is === 'taking-over') await this.#state.done
    // Callers of running work learn its outcome, if that does not take long.
    if (this.#state.is === 'following')
      await Promise.race([this.#follower.drained().catch(() => {}), this.#follower.pause(closeWaitMs)])
    this.#follower.close()
    if (this.#state.is === 'leading') await this.#state.leading.store.backend.close()
    else this.#leaveAll()
    this.#state = { is: 'closed', failure: closedFilesystem() }
  }

  /** Ends this from outside: every operation fails with `failure` from now on. */
  #stop(failure: VfsError): void {
    const state = this.#state
    this.#state = { is: 'closed', failure }
    if (state.is === 'leading') state.leading.end()
    this.#network.close()
    if (state.is === 'leading') state.leading.store.end(failure)
  }

  /** Stops leading or following, and releases the lock. */
  #leaveAll(): void {
    if (this.#state.is === 'leading') this.#state.leading.end()
    this.#network.close()
    this.#place.leave()
  }
}

function taken(): VfsError {
  return new VfsError('EBUSY', 'write', { hint: takenHint })
}

function unanswered(name: string): VfsError {
  const error = new VfsError('EBUSY', 'open', {
    path: name,
    hint: 'leader-unresponsive: the tab that has this stored filesystem open does not answer (it is busy, suspended or paused, or runs another release); close it and try again, or open a filesystem of another name',
  })
  return Object.assign(error, { details: { ...error.details, reason: 'leader-unresponsive', fate: 'not-done' } })
}
