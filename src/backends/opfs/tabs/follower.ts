// A tab that does not have the files. It reads its own replica and asks the leader to commit, one transaction at a time; the next one
// is sent only when it is known what became of the one before, so that "was it done?" has one answer even if the leader dies. All that
// it knows of the world it is told: messages, time, timers.

import { AnchorageError } from '../../../core/errors.ts'
import { ContentElsewhere } from '../../../vfs/elsewhere.ts'
import { VfsError } from '../../../vfs/error.ts'
import type { FileContent } from '../../../vfs/tree/node.ts'
import { closedFilesystem, errorOf, LeaderUnresponsive } from './errors.ts'
import { type Bundle, contentBytesOf, type Job, newContents, takeBundle } from './jobs.ts'
import { type FollowerMessage, type LeaderMessage, type Outcome, type Place, protocolVersion, type Wanted } from './messages.ts'
import type { Network } from './network.ts'
import { type Commit, Replica } from './replica.ts'
import { partBytes, type Prepared, prepared } from './requests.ts'
import type { Row } from './wire-tree.ts'

/** Gives up a wait. */
export type After = (delayMs: number, work: () => void) => () => void

export interface FollowerOptions {
  readonly clientId: string
  readonly network: Network
  /** Milliseconds since 1970: the same for all tabs of a machine. */
  readonly now: () => number
  readonly after: After
  /** How long a change waits for the leader before its caller is told that it does not answer. */
  readonly answerTimeoutMs: number
  readonly keptBytes?: number
}

/** Greets again after this long without an answer; each time it waits longer. */
const greetMs = { first: 250, longest: 2_000, joining: 3_000 }
const pingMs = 5_000
/** Commits that the leader has told should be here by then. */
const lagMs = 1_000
/** After a request has expired its answer may still be on its way. */
const lateAnswerMs = 300
const impatientMs = 1_000
const maxAttempts = 100
const maxBufferedCommits = 10_000
/** Contents of one request. */
const maxRequestBytes = 512 * 1024 * 1024

type Say<M = FollowerMessage> = M extends FollowerMessage ? Omit<M, 'protocol' | 'from'> : never

/** The transaction that is under way. */
export interface Slot extends Prepared {
  readonly bundle: Bundle
  /** Its callers were told that nothing is known of it. */
  isGivenUp: boolean
  outcome?: Outcome
  /** Of the leader that gave it. */
  outcomeEpoch?: number
  stopTimer: () => void
}

interface Asked {
  readonly message: Say
  readonly resolve: (answer: LeaderMessage) => void
  readonly reject: (error: VfsError) => void
  readonly stopTimer: () => void
}

type State =
  | { readonly is: 'seeking' }
  | {
      readonly is: 'joining'
      readonly welcome: LeaderMessage & { readonly kind: 'welcome' }
      readonly pages: (readonly Row[])[]
    }
  | { readonly is: 'live' }
  | { readonly is: 'ended' }

export class Follower {
  readonly replica: Replica
  readonly #options: FollowerOptions
  #state: State = { is: 'seeking' }
  #epoch = 0
  #leaderId: string | undefined
  #place: Place | undefined
  #buffered: Commit[] = []
  readonly #queue: Job[] = []
  #slot: Slot | undefined
  #sequence = 0
  #isBringing = false
  readonly #asked = new Map<number, Asked>()
  #lastAskedId = 0
  #greetDelayMs = greetMs.first
  #stopGreeting = (): void => {}
  #stopPinging = (): void => {}
  #stopLagging = (): void => {}
  #stopDeadline: (() => void) | undefined
  readonly #liveListeners: (() => void)[] = []

  constructor(options: FollowerOptions) {
    this.#options = options
    const { clientId, now } = options
    this.replica = new Replica({
      clientId,
      clock: now,
      fetch: wanted => this.#fetch(wanted),
      ...(options.keptBytes === undefined ? {} : { keptBytes: options.keptBytes }),
    })
    this.#greet()
  }

