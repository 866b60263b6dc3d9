// The recorded steps, oldest first, within the limits of the history. New steps are stored, if there is a storage. Steps of an earlier
// page get snapshots again when an undo needs them.

import { defined } from '../core/record.ts'
import type { Snapshot } from '../vfs/backend.ts'
import type { HistorySelection } from './history.ts'
import type { KeptSteps } from './kept-steps.ts'
import { Past } from './past.ts'
import { unseenOrigin, type StatesBackend } from './states.ts'
import { isSelected, stepOf, type Step } from './step.ts'

interface Limits {
  readonly maxEntries: number
  readonly maxBytes: number
}

export class StepList {
  readonly #states: StatesBackend
  readonly #kept: KeptSteps | undefined
  readonly #limits: Limits
  readonly #steps: Step[] = []
  /** The entry of each listed call, by its origin. */
  readonly #idsOfCalls = new Map<string, number>()
  /** The state when the list was created. */
  readonly #first: Snapshot
  #rebuilding: Promise<void> = Promise.resolve()
  #past: Past | undefined
  #dropped = 0
  #damaged: number
  #bytes = 0
  #lastId = 0

  constructor(states: StatesBackend, first: Snapshot, kept: KeptSteps | undefined, limits: Limits) {
    this.#states = states
    this.#first = first
    this.#kept = kept
    this.#limits = limits
    this.#damaged = kept?.damaged ?? 0
    for (const found of kept?.found ?? []) this.push(stepOf(found))
  }

  get all(): readonly Step[] {
    return this.#steps
  }

  /** How many older steps were dropped because of a limit. */
  get dropped(): number {
    return this.#dropped
  }

  /** How many stored steps could not be read. */
  get damaged(): number {
    return this.#damaged
  }

  get lastId(): number {
    return this.#lastId
  }

  /** Numbers are never reused, even on the next page. */
  nextId(): number {
    return ++this.#lastId
  }

  select(selection: HistorySelection): Step[] {
    return this.#steps.filter(step => isSelected(step, selection))
  }

  /** The entry of a call that has steps already. */
  idOfCall(origin: string): number | undefined {
    return this.#idsOfCalls.get(origin)
  }

  /** Further steps with this origin belong to the entry `id`. */
  keepCall(origin: string, id: number): void {
    this.#idsOfCalls.set(origin, id)
  }

  push(step: Step): void {
    this.#steps.push(step)
    this.#lastId = Math.max(this.#lastId, step.id)
    this.#bytes += step.bytes
    this.#trim()
  }

  /** Adds bytes that only the last step needs. */
  extendLast(step: Step, bytes: number): void {
    step.bytes += bytes
    this.#bytes += bytes
  }

  #trim(): void {
    while (this.#steps.length > 1 && (this.#steps.length > this.#limits.maxEntries || this.#bytes > this.#limits.maxBytes)) {
      const oldest = this.#steps.shift()
      this.#bytes -= oldest?.bytes ?? 0
      if (oldest?.origin !== undefined) this.#idsOfCalls.delete(oldest.origin)
      if (oldest?.stored !== undefined) this.#kept?.remove(oldest.stored)
      if (oldest?.isUnseen !== true) this.#dropped += 1
    }
  }

  /** Stores the step, unless it is dropped before. */
  store(step: Step): void {
    if (step.isUnseen === true) return
    this.#kept?.add(() => {
      if (step.states === undefined || this.#steps.lastIndexOf(step) === -1) return undefined
      const { id, kind, atMs, origin, label, turn, of } = step
      // Later changes of the same call start a new step.
      step.stored = 0
      return {
        head: { id, kind, atMs, ...defined({ origin, label, turn, of }) },
        before: step.states.before,
        after: step.states.after,
        trail: step.trail,
        written: ({ number, bodyBytes }) => {
          step.stored = number
          if (this.#steps.lastIndexOf(step) === -1) return this.#kept?.remove(number)
          const more = Math.max(0, bodyBytes - step.bytes)
          step.bytes += more
          this.#bytes += more
          this.#trim()
        },
      }
    })
  }

  /** Restores the snapshots for the steps of earlier pages from `oldest` on. Steps that cannot be read are dropped. */
  async rebuild(oldest: Step | undefined): Promise<void> {
    const earlier = this.#rebuilding
    const work = async (): Promise<void> => {
      await earlier
      for (;;) {
        const index = this.#steps.findLastIndex(step => step.states === undefined)
        const step = this.#steps[index]
        if (step?.found === undefined || oldest === undefined || index < this.#steps.indexOf(oldest)) return
        this.#past ??= new Past(this.#states, this.#first)
        const record = await this.#kept?.read(step.found)
        const states = record && (await this.#past.back(record))
        if (states === undefined) {
          this.#steps.splice(this.#steps.indexOf(step), 1)
          this.#bytes -= step.bytes
          this.#damaged += 1
          this.#kept?.remove(step.found.number)
          continue
        }
        step.states = { before: states.before, after: states.after }
        step.trail = [(record?.moves ?? []).map(({ from, to }) => ({ source: from, where: to }))]
        if (states.unseen === undefined) continue
        const unseen = {
          ...{ origin: unseenOrigin, id: step.id, states: states.unseen, atMs: step.atMs },
          ...{ bytes: 0, trail: [] },
        }
        this.#steps.splice(this.#steps.indexOf(step) + 1, 0, { ...unseen, kind: 'change', isOpen: false, isUnseen: true })
      }
    }
    this.#rebuilding = work()
    await this.#rebuilding
  }

  clear(): void {
    this.#steps.length = 0
  }
}
