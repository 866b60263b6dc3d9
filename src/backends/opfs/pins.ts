// Tracks who may still read contents that are no longer in the tree: snapshots and forks that are in use, and running batches.

export class Pins {
  #batchCount = 0
  #held: WeakRef<object>[] = []
  #compactAt = 64

  /** Held until all of `views` have been garbage-collected. */
  hold(...views: readonly object[]): void {
    for (const view of views) this.#held.push(new WeakRef(view))
    if (this.#held.length < this.#compactAt) return
    this.#held = this.#held.filter(view => view.deref() !== undefined)
    // Doubled, so that many views that stay in use are not looked through at each new one.
    this.#compactAt = Math.max(64, this.#held.length * 2)
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
