// Groups parallel calls of a model on one snapshot. Calls that arrive before the first one has its turn are run together, so that none
// finds the file changed by another.

import { joinSignals } from '../../../core/abort.ts'
import { nextTurn } from '../../../core/pause.ts'

export type Outcome<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'failed'; readonly error: unknown }

/** Waits for its turn, then runs the group; `signal` aborts when no caller waits any more. */
export type TakeTurn = (signal: AbortSignal, work: () => Promise<void>) => Promise<void>

/**
 * Runs calls in the order of their arrival and returns one outcome for each. If it throws, nothing was changed; `signal` aborts when any of
 * the callers aborts.
 */
export type CarryOut<Call, Result> = (calls: readonly Call[], signal: AbortSignal) => Promise<readonly Outcome<Result>[]>

export class CallGroups<Call extends { readonly signal: AbortSignal }, Result> {
  readonly #open = new Map<string, Group<Call, Result>>()

  /** Calls with the same key join a group that still waits. Rejects with the signal's reason when the caller aborts. */
  join(key: string, call: Call, takeTurn: TakeTurn, carryOut: CarryOut<Call, Result>): Promise<Result> {
    const waiting = this.#open.get(key)
    if (waiting !== undefined && !waiting.abandoned.aborted) return waiting.add(call)
    const group = new Group<Call, Result>()
    this.#open.set(key, group)
    const result = group.add(call)
    void this.#lead(key, group, takeTurn, carryOut)
    return result
  }

  async #lead(key: string, group: Group<Call, Result>, takeTurn: TakeTurn, carryOut: CarryOut<Call, Result>): Promise<void> {
    const close = (): void => {
      if (this.#open.get(key) === group) this.#open.delete(key)
    }
    try {
      // Calls that arrive over a port in one moment are separate messages: this lets all of them arrive.
      await nextTurn()
      await takeTurn(group.abandoned, async () => {
        close()
        await group.carryOut(carryOut)
      })
    } catch (error) {
      group.fail(error)
    } finally {
      close()
    }
  }
}

interface Member<Call, Result> {
  readonly call: Call
  readonly resolve: (result: Result) => void
  readonly reject: (reason: unknown) => void
}

class Group<Call extends { readonly signal: AbortSignal }, Result> {
  /** Members without an outcome, in the order of their arrival. */
  readonly #members = new Set<Member<Call, Result>>()
  readonly #abandoned = new AbortController()
  #isAtWork = false

  /** Aborts when every member has aborted. */
  get abandoned(): AbortSignal {
    return this.#abandoned.signal
  }

  add(call: Call): Promise<Result> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        // Once the work has begun, the group decides whether a member can still be left out.
        if (!this.#isAtWork) member.reject(call.signal.reason)
      }
      const leave = (): void => {
        call.signal.removeEventListener('abort', onAbort)
        this.#members.delete(member)
        if (this.#members.size === 0) this.#abandoned.abort(new Error('every caller of the group has its outcome'))
      }
      const member: Member<Call, Result> = {
        call,
        resolve(result) {
          leave()
          resolve(result)
        },
        reject(reason) {
          leave()
          reject(reason)
        },
      }
      this.#members.add(member)
      call.signal.addEventListener('abort', onAbort, { once: true })
      if (call.signal.aborted) onAbort()
    })
  }

  /** Each round settles at least one member, so there are at most as many rounds as members. */
  async carryOut(carryOut: CarryOut<Call, Result>): Promise<void> {
    this.#isAtWork = true
    while (this.#members.size > 0) {
      const members = [...this.#members]
      const { signal, release } = joinSignals(members.map(({ call }) => call.signal))
      try {
        const outcomes = await carryOut(
          members.map(({ call }) => call),
          signal,
        )
        for (const [index, member] of members.entries()) {
          const outcome = outcomes[index]
          if (outcome?.kind === 'done') member.resolve(outcome.result)
          else member.reject(outcome === undefined ? new Error('a call was given no outcome') : outcome.error)
        }
      } catch (error) {
        const aborted = members.filter(({ call }) => call.signal.aborted)
        for (const member of aborted) member.reject(member.call.signal.reason)
        if (aborted.length === 0) this.fail(error)
      } finally {
        release()
      }
    }
  }

  fail(error: unknown): void {
    for (const member of [...this.#members]) member.reject(error)
  }
}
