// The tab that has the files. It commits for the other tabs, one request at a time and each at most once, and reports every commit to them
// in the order of the log. It does not wait for followers; a follower asks for what it missed.

import { defined } from '../../../core/record.ts'
import { isVfsError, VfsError, ifThere } from '../../../vfs/error.ts'
import { originInTab } from '../../../vfs/origin.ts'
import { checkBasis, exactNode } from '../../../vfs/tree/basis.ts'
import type { Edit } from '../../../vfs/tree/edit.ts'
import type { FileNode } from '../../../vfs/tree/node.ts'
import { checkExpected } from '../../../vfs/tree/transaction.ts'
import { Tree } from '../../../vfs/tree/tree.ts'
import type { NumberLease, OpenLog } from '../log/open.ts'
import { changesIn, storedChangeBetween } from './content-change.ts'
import { failureOf, refusalOf } from './errors.ts'
import {
  type FollowerMessage,
  type LeaderMessage,
  type Outcome,
  type Place,
  protocolVersion,
  type Refusal,
  type Request,
  sentBytes,
  type Wanted,
} from './messages.ts'
import type { Network } from './network.ts'
import { publishEdits } from './publish.ts'
import { assembled, contentFor, fileByIno } from './request-contents.ts'
import { decodeEdit, encodeEdit, type WireContent } from './wire-edits.ts'
import { encodeTree } from './wire-tree.ts'

/** Each follower sends a ping every few seconds. A follower that is silent for longer gets no commits; it asks for them when it returns. */
const forgetAfterMs = 60_000
const leaseCount = 2 ** 20
/**
 * The size of a lease that cannot be noted because the disk is full. The gap that each mount leaves in the numbers covers hundreds of
 * these.
 */
const smallLeaseCount = 2 ** 12
/** Several hellos of one follower may have queued up while this tab was suspended. One answer serves them all. */
const treeAgainMs = 2_000
const maxRemembered = 256

export interface LeaderOptions {
  /** The ID of this tab. */
  readonly clientId: string
  readonly open: OpenLog
  readonly network: Network
  readonly now: () => number
  readonly flush: () => Promise<void>
  /**
   * Higher than the epoch of every earlier leader. Not the epoch of the log: that is the same for two leaders if the first stored nothing.
   */
  readonly epoch: number
  /** Set if commits are stored a moment later. */
  readonly later?: StoredLater
  /** Where the files are, for the tabs that do not have them. */
  readonly place?: Place
}

export interface StoredLater {
  /**
   * Resolves when everything that was committed is stored. No call is answered before that. If it rejects, this leader has ended,
   * and `fail` was called.
   */
  readonly stored: () => Promise<void>
  /** Whether the last write failed because the disk is full. */
  readonly isFull: boolean
  /**
   * Requests that the previous leader in this tab refused, and that may arrive again. They stay refused even if the lost changes were the
   * reason: the caller was told, and has sent a new request.
   */
  readonly refused?: Refused
}

export type Refused = ReadonlyMap<string, { readonly sequence: number; readonly refusal: Refusal }>

interface FollowerRecord {
  heardAtMs: number
  hasNumbers: boolean
  treeSent?: { readonly transaction: number; readonly atMs: number }
  /** The last request that was answered, so that the same request gets the same answer. */
  judged?: { readonly sequence: number; readonly outcome: Outcome }
  parts?: { readonly sequence: number; readonly byIndex: Map<number, Uint8Array> }
}

type Answer<M = LeaderMessage> = M extends LeaderMessage ? Omit<M, 'protocol' | 'from' | 'epoch'> : never

export class Leader {
  readonly #options: LeaderOptions
  readonly #followers = new Map<string, FollowerRecord>()
  readonly #mountedTransaction: number
  #isEnded = false
  /** False once a follower of an older release was here, because a commit is sent to all tabs. */
  #areChangesTaken = true
  /** Requests that are carried out and not stored yet. */
  readonly #unstored = new Set<{ readonly to: string; readonly sequence: number }>()
  /** The request that is being carried out. */
  #carrying: { readonly clientId: string; readonly by: string | undefined; readonly isTogether: boolean } | undefined

