// A tab that does not have the files. It reads its replica, which the leader's commits keep up to date, and asks the leader to commit.
// Messages, time and timers are passed in, so that tests control them.

import { AnchorageError } from '../../../core/errors.ts'
import type { After } from './after.ts'
import { closedFilesystem, errorOf } from './errors.ts'
import type { Job } from './jobs.ts'
import { Membership, type Welcome } from './membership.ts'
import type { LeaderMessage, Place, Wanted } from './messages.ts'
import type { Network } from './network.ts'
import { Questions } from './questions.ts'
import { type Commit, Replica } from './replica.ts'
import { type Slot, Submissions } from './submissions.ts'

export interface FollowerOptions {
  readonly clientId: string
  readonly network: Network
  /** Milliseconds since 1970, on a clock that all tabs share. */
  readonly now: () => number
  readonly after: After
  /** How long a change waits for the leader before it fails as unanswered. */
  readonly answerTimeoutMs: number
  readonly keptBytes?: number
}

/** Commits that the leader has announced should have arrived after this time. */
const lagMs = 1_000
const maxBufferedCommits = 10_000

/** The leader that this tab has become. */
export interface Successor {
  find(wanted: Wanted): Uint8Array | undefined
}

export class Follower {
  readonly replica: Replica
  readonly #after: After
  readonly #membership: Membership
  readonly #submissions: Submissions
  readonly #questions: Questions
  /** Commits that arrived while there was no tree to apply them to. */
  #buffered: Commit[] = []
  #stopLagging = (): void => {}
  readonly #liveListeners: (() => void)[] = []
  #successor: Promise<Successor | undefined> | undefined

