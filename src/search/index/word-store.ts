// One growing array for the numbers of all blocks. A file has a power of two of them, and they are freed when it changes, so one free list
// for each length is enough.

export interface WordStore {
  /** Replaced when the store grows. */
  words: Uint32Array
  /** Words in use. */
  readonly usedWords: () => number
  /** Copies `words` into the store; returns their position. */
  readonly put: (words: Uint32Array) => number
  readonly free: (offset: number, length: number) => void
}

/** `filled` is in use from the start, and the store becomes its owner. */
export function createWordStore(filled: Uint32Array = new Uint32Array()): WordStore {
  const freeByLength = new Map<number, number[]>()
  let end = filled.length
  let used = end
  const store: WordStore = {
    words: end === 0 ? new Uint32Array(1 << 12) : filled,
    usedWords: () => used,
    put(added) {
      used += added.length
      const offset = freeByLength.get(added.length)?.pop() ?? extend(added.length)
      store.words.set(added, offset)
      return offset
    },
    free(offset, length) {
      used -= length
      const free = freeByLength.get(length)
      if (free === undefined) freeByLength.set(length, [offset])
      else free.push(offset)
    },
  }
  return store

  function extend(length: number): number {
    const offset = end
    end += length
    if (end > store.words.length) {
      // By half, not double, because unused memory counts too.
      const grown = new Uint32Array(Math.max(end, Math.ceil(store.words.length * 1.5)))
      grown.set(store.words)
      store.words = grown
    }
    return offset
  }
}
