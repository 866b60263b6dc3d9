// Sends a follower's transactions to the leader, one at a time. The next one is sent only when the outcome of the previous one is known, so
// that the question whether it was done has one answer even if the leader ends.

import { ContentElsewhere } from '../../../vfs/elsewhere.ts'
import { VfsError } from '../../../vfs/error.ts'
import type { FileContent } from '../../../vfs/tree/node.ts'
import type { After } from './after.ts'
import { errorOf, LeaderUnresponsive } from './errors.ts'
import { type Bundle, contentBytesOf, type Job, newContents, takeBundle } from './jobs.ts'
import type { FollowerMessage, Outcome, Unsigned } from './messages.ts'
import type { Replica } from './replica.ts'
import { partBytes, type Prepared, prepared } from './requests.ts'
import { pushAll } from '../../../core/many.ts'

/** How long an answer may still be on its way after its request has expired. */
const lateAnswerMs = 300
/** If a timer is this late, the tab was suspended. */
const sleptMs = 1_000
const impatientMs = 1_000
const maxAttempts = 100
/** The limit for the contents of one request. */
const maxRequestBytes = 512 * 1024 * 1024

/** The transaction in progress. */
export interface Slot extends Prepared {
  readonly bundle: Bundle
  /** Its callers were told that its outcome is unknown. */
  isGivenUp: boolean
  outcome?: Outcome
  /** The epoch of the leader that gave the outcome. */
  outcomeEpoch?: number
  stopTimer: () => void
}

/** The follower that owns these submissions. */
export interface Submitter {
  readonly replica: Replica
  readonly now: () => number
  readonly after: After
  readonly answerTimeoutMs: number
  /** Whether its replica is a state of the current leader. */
  readonly isLive: () => boolean
  readonly epoch: () => number
  /** Whether the leader takes changes of contents. */
  readonly takesChanges: () => boolean
  readonly say: (message: Unsigned<FollowerMessage>) => void
  readonly sayHello: () => void
  readonly rejoin: () => void
  /** The leader has committed this transaction, so it should arrive soon. */
  readonly expect: (transaction: number) => void
}

export class Submissions {
  readonly #by: Submitter
  readonly #queue: Job[] = []
  #slot: Slot | undefined
  #sequence = 0
  #isBringing = false
  #stopDeadline: (() => void) | undefined

  constructor(by: Submitter) {
    this.#by = by
  }

