// One store, open in many tabs. Each queues for the store's lock; who has it has the files and leads, and the others follow until it is
// their turn. There are never two writers: without the lock nobody opens the files, files that are open are nobody else's, and whoever
// hears of a newer leader stops.

import type { BackendRecipe, VfsBackend, VfsCaps } from '../../../vfs/backend.ts'
import { VfsError } from '../../../vfs/error.ts'
import { actingAs } from '../../../vfs/origin.ts'
import { changeOf, type Edit } from '../../../vfs/tree/edit.ts'
import type { Lives } from '../indexeddb/open-indexeddb.ts'
import { busyStore } from '../lock.ts'
import type { OpenLog, OpenLogOptions } from '../log/open.ts'
import type { LockManager } from '../platform.ts'
import type { After } from './after.ts'
import { errorOf, LeaderUnresponsive } from './errors.ts'
import { Follower } from './follower.ts'
import type { FollowingFeed } from './following-feed.ts'
import type { Job } from './jobs.ts'
import { Leader, type Refused } from './leader.ts'
import { queueForLock } from './lock-queue.ts'
import { isFromLeader, type Message, type Place, protocolVersion } from './messages.ts'
import type { Network, OpenNetwork } from './network.ts'
import { prepared } from './requests.ts'
import { type Role, sharedBackend } from './shared-backend.ts'
import { settle, type Slot } from './submissions.ts'

/** What opening the files gives. Without a log they cannot be shared. */
export interface OwnedStore {
  readonly backend: VfsBackend
  readonly open: OpenLog | undefined
  /** Where a commit is stored a moment later, and may be lost until then. */
  readonly lives?: Lives
  /** Told to the tabs that do not have the files. */
  readonly place?: Place
  /** From now on everything is refused with `failure`, and the files are let go. */
  end(failure: VfsError): void
}

export interface ShareOptions<S extends OwnedStore> {
  readonly name: string
  readonly recipe: BackendRecipe
  /** Of a tab that follows. */
  readonly caps: VfsCaps
  readonly lockName: string
  readonly locks: LockManager
  readonly openNetwork: OpenNetwork
  /** Called while the lock is held; `onClose` gives it back. */
  readonly openStore: (hooks: Pick<OpenLogOptions, 'feed' | 'onReplay'> & { readonly onClose: () => void }) => Promise<S>
  readonly quotaBytes: () => Promise<number | undefined>
  readonly clientId: string
  readonly now: () => number
  readonly after: After
  readonly answerTimeoutMs: number
  readonly openTimeoutMs: number
  /** Contents that a following tab keeps; see `Replica`. */
  readonly keptBytes?: number
  /** This tab has opened the files, where another one had them before. */
  readonly onTakenOver?: (store: S) => void
}

export interface Shared<S extends OwnedStore> {
  readonly backend: VfsBackend
  /** What was opened, if this tab leads from the start. */
  readonly owned: S | undefined
  /** Where the files are as the tab said that has them. */
  readonly place: Place | undefined
}

const closeWaitMs = 2_000
const stolen = 'another tab took this stored filesystem over; reload this one'

