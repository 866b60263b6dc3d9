// The limit on the text in a state. All parts of a state share it, so that the host sets only one limit.

import { utf8SizeBytes } from '../core/size.ts'

/** The cost of an entry in addition to its texts, so that a state never has more entries than can be read back. */
const entryBytes = 16

export class StateBudget {
  #leftBytes: number

  constructor(maxBytes: number) {
    this.#leftBytes = maxBytes
  }

  /** Whether all of `texts` fit into the remaining budget. If so, they are subtracted. */
  take(...texts: readonly string[]): boolean {
    const sizeBytes = texts.reduce((sum, text) => sum + utf8SizeBytes(text), entryBytes)
    if (sizeBytes > this.#leftBytes) return false
    this.#leftBytes -= sizeBytes
    return true
  }
}
