// Skips through text where a pattern names no literal but says at each place which characters may stand there, as in
// `[0-9a-f]{8}-[0-9a-f]{4}`: a byte that may not stand there rules out every match that would have it there, all at once. Horspool's
// search with classes for letters.

import type { LiteralFinder } from './literal.ts'
import { meanSkip } from './rarity.ts'

export type WindowFinder = Pick<LiteralFinder, 'find' | 'costPerByte' | 'maxSizeBytes'>

const nsPerStep = 1.8
const nsPerHit = 400

/** `places[i]` has 1 for each byte that may be the i-th of a match; every match is at least as long, and ASCII so far. */
export function windowFinder(places: readonly Uint8Array[]): WindowFinder {
  const size = places.length
  const skips = Uint8Array.from({ length: 256 }, (_, byte) => {
    let skip = 0
    while (skip < size && places[size - 1 - skip]?.[byte] !== 1) skip++
    return skip
  })
  return {
    maxSizeBytes: size,
    costPerByte: nsPerStep / meanSkip(byte => Math.max(1, skips[byte] ?? 1)) + nsPerHit * hitsPerByte(places),
    find(haystack, from, to) {
      let at = from + size - 1
      while (at < to) {
        const skip = skips[haystack[at] ?? 0] ?? 1
        if (skip !== 0) {
          at += skip
          continue
        }
        // From its end, because what may not stand at a place moves the window beyond it.
        let index = size - 2
        while (index >= 0 && places[index]?.[haystack[at - size + 1 + index] ?? 0] === 1) index--
        if (index < 0) return at - size + 1
        at++
      }
      return -1
    },
  }
}

/** As if the bytes of a text came independently, which they do not: more than a guess is not needed. */
function hitsPerByte(places: readonly Uint8Array[]): number {
  return places.reduce((product, place) => product * Math.min(1, 0.05 + meanSkip(byte => place[byte] ?? 0)), 1)
}