/** Rejects as `openStore` does, and with `VfsError` EBUSY if the tab that has the files does not answer or does not share them. */
export async function shareStore<S extends OwnedStore>(options: ShareOptions<S>): Promise<Shared<S>> {
  const { clientId, locks, lockName, now, after, answerTimeoutMs, openTimeoutMs } = options
  let role: Role | undefined
  let leader: Leader | undefined
  let owned: S | undefined
  /** What `leader` leads with. */
  let open: OpenLog | undefined
  let lastEpoch = 0
  let refused: Refused = new Map()
  let isPrivate = false
  let refuseOpening: ((error: Error) => void) | undefined

  const stop = (failure: VfsError): void => {
    leader?.end()
    leader = undefined
    role = { is: 'failed', failure }
    network.close()
    owned?.end(failure)
  }
  const place = queueForLock(locks, lockName, () => stop(new VfsError('EBUSY', 'write', { hint: stolen })))

  const hear = (message: Message): void => {
    if (isFromLeader(message)) {
      if (message.kind === 'private') refuseOpening?.(busyStore(options.name, undefined))
      // It can only lead if this tab does not any more, and has not noticed.
      else if (leader !== undefined && message.epoch > leader.epoch) stop(new VfsError('EBUSY', 'write', { hint: stolen }))
      else follower.hear(message)
    } else if (leader !== undefined) leader.hear(message)
    // It could not store something, and goes on from what it holds. If that fails, whoever asks next has it tried again.
    else if (owned?.lives !== undefined) owned.lives.reopen().catch(() => {})
    else if (isPrivate && message.kind === 'hello') refuse(network, clientId, message.from)
  }
  const network = options.openNetwork(clientId, hear)
  const { keptBytes } = options
  const follower = new Follower({
    clientId,
    network,
    now,
    after,
    answerTimeoutMs,
    ...(keptBytes === undefined ? {} : { keptBytes }),
  })

  const lead = (store: S): void => {
    owned = store
    const { lives } = store
    if (store.open === undefined) isPrivate = true
    else leadWith(store, store.open)
    if (lives === undefined) return
    lives.onFailed = failure => {
      refused = leader?.fail(failure) ?? refused
      leader = undefined
      if (failure.code === 'EBUSY') stop(failure)
      else lives.reopen().catch(() => {})
    }
    lives.onReopened = (reopened, failure) => leadWith(store, reopened, failure)
  }

  /** `failure`: what another leader of this tab ended with just now. */
  const leadWith = ({ backend, lives, place }: S, log: OpenLog, failure?: VfsError): void => {
    open = log
    lastEpoch = Math.max(now(), lastEpoch + 1, follower.epoch + 1)
    const later =
      lives === undefined
        ? undefined
        : { stored: () => lives.stored(), epoch: lastEpoch, isFull: failure?.code === 'ENOSPC', refused }
    leader = new Leader({
      clientId,
      open,
      network,
      now,
      flush: () => backend.flush(),
      ...(later === undefined ? {} : { later }),
      ...(place === undefined ? {} : { place }),
    })
  }

  /** Does what this tab was asked for while it followed. */
  const finish = (job: Job): void => {
    if (owned === undefined) throw new Error('only a tab that leads can finish by itself')
    const { backend, lives } = owned
    if (job.kind === 'operation') {
      const { batch } = actingAs(backend, job.origin)
      if (batch === undefined) throw new Error('a stored filesystem has batches')
      batch(transaction => job.work(transaction)).then(job.resolve, job.reject)
      return
    }
    if (open === undefined || leader === undefined) {
      job.reject(new VfsError('EAGAIN', job.syscall, { hint: 'the store is going back to what it holds; try again' }))
      return
    }
    const { request, sent } = prepared({ ...job, isTogether: true }, open.log.clients.lastOf(clientId) + 1, Infinity)
    const outcome = leader.carryOut(clientId, request, sent)
    if (outcome.is === 'refused') job.reject(errorOf(outcome.refusal))
    else if (outcome.is !== 'done') throw new Error(`a request of this tab's own was ${outcome.is}`)
    else if (lives === undefined) job.resolve(job.value)
    else lives.stored().then(() => job.resolve(job.value), job.reject)
  }

  const finishAll = ({ log }: OpenLog, slot: Slot | undefined, queue: readonly Job[]): void => {
    if (slot !== undefined && !slot.isGivenUp) {
      if (log.clients.lastOf(clientId) >= slot.request.sequence) {
        settle(slot.bundle)
      } else for (const { job } of slot.bundle.results) finish(job)
    }
    for (const job of queue) finish(job)
  }

  const leaveAll = (): void => {
    leader?.end()
    network.close()
    place.leave()
  }

  const takeOver = async (): Promise<void> => {
    let done = (): void => {}
    role = { is: 'taking-over', done: new Promise<void>(resolve => (done = resolve)) }
    const { slot, queue } = follower.end()
    const { replica } = follower
    const missed = missedChanges(replica.transaction)
    let isOpen = false
    const feed = ({ lastSeq }: { readonly lastSeq: number }): FollowingFeed => {
      // Opened once more, because something could not be stored.
      if (isOpen) replica.feed.skipTo(lastSeq)
      return replica.feed
    }
    try {
      const store = await options.openStore({ feed, onReplay: missed.onReplay, onClose: leaveAll })
      const { backend } = store
      if (store.open === undefined) throw new Error('a store that was shared has a log')
      isOpen = true
      role = { is: 'leading', backend }
      missed.tell(replica.feed, store.open.log.transaction, store.open.lastSeq)
      lead(store)
      finishAll(store.open, slot, queue)
      options.onTakenOver?.(store)
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error))
      role = { is: 'failed', failure }
      leaveAll()
      for (const { job } of slot === undefined || slot.isGivenUp ? [] : slot.bundle.results) {
        job.reject(new LeaderUnresponsive(job.syscall, 'unknown'))
      }
      for (const job of queue) job.reject(failure)
    } finally {
      done()
    }
  }

  let stopTimer = (): void => {}
  try {
    const first = await new Promise<'granted' | 'live'>((resolve, reject) => {
      refuseOpening = reject
      stopTimer = after(openTimeoutMs, () => reject(unanswered(options.name)))
      place.granted.then(() => resolve('granted'), reject)
      follower.whenLive(() => resolve('live'))
    })
    if (first === 'granted') {
      follower.close()
      const store = await options.openStore({ onClose: leaveAll })
      lead(store)
      return { backend: store.backend, owned: store, place: store.place }
    }
  } catch (error) {
    follower.close()
    leaveAll()
    throw error
  } finally {
    stopTimer()
    refuseOpening = undefined
  }

  role = { is: 'following', follower }
  const following: Role = role
  place.granted.then(
    () => void takeOver(),
    (error: unknown) => stop(new VfsError('EIO', 'open', { hint: 'the browser gives no locks any more', cause: error })),
  )
  // So that snapshots here keep what another tab replaces. Whoever reads what is not here yet asks for it.
  await follower.replica.bringContents().catch(() => {})
  const backend = sharedBackend({
    caps: options.caps,
    recipe: options.recipe,
    role: () => role ?? following,
    quotaBytes: options.quotaBytes,
    follower,
    finish: job => {
      if (role?.is !== 'leading') return false
      finish(job)
      return true
    },
    async close() {
      if (role?.is === 'taking-over') await role.done
      // What is under way is told how it ended, if that does not take long.
      if (role?.is === 'following') await Promise.race([follower.drained().catch(() => {}), follower.pause(closeWaitMs)])
      follower.close()
      if (role?.is === 'leading') await role.backend.close()
      else leaveAll()
      role = { is: 'failed', failure: new VfsError('EBADF', 'open', { hint: 'this filesystem was closed' }) }
    },
  })
  return { backend, owned: undefined, place: follower.place }
}

