// Counts line feeds in WebAssembly where that is faster. Most lines with a match are far from the last one that was counted, and in a
// first search the loop in JavaScript is not compiled yet.

import { countLineFeeds } from '../byte-scan.ts'
import { maxTextBytes } from './layout.ts'
import { simdFunctions } from './module.ts'

/** For fewer bytes the copy would cost more than it saves. */
const minCopiedBytes = 1024

let textInMemory: Uint8Array | undefined

/** As {@link countLineFeeds} of the view of `bytes`. */
export function countLines(bytes: Uint8Array, view: DataView, start: number, end: number): number {
  const functions = end - start < minCopiedBytes ? undefined : simdFunctions()
  if (functions === undefined) return countLineFeeds(view, start, end)
  const memory = (textInMemory ??= new Uint8Array(functions.memory.buffer, 0, maxTextBytes + 16))
  let count = 0
  for (let from = start; from < end; from += maxTextBytes) {
    const length = Math.min(maxTextBytes, end - from)
    memory.set(bytes.subarray(from, from + length))
    memory.fill(0, length, length + 16)
    const found = functions.countLines(length)
    if (found === -1) return -1
    count += found
  }
  return count
}
