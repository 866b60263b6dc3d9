// Skips through text for a pattern without a literal, but with known sets of characters for each position, such as
// `[0-9a-f]{8}-[0-9a-f]{4}`: a byte that is not in the set of a position excludes all matches that would have it there. This is Horspool's
// search with character classes.

import type { HoldsText, PlaceFinder } from './literal.ts'
import { byteFrequency, meanSkip } from './rarity.ts'
import { type BytePair, type FoundPlaces, type PairFinder, pairFinder, type PairedByte } from './simd/pair-finder.ts'
import { type FindEnds, skipSearch, windowOf } from './skip-search.ts'

const nsPerSkip = 1.8
const nsPerHit = 400
/** The cost of a scan by two bytes, and of checking a place that it finds. */
const nsPerScannedByte = 0.4
const nsPerPlace = 20
/** Texts of fewer bytes are searched faster by skipping. */
const minScannedBytes = 128
/** If two bytes are found at more places, skipping is faster. */
const maxPairFrequency = 0.02

export interface WindowFinder extends PlaceFinder {
  /** As of a literal. */
  readonly holdsText: HoldsText | undefined
}

/** `places[i]` has 1 for each byte that may be the i-th of a window. Every match contains such a window, of ASCII bytes. */
export function windowFinder(places: readonly Uint8Array[]): WindowFinder {
  const window = windowOf(places.map(place => [...place.keys()].filter(byte => place[byte] === 1)))
  const beforeLast = places.length - 2
  const hitCost = nsPerHit * hitsPerByte(places)
  const skipping = skipSearch(window, (bytes, end) => {
    let index = beforeLast
    while (index >= 0 && places[index]?.[bytes[end - 1 - beforeLast + index] ?? 0] === 1) index--
    return index < 0
  })
  const scanning = byPair(places, skipping)
  return {
    costPerByte: (scanning?.costPerByte ?? nsPerSkip / meanSkip(byte => Math.max(1, window.skips[byte] ?? 1))) + hitCost,
    findEnds: scanning?.findEnds ?? skipping,
    holdsText: scanning?.holdsText,
  }
}

/** Finds two of the places at once; `undefined` if that is not faster. */
function byPair(places: readonly Uint8Array[], skipping: FindEnds): WindowFinder | undefined {
  const chosen = rarestPlaces(places)
  const finder = chosen && pairFinder()
  if (chosen === undefined || finder === undefined) return undefined
  const { pair, frequency } = chosen
  const isAt = (bytes: Uint8Array, start: number): boolean =>
    places.every((place, index) => place[bytes[start + index] ?? 0] === 1)
  const findEnds: FindEnds = (bytes, begin, from, to) => {
    const start = Math.max(begin, from - places.length + 1)
    const found = to - from < minScannedBytes ? undefined : finder.find(bytes, start, to, pair)
    if (found === undefined) return skipping(bytes, begin, from, to)
    const ends: number[] = []
    for (let index = 0; index < found.count; index++) {
      const at = start + (found.places[index] ?? 0)
      if (isAt(bytes, at)) ends.push(at + places.length - 1)
    }
    return ends
  }
  return {
    costPerByte: nsPerScannedByte + nsPerPlace * frequency,
    findEnds,
    holdsText: texts => whichHold(finder, texts, pair, isAt),
  }
}

function whichHold(
  finder: PairFinder,
  texts: readonly Uint8Array[],
  pair: BytePair,
  isAt: (bytes: Uint8Array, start: number) => boolean,
): readonly boolean[] {
  const found: FoundPlaces | undefined = finder.findInAll(texts, pair)
  if (found === undefined) return []
  let index = 0
  let start = 0
  return texts.map(text => {
    const end = start + text.length
    let holds = false
    for (; index < found.count && (found.places[index] ?? 0) < end; index++) {
      holds ||= isAt(text, (found.places[index] ?? 0) - start)
    }
    start = end
    return holds
  })
}

/** The two places that the fewest bytes fit, as a scan by bits sees them. */
function rarestPlaces(places: readonly Uint8Array[]): { readonly pair: BytePair; readonly frequency: number } | undefined {
  const [first, second] = places
    .map((place, distance) => pairedByte(place, distance))
    .toSorted((one, other) => one.frequency - other.frequency)
  if (first === undefined || second === undefined) return undefined
  const frequency = first.frequency * second.frequency
  if (frequency > maxPairFrequency) return undefined
  return { pair: { sizeBytes: places.length, first, second }, frequency }
}

/** The fewest bits to compare that fit every byte of the place. */
function pairedByte(place: Uint8Array, distance: number): PairedByte & { readonly frequency: number } {
  const members = [...place.keys()].filter(byte => place[byte] === 1)
  const [one = 0] = members
  const mask = members.reduce((bits, byte) => bits | (byte ^ one), 0)
  const fitting = Array.from({ length: 128 }, (_, byte) => byte).filter(byte => (byte | mask) === (one | mask))
  const share = fitting.reduce((sum, byte) => sum + byteFrequency(byte), 0) / allFrequencies
  return { distance, byte: one | mask, mask, frequency: Math.min(1, share) }
}

const allFrequencies = Array.from({ length: 128 }, (_, byte) => byteFrequency(byte)).reduce((sum, each) => sum + each, 0)

/** An estimate that treats the bytes of a text as independent. They are not, but an estimate is enough. */
function hitsPerByte(places: readonly Uint8Array[]): number {
  return places.reduce((product, place) => product * Math.min(1, 0.05 + meanSkip(byte => place[byte] ?? 0)), 1)
}
