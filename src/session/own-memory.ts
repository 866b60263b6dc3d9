// Data that only one toolset keeps (a scratchpad, which lines were shown) is saved in the session's state too. The session does not
// interpret it: it passes it to the toolset of the same name in the next session.

import type { StateBudget } from './state-budget.ts'

/** Returns plain data; leaves out what does not fit the budget. */
export type SaveOwn = (budget: StateBudget) => unknown

export class OwnMemory {
  readonly #restored: Readonly<Record<string, unknown>>
  readonly #saves = new Map<string, SaveOwn>()

  constructor(restored: Readonly<Record<string, unknown>> = {}) {
    this.#restored = restored
  }

  /**
   * `save` is called whenever a state is saved. Returns what it returned in the earlier session, unchecked; `undefined` if there was none.
   */
  open(name: string, save: SaveOwn): unknown {
    this.#saves.set(name, save)
    return Object.hasOwn(this.#restored, name) ? this.#restored[name] : undefined
  }

  save(budget: StateBudget): Readonly<Record<string, unknown>> {
    return Object.fromEntries([...this.#saves].map(([name, save]) => [name, save(budget)]))
  }
}