  /** Work that is submitted now is not started after this time. */
  get deadlineMs(): number {
    const { now, answerTimeoutMs } = this.#by
    // While one request is unanswered, the next ones do not wait as long.
    return now() + (this.#slot?.isGivenUp === true ? Math.min(answerTimeoutMs, impatientMs) : answerTimeoutMs)
  }

  /** Contents that were sent from here, by inode number: the leader need not send them back. */
  get sentContents(): ReadonlyMap<number, FileContent> {
    return this.#slot === undefined ? nothing : newContents(this.#slot.bundle.edits)
  }

  /** Returns the unfinished work for its successor. */
  end(): { readonly slot: Slot | undefined; readonly queue: readonly Job[] } {
    this.#stopDeadline?.()
    const slot = this.#slot
    slot?.stopTimer()
    this.#slot = undefined
    return { slot, queue: this.#queue.splice(0) }
  }

  submit(job: Job): void {
    this.#queue.push(job)
    this.#watchDeadline()
    this.pump()
  }

  /** Starts the next transaction, if possible. */
  pump(): void {
    while (this.#slot === undefined && this.#by.isLive() && !this.#isBringing) {
      const bundle = takeBundle(this.#queue, this.#by.replica)
      if (bundle === undefined) return
      if (bundle instanceof ContentElsewhere) {
        this.#bringFor(bundle)
        return
      }
      if (bundle.edits.length === 0) settle(bundle)
      else this.#begin(bundle)
    }
  }

  hearAnswer(sequence: number, outcome: Outcome): void {
    const slot = this.#slot
    if (slot?.request.sequence !== sequence || slot.outcome !== undefined) return
    if (outcome.is === 'incomplete') {
      this.#send(slot)
      return
    }
    slot.outcome = outcome
    slot.outcomeEpoch = this.#by.epoch()
    if ('transaction' in outcome && outcome.transaction > this.#by.replica.transaction) this.#by.expect(outcome.transaction)
    this.finish()
  }

  /** A new leader, which may not have received the request, reports the last one that was carried out. */
  settleWith(lastSequence: number): void {
    const slot = this.#slot
    if (slot === undefined) return
    const { replica, epoch, now } = this.#by
    const { sequence, expiresAtMs } = slot.request
    // Requests that an earlier leader carried out are in this leader's log, unless they were lost.
    if (slot.outcome?.is === 'refused' && slot.outcomeEpoch !== epoch()) {
      slot.outcome = { ...slot.outcome, transaction: replica.transaction }
    } else if (slot.outcome?.is === 'done' && slot.outcomeEpoch !== epoch()) delete slot.outcome
    if (slot.outcome !== undefined) this.finish()
    else if (lastSequence >= sequence) this.hearAnswer(sequence, { is: 'done', transaction: replica.transaction })
    else if (slot.isGivenUp || now() > expiresAtMs) this.hearAnswer(sequence, { is: 'expired' })
    else this.#send(slot)
  }

  /** Waits for the state that the answer refers to, so that callers see their changes, or try again on that state. */
  finish(): void {
    const slot = this.#slot
    const outcome = slot?.outcome
    const { replica, sayHello } = this.#by
    if (slot === undefined || outcome === undefined) return
    if ('transaction' in outcome && outcome.transaction > replica.transaction) return
    slot.stopTimer()
    this.#slot = undefined
    if (!slot.isGivenUp) this.#conclude(slot.bundle, outcome)
    if (replica.stamps.isShort) sayHello()
    this.pump()
  }

  #bringFor(content: ContentElsewhere): void {
    this.#isBringing = true
    const [job] = this.#queue
    content
      .load()
      .catch((error: unknown) => {
        // The file was replaced meanwhile: the next attempt uses its new state.
        const isReplaced = error instanceof VfsError && error.code === 'ESTALE' && job?.kind === 'operation' && ++job.attempts < 5
        if (isReplaced || job === undefined || this.#queue[0] !== job) return
        this.#queue.shift()
        job.reject(error)
      })
      .finally(() => {
        this.#isBringing = false
        this.pump()
      })
  }

  #begin(bundle: Bundle): void {
    const { now, answerTimeoutMs } = this.#by
    const size = contentBytesOf(bundle.edits)
    if (size > maxRequestBytes) {
      const hint = `a tab that does not have the files open itself can commit up to ${maxRequestBytes} bytes at once; write less at once`
      for (const { job } of bundle.results) job.reject(new VfsError('EFBIG', job.syscall, { hint }))
      return
    }
    const slot: Slot = {
      bundle,
      ...prepared(bundle, ++this.#sequence, now() + answerTimeoutMs, this.#by.takesChanges()),
      isGivenUp: false,
      stopTimer: () => {},
    }
    this.#slot = slot
    this.#giveUpLater(slot, answerTimeoutMs + lateAnswerMs)
    this.#send(slot)
  }

  #send({ request, sent }: Slot): void {
    const { sequence, partCount } = request
    for (let index = 0; index < partCount; index++)
      this.#by.say({ kind: 'part', sequence, index, bytes: sent.slice(index * partBytes, (index + 1) * partBytes) })
    this.#by.say({ kind: 'request', request })
  }

  #giveUpLater(slot: Slot, delayMs: number): void {
    const { now, after, rejoin } = this.#by
    const dueMs = now() + delayMs
    slot.stopTimer = after(delayMs, () => {
      // This tab was suspended: the answer may have arrived already and be waiting in the event queue.
      if (now() > dueMs + sleptMs) {
        this.#giveUpLater(slot, sleptMs)
        return
      }
      if (this.#slot !== slot) return
      if (slot.outcome !== undefined) {
        // The outcome is known; only the commits that it refers to have not arrived.
        this.#slot = undefined
        this.#conclude(slot.bundle, slot.outcome)
        rejoin()
        return
      }
      slot.isGivenUp = true
      for (const { job } of slot.bundle.results) job.reject(new LeaderUnresponsive(job.syscall, 'unknown'))
      // The current leader knows the outcome.
      rejoin()
    })
  }

  #conclude(bundle: Bundle, outcome: Outcome): void {
    if (outcome.is === 'done') {
      settle(bundle)
      return
    }
    const again: Job[] = []
    for (const { job } of bundle.results) {
      if (outcome.is !== 'refused') job.reject(new LeaderUnresponsive(job.syscall, 'not-done'))
      else if (outcome.refusal.code !== 'ESTALE' || (job.kind === 'drafted' && job.again === undefined)) {
        job.reject(errorOf(outcome.refusal))
      } else if (job.kind === 'drafted') pushAll(again, redone(job))
      else if (++job.attempts > maxAttempts) {
        job.reject(new VfsError('EAGAIN', job.syscall, { hint: 'another tab keeps changing the same file; try again' }))
      } else again.push(job)
    }
    pushAll(this.#queue, again.concat(this.#queue.splice(0)))
    this.#watchDeadline()
  }

  /** Jobs wait in order and equally long, so only the deadline of the first one matters. */
  #watchDeadline(): void {
    if (this.#stopDeadline !== undefined) return
    const [first] = this.#queue
    if (first === undefined) return
    const { after, now } = this.#by
    this.#stopDeadline = after(Math.max(0, first.deadlineMs - now()) + lateAnswerMs, () => {
      this.#stopDeadline = undefined
      while (this.#queue[0] !== undefined && this.#queue[0].deadlineMs <= now()) {
        const late = this.#queue.shift()
        late?.reject(new LeaderUnresponsive(late.syscall, 'not-done'))
      }
      this.#watchDeadline()
    })
  }
}

const nothing: ReadonlyMap<number, FileContent> = new Map()

/** Delivers all results. */
export function settle({ results }: Bundle): void {
  for (const result of results) {
    if (result.is === 'value') result.job.resolve(result.value)
    else result.job.reject(result.error)
  }
}

/** The job as an operation, which can be repeated. */
function redone({ again, syscall, deadlineMs, resolve, reject }: Job & { readonly kind: 'drafted' }): Job[] {
  if (again === undefined) return []
  return [
    { kind: 'operation', work: again, isAlone: true, isTransaction: true, attempts: 1, syscall, deadlineMs, resolve, reject },
  ]
}