  constructor(options: FollowerOptions) {
    const { clientId, network, now, after, answerTimeoutMs, keptBytes } = options
    this.#after = after
    this.replica = new Replica({
      clientId,
      clock: now,
      fetch: wanted => this.#fetch(wanted),
      ...(keptBytes === undefined ? {} : { keptBytes }),
    })
    const { replica } = this
    const rejoin = (): void => this.#membership.rejoin()
    this.#questions = new Questions({
      after,
      answerTimeoutMs,
      say: message => {
        if (this.isLive) this.#membership.say(message)
      },
      onUnanswered: rejoin,
    })
    this.#submissions = new Submissions({
      replica,
      now,
      after,
      answerTimeoutMs,
      isLive: () => this.isLive,
      epoch: () => this.epoch,
      takesChanges: () => this.#membership.takesChanges,
      say: message => this.#membership.say(message),
      sayHello: () => this.#membership.sayHello(),
      rejoin,
      expect: transaction => this.#expect(transaction),
    })
    // Created last, because it sends a hello at once.
    this.#membership = new Membership({ clientId, network, after, replica, onLive: welcome => this.#goOn(welcome) })
  }

  /** The epoch of the last known leader. */
  get epoch(): number {
    return this.#membership.epoch
  }

  /** Where the files are, according to the leader's last message. */
  get place(): Place | undefined {
    return this.#membership.place
  }

  get isLive(): boolean {
    return this.#membership.isLive
  }

  /** See {@link Submissions.deadlineMs}. */
  get deadlineMs(): number {
    return this.#submissions.deadlineMs
  }

  /** Calls `listener` once, when the follower next becomes live. */
  whenLive(listener: () => void): void {
    if (this.isLive) listener()
    else this.#liveListeners.push(listener)
  }

  /** Stops this follower. Returns the unfinished work for its successor, who brings the contents that are still wanted. */
  end(successor?: Promise<Successor | undefined>): { readonly slot: Slot | undefined; readonly queue: readonly Job[] } {
    this.#successor = successor
    this.#membership.end()
    this.#stopLagging()
    const left = this.#submissions.end()
    this.#questions.end()
    return left
  }

  /** Refuses all unfinished work. */
  close(): void {
    const { slot, queue } = this.end()
    const jobs = [...(slot === undefined || slot.isGivenUp ? [] : slot.bundle.results.map(({ job }) => job)), ...queue]
    for (const job of jobs) job.reject(closedFilesystem())
  }

  submit(job: Job): void {
    if (this.#membership.isEnded) job.reject(closedFilesystem())
    else this.#submissions.submit(job)
  }

  pause(delayMs: number): Promise<void> {
    return new Promise(resolve => void this.#after(delayMs, resolve))
  }

  /** Resolves when all earlier requests have succeeded or failed. */
  async drained(): Promise<void> {
    await new Promise<unknown>((resolve, reject) => {
      const waiting = { syscall: 'flush', deadlineMs: this.deadlineMs, resolve, reject }
      this.submit({ kind: 'operation', work: () => undefined, isAlone: false, isTransaction: false, attempts: 0, ...waiting })
    })
  }

  /** Resolves when all earlier changes are as durable as the leader can make them. */
  async flush(): Promise<void> {
    await this.drained()
    if (this.#membership.isEnded) throw closedFilesystem()
    const answer = await this.#questions.ask(id => ({ kind: 'flush', id }), 'flush')
    if (answer.kind === 'flushed' && answer.refusal !== undefined) throw errorOf(answer.refusal)
  }

  hear(message: LeaderMessage): void {
    if (this.#membership.isEnded || message.epoch < this.epoch) return
    // Commits of the previous leader may never have been stored. Those that were stored are in the new leader's tree.
    if (this.#membership.meet(message)) this.#buffered = []
    switch (message.kind) {
      case 'leading':
      case 'private':
        break
      case 'welcome':
        this.#membership.hearWelcome(message)
        break
      case 'rows':
        this.#membership.hearRows(message)
        break
      case 'pong':
        if (message.transaction > this.replica.transaction) this.#expect(message.transaction)
        break
      case 'commit':
        this.#hearCommit(message)
        break
      case 'answer':
        this.#submissions.hearAnswer(message.sequence, message.outcome)
        break
      case 'contents':
      case 'flushed':
        this.#questions.hear(message)
        break
    }
  }

  /** The replica now has the tree of `welcome`. */
  #goOn(welcome: Welcome): void {
    const buffered = this.#buffered
    this.#buffered = []
    for (const commit of buffered) this.#hearCommit(commit)
    if (!this.isLive) return
    this.#submissions.settleWith(welcome.sequence)
    this.#questions.askAgain()
    this.#bringContents()
    for (const listener of this.#liveListeners.splice(0)) listener()
    this.#submissions.pump()
  }

  #hearCommit(commit: Commit): void {
    if (!this.isLive) {
      this.#buffered.push(commit)
      // The tree that is on its way, or the next one, contains them.
      if (this.#buffered.length > maxBufferedCommits) this.#buffered.shift()
      return
    }
    const { transaction, edits } = commit
    if (transaction <= this.replica.transaction) return
    if (transaction > this.replica.transaction + 1) {
      this.#buffered.push(commit)
      this.#membership.rejoin()
      return
    }
    this.replica.apply(commit, this.#submissions.sentContents)
    if (edits.some(isElsewhere)) this.#bringContents()
    this.#submissions.finish()
  }

  /** The leader has committed this transaction, so it should arrive soon. */
  #expect(transaction: number): void {
    this.#stopLagging()
    this.#stopLagging = this.#after(lagMs, () => {
      if (this.isLive && this.replica.transaction < transaction) this.#membership.rejoin()
    })
  }

  async #fetch(wanted: readonly Wanted[]): Promise<readonly (Uint8Array | undefined)[]> {
    if (!this.#membership.isEnded) {
      try {
        const answer = await this.#questions.ask(id => ({ kind: 'fetch', id, wanted }), 'read')
        return answer.kind === 'contents' ? answer.found : []
      } catch (error) {
        if (this.#successor === undefined) throw error
      }
    }
    const successor = await this.#successor
    if (successor === undefined) throw closedFilesystem()
    return wanted.map(each => successor.find(each))
  }

  #bringContents(): void {
    this.replica.bringContents().catch((error: unknown) => {
      // Reading such a content requests it again and reports the failure.
      if (!(error instanceof AnchorageError)) throw error
    })
  }
}

function isElsewhere(edit: Commit['edits'][number]): boolean {
  return 'node' in edit && 'content' in edit.node && edit.node.content.is === 'elsewhere'
}
