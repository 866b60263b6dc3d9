// Finds texts in bytes, where the platform offers no search for more than one byte.

import { foreignRunFrom, viewOf } from './byte-scan.ts'
import { meanSkip, rarityOf } from './rarity.ts'
import { type FindEnds, skipSearch, windowOf } from './skip-search.ts'
import { isSpelledUpTo, lastBytesOf, needleOf } from './spelling.ts'

/** Finds where in a text something may be worth a closer look. */
export interface PlaceFinder {
  /** Nanoseconds for each byte of text, about: of the search and of looking at what it finds (2026). */
  readonly costPerByte: number
  readonly findEnds: FindEnds
}

export interface LiteralFinder extends PlaceFinder {
  readonly texts: readonly string[]
  /** What is found is one of the texts, and not only what one of them ends in. */
  readonly isExact: boolean
}

const nsPerSkip = 1.5
/** Finding a line's ends, and reading it. */
const nsPerHit = 400
/**
 * Compared at one place, with all texts together. Without a limit a text of many equal letters would cost its length for each byte of a
 * file of them. Of longer texts only the end is looked for.
 */
const maxComparedBytes = 96

/**
 * `isFolded` ignores the case of letters (spelling.ts); the texts must then be ASCII. None of `texts` may be empty, and there are few of
 * them.
 */
export function literalFinder(texts: readonly string[], isFolded: boolean): LiteralFinder {
  const whole = texts.map(text => needleOf(text, isFolded))
  if (whole.length === 0 || whole.some(needle => needle.bytes.length === 0)) {
    throw new Error('unreachable: an empty literal is everywhere')
  }
  const maxBytes = Math.max(1, Math.floor(maxComparedBytes / whole.length))
  const needles = whole.map(needle => ({ ...needle, bytes: needle.bytes.slice(-maxBytes) }))
  const sizeBytes = Math.min(...needles.map(needle => needle.bytes.length))
  const lastBytes = needles.map(needle => lastBytesOf(needle, sizeBytes))
  const window = windowOf(
    Array.from({ length: sizeBytes }, (_, index) => lastBytes.flatMap(places => [...(places[sizeBytes - 1 - index] ?? [])])),
  )
  const byLast = Array.from({ length: 256 }, (_, byte) => needles.filter((_needle, index) => lastBytes[index]?.[0]?.has(byte)))
  const hitsPerByte = texts.reduce((sum, text) => sum + 2 ** -rarityOf(text, isFolded), 0)
  return {
    texts,
    isExact: whole.every(needle => needle.bytes.length <= maxBytes),
    costPerByte: nsPerSkip / meanSkip(byte => Math.max(1, window.skips[byte] ?? 1)) + nsPerHit * hitsPerByte,
    findEnds: skipSearch(window, (bytes, end, begin) => {
      for (const needle of byLast[bytes[end] ?? 0] ?? []) if (isSpelledUpTo(bytes, end + 1, begin, needle)) return true
      return false
    }),
  }
}

/**
 * Whether `bytes` hold U+212A (Kelvin sign) or U+017F (long s), which equal `k` and `s` when case is ignored: an index of bytes does not
 * find them under those.
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

/** Whether an index may miss letters that {@link holdsForeignLetters} tells of. */
export function needsForeignCheck({
  isFolded,
  texts,
}: {
  readonly isFolded: boolean
  readonly texts: readonly string[]
}): boolean {
  return isFolded && texts.some(text => /[ks]/i.test(text))
}
