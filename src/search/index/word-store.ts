// One growing piece of memory for all sets of bits. They are powers of two long and come back when a file changes, so a free list for
// each length is all the bookkeeping there is.

export interface WordStore {
  /** Changes when the store grows. */
  words: Uint32Array
  /** Words in use. */
  readonly usedWords: () => number
  /** Copies `words` in; returns where. */
  readonly put: (words: Uint32Array) => number
  readonly free: (offset: number, length: number) => void
}

/** `filled` is in use from the start and becomes the store's own. */
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
      // By half, not double: what is not used counts as used memory.
      const grown = new Uint32Array(Math.max(end, Math.ceil(store.words.length * 1.5)))
      grown.set(store.words)
      store.words = grown
    }
    return offset
  }
}