/** Answers for a tab that keeps its store to itself, so that nobody waits in vain. Gives how to stop. */
export function keepPrivate(openNetwork: OpenNetwork, clientId: string): () => void {
  const network: Network = openNetwork(clientId, message => {
    if (message.kind === 'hello') refuse(network, clientId, message.from)
  })
  return () => network.close()
}

function refuse(network: Network, clientId: string, to: string): void {
  network.send(to, { protocol: protocolVersion, from: clientId, epoch: 0, kind: 'private' })
}

/** What was committed after `transaction` and before this tab took over: it was under way when its leader died. */
function missedChanges(transaction: number): {
  readonly onReplay: (number: number, edits: readonly Edit[]) => void
  tell(feed: FollowingFeed, last: number, lastSeq: number): void
} {
  let missed: { readonly number: number; readonly edits: readonly Edit[] }[] = []
  return {
    onReplay(number, edits) {
      // Another checkpoint is tried.
      if (number <= (missed.at(-1)?.number ?? 0)) missed = []
      if (number > transaction) missed.push({ number, edits })
    },
    tell(feed, last, lastSeq) {
      const changeCount = missed.reduce((sum, { edits }) => sum + edits.length, 0)
      if (transaction + missed.length === last && feed.seq + changeCount === lastSeq) {
        for (const { edits } of missed) feed.publish(edits.map(changeOf), 'unknown')
      } else feed.skipTo(lastSeq)
    },
  }
}

function unanswered(name: string): VfsError {
  const error = new VfsError('EBUSY', 'open', {
    path: name,
    hint: 'leader-unresponsive: the tab that has this stored filesystem open does not answer (it is busy, suspended or paused, or runs another release); close it and try again, or open a filesystem of another name',
  })
  return Object.assign(error, { details: { ...error.details, reason: 'leader-unresponsive', fate: 'not-done' } })
}
