// Finds texts in bytes. The platform has a search only for one byte.

import { foreignRunFrom, viewOf } from './byte-scan.ts'
import { meanSkip, rarityOf } from './rarity.ts'
import { type FindEnds, maxSkip, skipSearch, windowOf } from './skip-search.ts'
import { pairFinder, rarestPair } from './simd/pair-finder.ts'
import { fixedEndOf, isSpelledUpTo, lastBytesOf, type Needle, needleOf } from './spelling.ts'

/** Finds positions in a text that may begin a match. */
export interface PlaceFinder {
  /** Approximate nanoseconds per byte of text, for the search and for checking its results (2026). */
  readonly costPerByte: number
  readonly findEnds: FindEnds
}

/** Tells which of several texts certainly have no occurrence: `false`. The others must be searched. */
export type HoldsText = (texts: readonly Uint8Array[]) => readonly (boolean | undefined)[]

export interface LiteralFinder extends PlaceFinder {
  /** Set only if it is faster than a separate search in each text. Together the texts have at most {@link maxTextBytes}. */
  readonly holdsText: HoldsText | undefined
  readonly texts: readonly string[]
  /** Of the shortest text, in any spelling. */
  readonly minBytes: number
  /** Each result is a whole occurrence of one of the texts, not only of its end. */
  readonly isExact: boolean
}

const nsPerSkip = 1.5
/** Texts of fewer bytes are searched faster by skipping. */
const minScannedBytes = 128
/** The cost of finding a line's ends and reading the line. */
const nsPerHit = 400
/**
 * The limit for comparing at one position, for all texts together. Without a limit, a text of many equal letters would be compared over its
 * whole length at each byte of a file of them. For longer texts, only the end is searched for.
 */
const maxComparedBytes = 96
/** At most this many texts are searched for one after the other. */
const maxScans = 4
/** With longer skips, most bytes are not even read, so copying them to the memory of a scan costs more. */
const maxScannedSkip = 32

