// Data that only one toolset needs, such as a scratchpad or the lines that were shown, is saved in the state of the session too.
// The session passes it unread to the toolset of the same name in the next session.

import type { StateBudget } from './state-budget.ts'

/** Returns plain data, and leaves out parts that exceed the budget. */
export type SaveOwn = (budget: StateBudget) => unknown

export class OwnMemory {
  readonly #restored: Readonly<Record<string, unknown>>
  readonly #saves = new Map<string, SaveOwn>()

  constructor(restored: Readonly<Record<string, unknown>> = {}) {
    this.#restored = restored
  }

  /**
   * Registers `save`, which is called whenever a state is saved. Returns the unchecked data of the earlier session, or
   * `undefined` if there was none.
   */
  open(name: string, save: SaveOwn): unknown {
    this.#saves.set(name, save)
    return Object.hasOwn(this.#restored, name) ? this.#restored[name] : undefined
  }

  save(budget: StateBudget): Readonly<Record<string, unknown>> {
    return Object.fromEntries([...this.#saves].map(([name, save]) => [name, save(budget)]))
  }
}