  constructor(options: LeaderOptions) {
    this.#options = options
    const { log } = options.open
    this.#mountedTransaction = log.transaction
    for (const [id, { sequence, refusal }] of options.later?.refused ?? []) {
      const record = this.#recordOf(id)
      record.heardAtMs = options.now()
      record.judged = { sequence, outcome: { is: 'refused', transaction: log.transaction, refusal } }
    }
    log.onAdmitted = (edits, origin) => this.#tellCommit(edits, origin)
    this.#broadcast({ kind: 'leading' })
  }

  get epoch(): number {
    return this.#options.epoch
  }

  /** From now on it does nothing and sends nothing. */
  end(): void {
    this.#isEnded = true
    this.#options.open.log.onAdmitted = undefined
  }

  /** Committed changes that were not stored are lost because of `failure`. Tells every tab that waits for one, and ends this leader. */
  fail(failure: VfsError): Refused {
    for (const { to, sequence } of this.#unstored) {
      // The outcome refers to the state that was stored before, because the later tree will not be seen again.
      const outcome: Outcome = { is: 'refused', transaction: this.#mountedTransaction, refusal: refusalOf(failure) }
      this.#recordOf(to).judged = { sequence, outcome }
      this.#send(to, { kind: 'answer', sequence, outcome })
    }
    this.#unstored.clear()
    this.end()
    const refused = new Map<string, { readonly sequence: number; readonly refusal: Refusal }>()
    for (const [id, { judged }] of this.#followers) {
      if (judged?.outcome.is === 'refused') refused.set(id, { sequence: judged.sequence, refusal: judged.outcome.refusal })
    }
    return refused
  }

  hear(message: FollowerMessage): void {
    if (this.#isEnded) return
    const { from } = message
    const follower = this.#recordOf(from)
    follower.heardAtMs = this.#options.now()
    switch (message.kind) {
      case 'hello':
        this.#welcome(message, follower)
        break
      case 'ping':
        this.#send(from, { kind: 'pong', transaction: this.#options.open.log.transaction })
        break
      case 'part':
        if (follower.parts?.sequence !== message.sequence) follower.parts = { sequence: message.sequence, byIndex: new Map() }
        follower.parts?.byIndex.set(message.index, message.bytes)
        break
      case 'request':
        this.#judge(from, follower, message.request)
        break
      case 'fetch':
        this.#send(from, { kind: 'contents', id: message.id, found: message.wanted.map(wanted => this.find(wanted)) })
        break
      case 'flush':
        this.#flush(from, message.id)
        break
    }
  }

  /** Carries out `request`, unless that was done before. Also used for requests that this tab made while it was a follower. */
  carryOut(clientId: string, request: Request, sent: Uint8Array): Outcome {
    const { open, now } = this.#options
    const { store, log } = open
    const { stamps } = store
    if (log.clients.lastOf(clientId) >= request.sequence) return { is: 'done', transaction: log.transaction }
    if (now() > request.expiresAtMs) return { is: 'expired' }
    try {
      checkExpected(store.tree, { expect: new Map(request.expect) })
      checkBasis(store.tree, request.basis)
      const candidate = new Tree(store.tree.freeze())
      const edits: Edit[] = []
      for (const wire of request.edits) {
        const edit = decodeEdit(wire, (file, path) => contentFor(file, candidate, path, sent, log))
        // The directories may have changed since the follower made the edit, so they get new numbers.
        const restamped = { ...edit, atMs: stamps.nowMs(), rev: stamps.nextRev() }
        candidate.apply(restamped)
        edits.push(restamped)
      }
      if (edits.length === 0) return { is: 'done', transaction: log.transaction }
      this.#carrying = { clientId, by: request.origin, isTogether: request.isTogether }
      log.admit(edits, { clientId, sequence: request.sequence, lastRev: stamps.lastRev, lastIno: stamps.lastIno })
      store.tree.become(candidate)
      const { origin, isTogether } = request
      publishEdits(store.feed, edits, isTogether, clientId === this.#options.clientId ? origin : originInTab(clientId, origin))
      return { is: 'done', transaction: log.transaction }
    } catch (error) {
      return { is: 'refused', transaction: log.transaction, refusal: refusalOf(failureOf(error, 'commit')) }
    } finally {
      this.#carrying = undefined
    }
  }

  #judge(from: string, follower: FollowerRecord, request: Request): void {
    const { sequence, partCount } = request
    const { judged } = follower
    // An old message that arrives late.
    if (judged !== undefined && sequence < judged.sequence) return
    if (judged?.sequence === sequence) {
      this.#answer(from, sequence, judged.outcome)
      return
    }
    const sent = assembled(follower.parts?.sequence === sequence ? follower.parts.byIndex : new Map(), partCount)
    if (sent === undefined) {
      this.#send(from, { kind: 'answer', sequence, outcome: { is: 'incomplete' } })
      return
    }
    const outcome = this.carryOut(from, request, sent)
    follower.judged = { sequence, outcome }
    delete follower.parts
    this.#answer(from, sequence, outcome)
  }

  /** Answers that a change was made only once it is stored. */
  #answer(to: string, sequence: number, outcome: Outcome): void {
    const { later } = this.#options
    if (later === undefined || outcome.is !== 'done') {
      this.#send(to, { kind: 'answer', sequence, outcome })
      return
    }
    const waiting = { to, sequence }
    this.#unstored.add(waiting)
    this.#whenStored(() => {
      this.#unstored.delete(waiting)
      this.#send(to, { kind: 'answer', sequence, outcome })
    })
  }

  /** Runs `then` at once if commits are stored immediately. After a failure it never runs; `fail` reports the failure. */
  #whenStored(then: () => void): void {
    const { later } = this.#options
    if (later === undefined) then()
    else later.stored().then(then, () => {})
  }

  #welcome(message: FollowerMessage & { kind: 'hello' }, follower: FollowerRecord): void {
    const { from, transaction, knownEpoch } = message
    if (message.takesChanges !== true) this.#areChangesTaken = false
    const { log, store } = this.#options.open
    // A follower's state from another leader is valid only if the log contained it when this leader began. If a commit can be announced and
    // then lost, the transaction number of another leader proves nothing.
    const isOfHere = knownEpoch === this.epoch || (this.#options.later === undefined && transaction <= this.#mountedTransaction)
    const hasTree = transaction === log.transaction && isOfHere
    const nowMs = this.#options.now()
    if (!hasTree) {
      const { treeSent } = follower
      if (treeSent?.transaction === log.transaction && nowMs - treeSent.atMs < treeAgainMs) return
      follower.treeSent = { transaction: log.transaction, atMs: nowMs }
    }
    const lease = message.needsNumbers || !follower.hasNumbers ? this.#lease() : undefined
    follower.hasNumbers = true
    const pages = hasTree ? undefined : encodeTree(store.tree)
    const { contentBytes, nodeCount } = store.tree
    const { place } = this.#options
    const welcome: Answer & { readonly kind: 'welcome' } = {
      kind: 'welcome',
      transaction: log.transaction,
      seq: store.feed.seq,
      sequence: log.clients.lastOf(from),
      takesChanges: true,
      ...defined({ place, lease }),
      ...(pages === undefined ? {} : { tree: { facts: { contentBytes, nodeCount }, pageCount: pages.length } }),
    }
    // The welcome states which request was carried out last, and the next leader must know the lease in it.
    this.#whenStored(() => {
      this.#send(from, welcome)
      for (const [index, rows] of (pages ?? []).entries())
        this.#send(from, { kind: 'rows', transaction: welcome.transaction, index, rows })
    })
  }

  #lease(): NumberLease | undefined {
    const { lease: give, store, log } = this.#options.open
    const { stamps } = store
    if (this.#options.later?.isFull === true) return give(smallLeaseCount)
    const lease = give(leaseCount)
    try {
      log.note({ clientId: '', sequence: 0, lastRev: stamps.lastRev, lastIno: stamps.lastIno })
      return lease
    } catch (error) {
      if (!isVfsError(error)) throw error
      return error.code === 'ENOSPC' ? { ...lease, count: smallLeaseCount } : undefined
    }
  }

  /** A piece of a content; `undefined` if the file or its content is not there. */
  find({ path, ino, start, end }: Wanted): Uint8Array | undefined {
    const { tree } = this.#options.open.store
    const node = exactNode(tree, path)
    const file = node?.kind === 'file' && node.ino === ino ? node : fileByIno(tree, ino)
    // A damaged content is not sent. Reading it in this tab gives the reason.
    return ifThere(() => file?.bytes.slice(start, Math.min(end, file.bytes.length)))
  }

  #flush(from: string, id: number): void {
    this.#options.flush().then(
      () => this.#send(from, { kind: 'flushed', id }),
      (error: unknown) => {
        this.#send(from, { kind: 'flushed', id, refusal: refusalOf(failureOf(error, 'flush')) })
      },
    )
  }

  #tellCommit(edits: readonly Edit[], origin: string | undefined): void {
    const by = this.#carrying === undefined ? origin : this.#carrying.by
    const nowMs = this.#options.now()
    for (const [id, { heardAtMs }] of this.#followers) if (nowMs - heardAtMs > forgetAfterMs) this.#followers.delete(id)
    if (this.#followers.size === 0) return
    let leftBytes = sentBytes.together
    // Called before the edits are made in the tree.
    const { tree } = this.#options.open.store
    const isModified = edits.some(edit => edit.kind === 'put' && edit.change === 'modify')
    const changes =
      isModified && this.#areChangesTaken
        ? changesIn(edits, edits.length > 1 ? tree.freeze() : tree, storedChangeBetween)
        : new Map<object, never>()
    const contentOf = (file: FileNode): WireContent => {
      const { bytes } = file
      const change = changes.get(file)
      if (change !== undefined && change.bytes.length <= Math.min(sentBytes.each, leftBytes)) {
        leftBytes -= change.bytes.length
        return { is: 'changed', ...change }
      }
      if (bytes.length > sentBytes.each || bytes.length > leftBytes) return { is: 'elsewhere', length: bytes.length }
      leftBytes -= bytes.length
      return { is: 'bytes', bytes: bytes.slice() }
    }
    this.#broadcast({
      kind: 'commit',
      transaction: this.#options.open.log.transaction,
      origin: this.#carrying?.clientId ?? this.#options.clientId,
      ...defined({ by }),
      isTogether: this.#carrying?.isTogether ?? true,
      edits: edits.map(edit => encodeEdit(edit, contentOf)),
    })
  }

  #recordOf(from: string): FollowerRecord {
    const known = this.#followers.get(from)
    if (known !== undefined) return known
    const made: FollowerRecord = { heardAtMs: 0, hasNumbers: false }
    this.#followers.set(from, made)
    for (const oldest of this.#followers.keys()) {
      if (this.#followers.size <= maxRemembered) break
      this.#followers.delete(oldest)
    }
    return made
  }

  #send(to: string, message: Answer): void {
    if (!this.#isEnded) this.#options.network.send(to, this.#signed(message))
  }

  #broadcast(message: Answer): void {
    if (!this.#isEnded) this.#options.network.broadcast(this.#signed(message))
  }

  #signed(message: Answer): LeaderMessage {
    return { protocol: protocolVersion, from: this.#options.clientId, epoch: this.epoch, ...message }
  }
}
