// Tracks who may still read contents that are no longer in the tree: snapshots and forks that are in use, and running batches.

export class Pins {
  #batchCount = 0
  #held: WeakRef<object>[] = []

  /** Held until all of `views` have been garbage-collected. */
  hold(...views: readonly object[]): void {
    this.#held = this.#held.filter(view => view.deref() !== undefined)
    this.#held.push(...views.map(view => new WeakRef(view)))
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#batchCount++
    try {
      return await work()
    } finally {
      this.#batchCount--
    }
  }

  get isFree(): boolean {
    return this.#batchCount === 0 && this.#held.every(view => view.deref() === undefined)
  }
}
