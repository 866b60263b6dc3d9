// Tracks which leader this tab follows, and whether it has that leader's tree. It sends hellos until a leader welcomes it, takes the tree
// that comes with the welcome, and starts again whenever it has missed something or there is a new leader.

import type { After } from './after.ts'
import { type FollowerMessage, type LeaderMessage, type Place, protocolVersion, type Unsigned } from './messages.ts'
import type { Network } from './network.ts'
import type { Replica } from './replica.ts'
import type { Row } from './wire-tree.ts'

/** How long to wait for an answer before the next hello. Each wait is longer than the last. */
const greetMs = { first: 250, longest: 2_000, joining: 3_000 }
const pingMs = 5_000

export type Welcome = LeaderMessage & { readonly kind: 'welcome' }

export interface MembershipOptions {
  readonly clientId: string
  readonly network: Network
  readonly after: After
  readonly replica: Replica
  /** The replica matches `welcome` now. */
  readonly onLive: (welcome: Welcome) => void
}

type State =
  | { readonly is: 'seeking' }
  | { readonly is: 'joining'; readonly welcome: Welcome; readonly pages: (readonly Row[])[] }
  | { readonly is: 'live' }
  | { readonly is: 'ended' }

export class Membership {
  readonly #options: MembershipOptions
  #state: State = { is: 'seeking' }
  #epoch = 0
  /** The epoch of the leader that sent the replica's tree. */
  #knownEpoch = 0
  #leaderId: string | undefined
  #place: Place | undefined
  #takesChanges = false
  #greetDelayMs = greetMs.first
  #stopGreeting = (): void => {}
  #stopPinging = (): void => {}

  constructor(options: MembershipOptions) {
    this.#options = options
    this.#greet()
  }

  /** The epoch of the last known leader. */
  get epoch(): number {
    return this.#epoch
  }

  /** See `takesChanges` of the welcome. */
  get takesChanges(): boolean {
    return this.#takesChanges
  }

  /** Where the files are, according to the leader's last message. */
  get place(): Place | undefined {
    return this.#place
  }

  get isLive(): boolean {
    return this.#state.is === 'live'
  }

  get isEnded(): boolean {
    return this.#state.is === 'ended'
  }

  end(): void {
    this.#state = { is: 'ended' }
    this.#stopGreeting()
    this.#stopPinging()
  }

  /** Sends to the leader, if one is known. */
  say(message: Unsigned<FollowerMessage>): void {
    if (this.#leaderId === undefined) return
    this.#options.network.send(this.#leaderId, { protocol: protocolVersion, from: this.#options.clientId, ...message })
  }

  /** Sends to every tab; whichever leads answers. */
  sayHello(): void {
    const { network, clientId, replica } = this.#options
    const { transaction, stamps } = replica
    const facts = { transaction, knownEpoch: this.#knownEpoch, needsNumbers: stamps.isShort, takesChanges: true } as const
    network.broadcast({ protocol: protocolVersion, from: clientId, kind: 'hello', ...facts })
  }

  /** Whether there is a new leader, so that messages of the previous one are no longer valid. */
  meet({ kind, epoch, from }: LeaderMessage): boolean {
    if (epoch <= this.#epoch) return false
    this.#epoch = epoch
    this.#leaderId = from
    if (kind !== 'welcome') this.rejoin()
    return true
  }

  rejoin(): void {
    this.#state = { is: 'seeking' }
    this.#greetDelayMs = greetMs.first
    this.#stopPinging()
    this.#greet()
  }

  hearWelcome(welcome: Welcome): void {
    const { replica, after } = this.#options
    this.#leaderId = welcome.from
    this.#place = welcome.place
    this.#takesChanges = welcome.takesChanges === true
    if (welcome.lease !== undefined) replica.stamps.grant(welcome.lease)
    // An older tree of the same leader: an earlier hello was answered after a later one.
    const isBehind = this.#knownEpoch === welcome.epoch && welcome.transaction <= replica.transaction
    if (welcome.tree === undefined || isBehind) {
      this.#goLive(welcome)
      return
    }
    this.#state = { is: 'joining', welcome, pages: [] }
    this.#stopGreeting()
    this.#stopGreeting = after(greetMs.joining, () => this.rejoin())
  }

  hearRows({ transaction, index, rows }: LeaderMessage & { readonly kind: 'rows' }): void {
    if (this.#state.is !== 'joining') return
    const { welcome, pages } = this.#state
    // A page for an earlier hello.
    if (welcome.transaction !== transaction || welcome.tree === undefined || index !== pages.length) return
    pages.push(rows)
    if (pages.length < welcome.tree.pageCount) return
    this.#options.replica.reset(transaction, welcome.seq, welcome.tree.facts, pages)
    this.#goLive(welcome)
  }

  #goLive(welcome: Welcome): void {
    this.#state = { is: 'live' }
    this.#knownEpoch = this.#epoch
    this.#greetDelayMs = greetMs.first
    this.#stopGreeting()
    this.#stopPinging()
    this.#ping()
    this.#options.onLive(welcome)
  }

  #greet(): void {
    this.#stopGreeting()
    this.sayHello()
    this.#stopGreeting = this.#options.after(this.#greetDelayMs, () => this.#greet())
    this.#greetDelayMs = Math.min(this.#greetDelayMs * 2, greetMs.longest)
  }

  #ping(): void {
    this.#stopPinging = this.#options.after(pingMs, () => {
      this.say({ kind: 'ping' })
      this.#ping()
    })
  }
}
