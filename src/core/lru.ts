// A cache that is limited by the size of its values, not by their number.

/** Keeps the most recently used values whose sizes add up to at most `maxSize`. */
export class SizedLru<K, V> {
  readonly #entries = new Map<K, { readonly value: V; readonly size: number }>()
  readonly #maxSize: number
  readonly #onDrop: ((key: K, value: V) => void) | undefined
  #size = 0

  /** `onDrop` receives each value that was evicted for newer ones. */
  constructor(maxSize: number, onDrop?: (key: K, value: V) => void) {
    this.#maxSize = maxSize
    this.#onDrop = onDrop
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /** A value larger than the whole cache is not kept. */
  set(key: K, value: V, size: number): void {
    this.delete(key)
    if (size > this.#maxSize) return
    this.#entries.set(key, { value, size })
    this.#size += size
    // Finding the oldest passes over all that was deleted since the map was last made compact.
    if (this.#size <= this.#maxSize) return
    for (const [oldest, entry] of this.#entries) {
      if (this.#size <= this.#maxSize) break
      this.delete(oldest)
      this.#onDrop?.(oldest, entry.value)
    }
  }

  /** Lists the values without marking them as used. */
  newestFirst(): readonly (readonly [key: K, value: V])[] {
    return [...this.#entries].map(([key, { value }]) => [key, value] as const).reverse()
  }

  delete(key: K): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#size -= entry.size
  }
}