/** `isFolded` ignores the case of letters (spelling.ts); the texts must then be ASCII. `texts` must be few, and none may be empty. */
export function literalFinder(texts: readonly string[], isFolded: boolean): LiteralFinder {
  const whole = texts.map(text => needleOf(text, isFolded))
  if (whole.length === 0 || whole.some(needle => needle.bytes.length === 0)) {
    throw new Error('unreachable: an empty literal is everywhere')
  }
  const maxBytes = Math.max(1, Math.floor(maxComparedBytes / whole.length))
  const needles = whole.map(needle => ({ ...needle, bytes: needle.bytes.slice(-maxBytes) }))
  const minBytes = whole.reduce((least, { bytes }) => Math.min(least, bytes.length), Infinity)
  // Skips are computed from more of a text than is compared: the more bytes it has, the fewer of the others are read.
  const sizeBytes = Math.min(minBytes, maxSkip)
  const lastBytes = whole.map(needle => lastBytesOf(needle, sizeBytes))
  const window = windowOf(
    Array.from({ length: sizeBytes }, (_, index) => lastBytes.flatMap(places => [...(places[sizeBytes - 1 - index] ?? [])])),
  )
  const byLast = Array.from({ length: 256 }, (_, byte) => needles.filter((_needle, index) => lastBytes[index]?.[0]?.has(byte)))
  const skipping = skipSearch(window, (bytes, end, begin) => {
    for (const needle of byLast[bytes[end] ?? 0] ?? []) if (isSpelledUpTo(bytes, end + 1, begin, needle)) return true
    return false
  })
  const skip = meanSkip(byte => Math.max(1, window.skips[byte] ?? 1))
  const hitsPerByte = texts.reduce((sum, text) => sum + 2 ** -rarityOf(text, isFolded), 0)
  const paired = needles.length > maxScans || skip > maxScannedSkip ? [] : needles.map(byPair)
  const [only] = paired
  return {
    texts,
    minBytes,
    isExact: whole.every(needle => needle.bytes.length <= maxBytes),
    costPerByte: nsPerSkip / skip + nsPerHit * hitsPerByte,
    findEnds: (paired.length === 1 ? only?.findEnds : undefined) ?? skipping,
    holdsText: skip > maxScannedSkip ? skippingHolds : anyHolds(paired.map(each => each?.holdsText)),
  }

  function skippingHolds(all: readonly Uint8Array[]): readonly boolean[] {
    return all.map(text => text.length >= minBytes && skipping(text, 0, 0, text.length).length > 0)
  }

  function byPair(needle: Needle): { readonly findEnds: FindEnds; readonly holdsText: HoldsText } | undefined {
    const finder = pairFinder()
    const end = fixedEndOf(needle)
    if (end.length === 0 || finder === undefined) return undefined
    const pair = rarestPair(end, isFolded)
    const holdsText: HoldsText = allTexts => {
      const found = finder.findInAll(allTexts, pair)
      if (found === undefined) return []
      const { places, count } = found
      const holds: boolean[] = []
      let index = 0
      let start = 0
      // Without a function for each text: an engine would compile it in a first search.
      for (let at = 0; at < allTexts.length; at++) {
        const text = allTexts[at]
        if (text === undefined) break
        const textEnd = start + text.length
        let isHeld = false
        for (; index < count && (places[index] ?? 0) < textEnd; index++) {
          if (isHeld) continue
          const last = (places[index] ?? 0) - start + end.length - 1
          isHeld = last < text.length && isSpelledUpTo(text, last + 1, 0, needle)
        }
        start = textEnd
        holds.push(isHeld)
      }
      return holds
    }
    const findEnds: FindEnds = (bytes, begin, from, to) => {
      // For fewer bytes the copy would cost more than it saves.
      if (to - from < minScannedBytes) return skipping(bytes, begin, from, to)
      const start = Math.max(begin, from - end.length + 1)
      const found = finder.find(bytes, start, to, pair)
      if (found === undefined) return skipping(bytes, begin, from, to)
      const ends: number[] = []
      for (let index = 0; index < found.count; index++) {
        const last = start + (found.places[index] ?? 0) + end.length - 1
        if (isSpelledUpTo(bytes, last + 1, begin, needle)) ends.push(last)
      }
      return ends
    }
    return { findEnds, holdsText }
  }
}

/**
 * Combines the tests of several literals: a text is excluded only if every test excludes it. `undefined` if one of the literals
 * has no test.
 */
function anyHolds(all: readonly (HoldsText | undefined)[]): HoldsText | undefined {
  const known = all.filter(each => each !== undefined)
  if (known.length === 0 || known.length < all.length) return undefined
  return texts => {
    const answers = known.map(holdsText => holdsText(texts))
    return texts.map((_, index) => (answers.every(holds => holds[index] === false) ? false : undefined))
  }
}

/**
 * Whether `bytes` contain U+212A (Kelvin sign) or U+017F (long s), which equal `k` and `s` if case is ignored: an index of bytes does not
 * find them as those letters.
 */
export function holdsForeignLetters(bytes: Uint8Array): boolean {
  const view = viewOf(bytes)
  for (let run = foreignRunFrom(view, 0); run !== -1; run = foreignRunFrom(view, run + 16)) {
    for (let at = run; at < Math.min(run + 16, bytes.length); at++) {
      const byte = bytes[at]
      // U+017F is C5 BF, U+212A is E2 84 AA.
      if (byte === 0xc5 && bytes[at + 1] === 0xbf) return true
      if (byte === 0xe2 && bytes[at + 1] === 0x84 && bytes[at + 2] === 0xaa) return true
    }
  }
  return false
}

/** Whether an index may miss letters that {@link holdsForeignLetters} detects. */
export function needsForeignCheck({
  isFolded,
  texts,
}: {
  readonly isFolded: boolean
  readonly texts: readonly string[]
}): boolean {
  return isFolded && texts.some(text => /[ks]/i.test(text))
}
