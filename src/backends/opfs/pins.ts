// Tracks who may still read contents that the tree no longer has: snapshots and forks that are in use, and batches that are under way.

export class Pins {
  #batchCount = 0
  #held: WeakRef<object>[] = []

  /** Until all of `views` were garbage-collected. */
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
