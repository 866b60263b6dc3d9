// Skips through text where a pattern names no literal but says at each place which characters may stand there, as in
// `[0-9a-f]{8}-[0-9a-f]{4}`: a byte that may not stand there rules out every match that would have it there, all at once. Horspool's
// search with classes for letters.

import type { PlaceFinder } from './literal.ts'
import { meanSkip } from './rarity.ts'
import { skipSearch, windowOf } from './skip-search.ts'

const nsPerSkip = 1.8
const nsPerHit = 400

/** `places[i]` has 1 for each byte that may be the i-th of a match; every match is at least as long, and ASCII so far. */
export function windowFinder(places: readonly Uint8Array[]): PlaceFinder {
  const window = windowOf(places.map(place => [...place.keys()].filter(byte => place[byte] === 1)))
  const beforeLast = places.length - 2
  return {
    costPerByte: nsPerSkip / meanSkip(byte => Math.max(1, window.skips[byte] ?? 1)) + nsPerHit * hitsPerByte(places),
    findEnds: skipSearch(window, (bytes, end) => {
      let index = beforeLast
      while (index >= 0 && places[index]?.[bytes[end - 1 - beforeLast + index] ?? 0] === 1) index--
      return index < 0
    }),
  }
}

/** As if the bytes of a text came independently, which they do not: more than a guess is not needed. */
function hitsPerByte(places: readonly Uint8Array[]): number {
  return places.reduce((product, place) => product * Math.min(1, 0.05 + meanSkip(byte => place[byte] ?? 0)), 1)
}
