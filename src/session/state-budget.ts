// How much text a state may hold. One budget goes round among all who keep some, so that the bound is one figure for the host.

import { utf8SizeBytes } from '../core/size.ts'

/** What an entry costs beside its texts, so that a state has no more entries than it can be read back with. */
const entryBytes = 16

export class StateBudget {
  #leftBytes: number

  constructor(maxBytes: number) {
    this.#leftBytes = maxBytes
  }

  /** Whether all of `texts` fits in what is left; then it is taken from it. */
  take(...texts: readonly string[]): boolean {
    const sizeBytes = texts.reduce((sum, text) => sum + utf8SizeBytes(text), entryBytes)
    if (sizeBytes > this.#leftBytes) return false
    this.#leftBytes -= sizeBytes
    return true
  }
}
