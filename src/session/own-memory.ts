// What a toolset remembers beside what every session does (a scratchpad, which lines were shown) goes into the session's state too. The
// session does not know what it is: it hands on what the toolset of the same name gave in the session before.

import type { StateBudget } from './state-budget.ts'

/** Gives plain data; what does not fit the budget is left out of it. */
export type SaveOwn = (budget: StateBudget) => unknown

export class OwnMemory {
  readonly #restored: Readonly<Record<string, unknown>>
  readonly #saves = new Map<string, SaveOwn>()

  constructor(restored: Readonly<Record<string, unknown>> = {}) {
    this.#restored = restored
  }

  /** `save` is asked whenever a state is taken. Gives what it gave in the session before: outside data; `undefined` where there was none. */
  open(name: string, save: SaveOwn): unknown {
    this.#saves.set(name, save)
    return Object.hasOwn(this.#restored, name) ? this.#restored[name] : undefined
  }

  save(budget: StateBudget): Readonly<Record<string, unknown>> {
    return Object.fromEntries([...this.#saves].map(([name, save]) => [name, save(budget)]))
  }
}
