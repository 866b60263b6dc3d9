// Skips through text for a pattern without a literal, but with known sets of characters for each position, such as
// `[0-9a-f]{8}-[0-9a-f]{4}`: a byte that is not in the set of a position excludes all matches that would have it there. This is Horspool's
// search with character classes.

import type { PlaceFinder } from './literal.ts'
import { meanSkip } from './rarity.ts'
import { skipSearch, windowOf } from './skip-search.ts'

const nsPerSkip = 1.8
const nsPerHit = 400

/**
 * `places[i]` has 1 for each byte that may be the i-th of a match. Every match has at least this length and starts with these ASCII bytes.
 */
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

/** An estimate that treats the bytes of a text as independent. They are not, but an estimate is enough. */
function hitsPerByte(places: readonly Uint8Array[]): number {
  return places.reduce((product, place) => product * Math.min(1, 0.05 + meanSkip(byte => place[byte] ?? 0)), 1)
}