  /** Of the last leader that it heard of. */
  get epoch(): number {
    return this.#epoch
  }

  /** Where the files are, as the leader said last. */
  get place(): Place | undefined {
    return this.#place
  }

  get isLive(): boolean {
    return this.#state.is === 'live'
  }

  /** Called once, when it is live for the first time from now on. */
  whenLive(listener: () => void): void {
    if (this.isLive) listener()
    else this.#liveListeners.push(listener)
  }

  /** It answers nothing any more. Gives what is not done, for whoever goes on. */
  end(): { readonly slot: Slot | undefined; readonly queue: readonly Job[] } {
    this.#state = { is: 'ended' }
    for (const stop of [this.#stopGreeting, this.#stopPinging, this.#stopLagging, this.#stopDeadline]) stop?.()
    const slot = this.#slot
    slot?.stopTimer()
    this.#slot = undefined
    for (const asked of this.#asked.values()) {
      asked.stopTimer()
      asked.reject(new VfsError('EAGAIN', 'read', { hint: 'this tab is taking the stored files over; try again' }))
    }
    this.#asked.clear()
    return { slot, queue: this.#queue.splice(0) }
  }

  /** Refuses everything that is not done. */
  close(): void {
    const { slot, queue } = this.end()
    const jobs = [...(slot === undefined || slot.isGivenUp ? [] : slot.bundle.results.map(({ job }) => job)), ...queue]
    for (const job of jobs) job.reject(closedFilesystem())
  }

  submit(job: Job): void {
    if (this.#state.is === 'ended') {
      job.reject(closedFilesystem())
      return
    }
    this.#queue.push(job)
    this.#watchDeadline()
    this.#pump()
  }

  pause(delayMs: number): Promise<void> {
    return new Promise(resolve => void this.#options.after(delayMs, resolve))
  }

  get deadlineMs(): number {
    const { now, answerTimeoutMs } = this.#options
    // Nobody waits long for a leader that has just left somebody else waiting.
    return now() + (this.#slot?.isGivenUp === true ? Math.min(answerTimeoutMs, impatientMs) : answerTimeoutMs)
  }

  /** Everything that was asked of it before is done, or has failed. */
  async drained(): Promise<void> {
    await new Promise<unknown>((resolve, reject) => {
      const waiting = { syscall: 'flush', deadlineMs: this.deadlineMs, resolve, reject }
      this.submit({ kind: 'operation', work: () => undefined, isAlone: false, isTransaction: false, attempts: 0, ...waiting })
    })
  }

  /** Everything that was done here before is as durable as the leader can make it. */
  async flush(): Promise<void> {
    await this.drained()
    const answer = await this.#ask(id => ({ kind: 'flush', id }), 'flush')
    if (answer.kind === 'flushed' && answer.refusal !== undefined) throw errorOf(answer.refusal)
  }

  hear(message: LeaderMessage): void {
    if (this.#state.is === 'ended' || message.epoch < this.#epoch) return
    if (message.epoch > this.#epoch) {
      this.#epoch = message.epoch
      this.#leaderId = message.from
      // What the one before told may never have been stored; what was is in the tree of this one.
      this.#buffered = []
      if (message.kind !== 'welcome') this.#rejoin()
    }
    switch (message.kind) {
      case 'leading':
      case 'private':
        break
      case 'welcome':
        this.#onWelcome(message)
        break
      case 'rows':
        this.#onRows(message)
        break
      case 'pong':
        if (message.transaction > this.replica.transaction) this.#expect(message.transaction)
        break
      case 'commit':
        this.#onCommit(message)
        break
      case 'answer':
        this.#onAnswer(message.sequence, message.outcome)
        break
      case 'contents':
      case 'flushed': {
        const asked = this.#asked.get(message.id)
        this.#asked.delete(message.id)
        asked?.stopTimer()
        asked?.resolve(message)
        break
      }
    }
  }

  // --- Joining ---

  #rejoin(): void {
    this.#state = { is: 'seeking' }
    this.#greetDelayMs = greetMs.first
    this.#stopPinging()
    this.#greet()
  }

  #greet(): void {
    this.#stopGreeting()
    this.#sayHello()
    this.#stopGreeting = this.#options.after(this.#greetDelayMs, () => this.#greet())
    this.#greetDelayMs = Math.min(this.#greetDelayMs * 2, greetMs.longest)
  }

  #sayHello(): void {
    const { network, clientId } = this.#options
    const { transaction, stamps } = this.replica
    const hello = { kind: 'hello', transaction, knownEpoch: this.#knownEpoch, needsNumbers: stamps.isShort } as const
    network.broadcast({ protocol: protocolVersion, from: clientId, ...hello })
  }

  /** Of whom the replica is. */
  #knownEpoch = 0

  #onWelcome(welcome: LeaderMessage & { readonly kind: 'welcome' }): void {
    this.#leaderId = welcome.from
    this.#place = welcome.place
    if (welcome.lease !== undefined) this.replica.stamps.grant(welcome.lease)
    // An older tree of the same leader: the answer to a greeting that was sent before another one was answered.
    const isBehind = this.#knownEpoch === welcome.epoch && welcome.transaction <= this.replica.transaction
    if (welcome.tree === undefined || isBehind) {
      this.#goLive(welcome)
      return
    }
    this.#state = { is: 'joining', welcome, pages: [] }
    this.#stopGreeting()
    this.#stopGreeting = this.#options.after(greetMs.joining, () => this.#rejoin())
  }

  #onRows({ transaction, index, rows }: LeaderMessage & { readonly kind: 'rows' }): void {
    if (this.#state.is !== 'joining') return
    const { welcome, pages } = this.#state
    // A page of a greeting before this one.
    if (welcome.transaction !== transaction || welcome.tree === undefined || index !== pages.length) return
    pages.push(rows)
    if (pages.length < welcome.tree.pageCount) return
    this.replica.reset(transaction, welcome.seq, welcome.tree.facts, pages)
    this.#goLive(welcome)
  }

  #goLive(welcome: LeaderMessage & { readonly kind: 'welcome' }): void {
    this.#state = { is: 'live' }
    this.#knownEpoch = this.#epoch
    this.#greetDelayMs = greetMs.first
    this.#stopGreeting()
    this.#stopPinging()
    this.#ping()
    const buffered = this.#buffered
    this.#buffered = []
    for (const commit of buffered) this.#onCommit(commit)
    if (!this.isLive) return
    this.#settleSlot(welcome.sequence)
    for (const { message } of this.#asked.values()) this.#say(message)
    this.#bringContents()
    for (const listener of this.#liveListeners.splice(0)) listener()
    this.#pump()
  }

  #ping(): void {
    this.#stopPinging = this.#options.after(pingMs, () => {
      this.#say({ kind: 'ping' })
      this.#ping()
    })
  }

  // --- Commits ---

  #onCommit(commit: Commit): void {
    if (!this.isLive) {
      this.#buffered.push(commit)
      // The tree that is on its way, or the next one, has them.
      if (this.#buffered.length > maxBufferedCommits) this.#buffered.shift()
      return
    }
    const { transaction, edits } = commit
    if (transaction <= this.replica.transaction) return
    if (transaction > this.replica.transaction + 1) {
      this.#buffered.push(commit)
      this.#rejoin()
      return
    }
    this.replica.apply(commit, this.#slot === undefined ? nothing : newContents(this.#slot.bundle.edits))
    if (edits.some(isElsewhere)) this.#bringContents()
    this.#finishSlot()
  }

  /** The leader has committed this, and it should be here soon. */
  #expect(transaction: number): void {
    this.#stopLagging()
    this.#stopLagging = this.#options.after(lagMs, () => {
      if (this.isLive && this.replica.transaction < transaction) this.#rejoin()
    })
  }

  // --- Requests ---

  #pump(): void {
    while (this.#slot === undefined && this.isLive && !this.#isBringing) {
      const bundle = takeBundle(this.#queue, this.replica)
      if (bundle === undefined) return
      if (bundle instanceof ContentElsewhere) {
        this.#bringFor(bundle)
        return
      }
      if (bundle.edits.length === 0) settle(bundle)
      else this.#begin(bundle)
    }
  }

  #bringFor(content: ContentElsewhere): void {
    this.#isBringing = true
    const [job] = this.#queue
    content
      .load()
      .catch((error: unknown) => {
        // Replaced meanwhile: the next attempt finds what is there now.
        const isReplaced = error instanceof VfsError && error.code === 'ESTALE' && job?.kind === 'operation' && ++job.attempts < 5
        if (isReplaced || job === undefined || this.#queue[0] !== job) return
        this.#queue.shift()
        job.reject(error)
      })
      .finally(() => {
        this.#isBringing = false
        this.#pump()
      })
  }

  #begin(bundle: Bundle): void {
    const { now, answerTimeoutMs } = this.#options
    const size = contentBytesOf(bundle.edits)
    if (size > maxRequestBytes) {
      const hint = `a tab that does not have the files open itself commits up to ${maxRequestBytes} bytes at once; write less at once`
      for (const { job } of bundle.results) job.reject(new VfsError('EFBIG', job.syscall, { hint }))
      return
    }
    const slot: Slot = {
      bundle,
      ...prepared(bundle, ++this.#sequence, now() + answerTimeoutMs),
      isGivenUp: false,
      stopTimer: () => {},
    }
    this.#slot = slot
    this.#giveUpLater(slot, answerTimeoutMs + lateAnswerMs)
    this.#sendSlot(slot)
  }

  #sendSlot({ request, sent }: Slot): void {
    const { sequence, partCount } = request
    for (let index = 0; index < partCount; index++) {
      this.#say({ kind: 'part', sequence, index, bytes: sent.slice(index * partBytes, (index + 1) * partBytes) })
    }
    this.#say({ kind: 'request', request })
  }

  #giveUpLater(slot: Slot, delayMs: number): void {
    const dueMs = this.#options.now() + delayMs
    slot.stopTimer = this.#options.after(delayMs, () => {
      // It was this tab that slept: the answer may be here already and only wait for its turn.
      if (this.#options.now() > dueMs + lagMs) {
        this.#giveUpLater(slot, lagMs)
        return
      }
      if (this.#slot !== slot) return
      if (slot.outcome !== undefined) {
        // It is known what became of it; only the commits on which that rests do not come.
        this.#slot = undefined
        this.#conclude(slot.bundle, slot.outcome)
        this.#rejoin()
        return
      }
      slot.isGivenUp = true
      for (const { job } of slot.bundle.results) job.reject(new LeaderUnresponsive(job.syscall, 'unknown'))
      // Whoever leads now knows what became of it.
      this.#rejoin()
    })
  }

  #onAnswer(sequence: number, outcome: Outcome): void {
    const slot = this.#slot
    if (slot?.request.sequence !== sequence || slot.outcome !== undefined) return
    if (outcome.is === 'incomplete') {
      this.#sendSlot(slot)
      return
    }
    slot.outcome = outcome
    slot.outcomeEpoch = this.#epoch
    if ('transaction' in outcome && outcome.transaction > this.replica.transaction) this.#expect(outcome.transaction)
    this.#finishSlot()
  }

  /** A leader that may not have heard of the request says what it carried out last. */
  #settleSlot(lastSequence: number): void {
    const slot = this.#slot
    if (slot === undefined) return
    const { sequence, expiresAtMs } = slot.request
    // What an earlier leader answered is in the log of this one, or was lost with a part of it.
    if (slot.outcome?.is === 'refused' && slot.outcomeEpoch !== this.#epoch) {
      slot.outcome = { ...slot.outcome, transaction: this.replica.transaction }
    } else if (slot.outcome?.is === 'done' && slot.outcomeEpoch !== this.#epoch) delete slot.outcome
    if (slot.outcome !== undefined) this.#finishSlot()
    else if (lastSequence >= sequence) this.#onAnswer(sequence, { is: 'done', transaction: this.replica.transaction })
    else if (slot.isGivenUp || this.#options.now() > expiresAtMs) this.#onAnswer(sequence, { is: 'expired' })
    else this.#sendSlot(slot)
  }

  /** Once what it was judged on is here too: its callers see what they did, or try again on what is there. */
  #finishSlot(): void {
    const slot = this.#slot
    const outcome = slot?.outcome
    if (slot === undefined || outcome === undefined) return
    if ('transaction' in outcome && outcome.transaction > this.replica.transaction) return
    slot.stopTimer()
    this.#slot = undefined
    if (!slot.isGivenUp) this.#conclude(slot.bundle, outcome)
    if (this.replica.stamps.isShort) this.#sayHello()
    this.#pump()
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
      } else if (job.kind === 'drafted') again.push(...redone(job))
      else if (++job.attempts > maxAttempts) {
        job.reject(new VfsError('EAGAIN', job.syscall, { hint: 'another tab changes the same file all the time; try again' }))
      } else again.push(job)
    }
    this.#queue.unshift(...again)
    this.#watchDeadline()
  }

  /** Jobs wait in order and all for the same time, so only the first one's deadline matters. */
  #watchDeadline(): void {
    if (this.#stopDeadline !== undefined) return
    const [first] = this.#queue
    if (first === undefined) return
    const { after, now } = this.#options
    this.#stopDeadline = after(Math.max(0, first.deadlineMs - now()) + lateAnswerMs, () => {
      this.#stopDeadline = undefined
      while (this.#queue[0] !== undefined && this.#queue[0].deadlineMs <= now()) {
        const late = this.#queue.shift()
        late?.reject(new LeaderUnresponsive(late.syscall, 'not-done'))
      }
      this.#watchDeadline()
    })
  }

  // --- Questions ---

  async #fetch(wanted: readonly Wanted[]): Promise<readonly (Uint8Array | undefined)[]> {
    const answer = await this.#ask(id => ({ kind: 'fetch', id, wanted }), 'read')
    return answer.kind === 'contents' ? answer.found : []
  }

  #ask(question: (id: number) => Say, syscall: string): Promise<LeaderMessage> {
    if (this.#state.is === 'ended') return Promise.reject(closedFilesystem())
    const id = ++this.#lastAskedId
    const message = question(id)
    return new Promise((resolve, reject) => {
      const stopTimer = this.#options.after(this.#options.answerTimeoutMs, () => {
        this.#asked.delete(id)
        reject(new LeaderUnresponsive(syscall, 'not-done'))
        this.#rejoin()
      })
      this.#asked.set(id, { message, resolve, reject, stopTimer })
      if (this.isLive) this.#say(message)
    })
  }

  #bringContents(): void {
    this.replica.bringContents().catch((error: unknown) => {
      // Whoever reads such a content asks for it again, and is told.
      if (!(error instanceof AnchorageError)) throw error
    })
  }

  #say(message: Say): void {
    if (this.#leaderId === undefined) return
    this.#options.network.send(this.#leaderId, { protocol: protocolVersion, from: this.#options.clientId, ...message })
  }
}

const nothing: ReadonlyMap<number, FileContent> = new Map()

function settle({ results }: Bundle): void {
  for (const result of results) {
    if (result.is === 'value') result.job.resolve(result.value)
    else result.job.reject(result.error)
  }
}

/** As an operation, which is done again. */
function redone({ again, syscall, deadlineMs, resolve, reject }: Job & { readonly kind: 'drafted' }): Job[] {
  if (again === undefined) return []
  return [
    { kind: 'operation', work: again, isAlone: true, isTransaction: true, attempts: 1, syscall, deadlineMs, resolve, reject },
  ]
}

function isElsewhere(edit: Commit['edits'][number]): boolean {
  return 'node' in edit && 'content' in edit.node && edit.node.content.is === 'elsewhere'
}
