// Which calls are in progress in a workspace, so that a host can wait until there are none.

import { deferred, type Deferred } from '../core/deferred.ts'

export class Activity {
  #underWay = 0
  #ended: Deferred<void> | undefined

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay += 1
    try {
      return await work()
    } finally {
      this.#underWay -= 1
      if (this.#underWay === 0) {
        this.#ended?.resolve()
        this.#ended = undefined
      }
    }
  }

  /** Resolves when no call is in progress and `settle`, run after that, has found nothing new. */
  async idle(settle: () => Promise<void>): Promise<void> {
    do {
      while (this.#underWay > 0) await (this.#ended ??= deferred()).promise
      await settle()
    } while (this.#underWay > 0)
  }
}
