// Finds runs of bytes by skipping most of the others (Horspool's variant of Boyer–Moore, for one or a few). Measured at 1.8–3.8 GB/s
// in plain JavaScript (search spec §2), where the platform offers no search for more than one byte.

import { foreignRunFrom } from './byte-scan.ts'
import { meanSkip, rarityOf } from './rarity.ts'

export interface LiteralFinder {
  readonly texts: readonly string[]
  readonly isFolded: boolean
  /** The longest of them. */
  readonly maxSizeBytes: number
  /** Nanoseconds for each byte of text, about: of the search and of looking at what it finds (2026). */
  readonly costPerByte: number
  /** Where one of them first begins in `haystack` within `[from, to)`, whole; -1 when none does. */
  readonly find: (haystack: Uint8Array, from: number, to: number) => number
}

const encoder = new TextEncoder()
const nsPerStep = 1.5
/** Finding a line's ends, and reading it. */
const nsPerHit = 400

/** `isFolded` ignores the case of ASCII letters; the texts must then be ASCII. None of `texts` may be empty. */
export function literalFinder(texts: readonly string[], isFolded: boolean): LiteralFinder {
  const needles = texts.map(text => encoder.encode(isFolded ? text.toLowerCase() : text))
  if (needles.length === 0 || needles.some(needle => needle.length === 0)) {
    throw new Error('unreachable: an empty literal is everywhere')
  }
  const sizes = needles.map(needle => needle.length)
  const windowSize = Math.min(...sizes)
  const skips = skipTable(needles, windowSize, isFolded)
  const hitsPerByte = texts.reduce((sum, text) => sum + 2 ** -rarityOf(text, isFolded), 0)
  const [only = new Uint8Array(1)] = needles
  return {
    texts,
    isFolded,
    maxSizeBytes: Math.max(...sizes),
    costPerByte: nsPerStep / meanSkip(byte => Math.max(1, skips[byte] ?? 1)) + nsPerHit * hitsPerByte,
    find:
      needles.length > 1
        ? setSearch(needles, windowSize, skips, isFolded)
        : isFolded
          ? foldedSearch(only, skips)
          : exactSearch(only, skips),
  }
}

function exactSearch(needle: Uint8Array, skips: Uint8Array): LiteralFinder['find'] {
  const lastIndex = needle.length - 1
  if (lastIndex === 0) {
    const byte = needle[0] ?? 0
    return (haystack, from, to) => {
      const at = haystack.subarray(from, to).indexOf(byte)
      return at === -1 ? -1 : from + at
    }
  }
  const skipBehindLast = skipBehind(needle, false)
  return (haystack, from, to) => {
    let at = from + lastIndex
    while (at < to) {
      const skip = skips[haystack[at] ?? 0] ?? 1
      if (skip !== 0) {
        at += skip
        continue
      }
      let index = 0
      const start = at - lastIndex
      while (index < lastIndex && haystack[start + index] === needle[index]) index++
      if (index === lastIndex) return start
      at += skipBehindLast
    }
    return -1
  }
}

function foldedSearch(needle: Uint8Array, skips: Uint8Array): LiteralFinder['find'] {
  const lastIndex = needle.length - 1
  const skipBehindLast = skipBehind(needle, true)
  return (haystack, from, to) => {
    let at = from + lastIndex
    while (at < to) {
      const skip = skips[haystack[at] ?? 0] ?? 1
      if (skip !== 0) {
        at += skip
        continue
      }
      let index = 0
      const start = at - lastIndex
      while (index < lastIndex && lowerCase[haystack[start + index] ?? 0] === needle[index]) index++
      if (index === lastIndex) return start
      at += skipBehindLast
    }
    return -1
  }
}

/** The window is as long as the shortest, and holds the beginnings of the others. */
function setSearch(
  needles: readonly Uint8Array[],
  windowSize: number,
  skips: Uint8Array,
  isFolded: boolean,
): LiteralFinder['find'] {
  const lastIndex = windowSize - 1
  /** By the byte at the window's end, those that may begin with the window. */
  const byLast = Array.from({ length: 256 }, (_, byte) =>
    needles.filter(needle => needle[lastIndex] === (isFolded ? lowerCase[byte] : byte)),
  )
  const fold = isFolded ? lowerCase : identity
  return (haystack, from, to) => {
    let at = from + lastIndex
    while (at < to) {
      const byte = haystack[at] ?? 0
      const skip = skips[byte] ?? 1
      if (skip !== 0) {
        at += skip
        continue
      }
      const start = at - lastIndex
      for (const needle of byLast[byte] ?? []) {
        if (start + needle.length > to) continue
        let index = 0
        while (index < needle.length && fold[haystack[start + index] ?? 0] === needle[index]) index++
        if (index === needle.length) return start
      }
      at++
    }
    return -1
  }
}

const maxSkip = 255

/** How far the window may move, by the byte under its end; 0 where it may hold what is looked for. */
function skipTable(needles: readonly Uint8Array[], windowSize: number, isFolded: boolean): Uint8Array {
  const table = new Uint8Array(256).fill(Math.min(windowSize, maxSkip))
  for (const needle of needles) {
    for (let index = Math.max(0, windowSize - 1 - maxSkip); index < windowSize; index++) {
      const byte = needle[index] ?? 0
      const skip = windowSize - 1 - index
      table[byte] = Math.min(table[byte] ?? 0, skip)
      if (isFolded && byte >= 0x61 && byte <= 0x7a) table[byte - 32] = Math.min(table[byte - 32] ?? 0, skip)
    }
  }
  return table
}

/** How far the window may move when its last byte is the needle's, and the rest is not. */
function skipBehind(needle: Uint8Array, isFolded: boolean): number {
  const last = needle.at(-1) ?? 0
  const fold = isFolded ? lowerCase : identity
  for (let index = needle.length - 2; index >= 0; index--) {
    if (fold[needle[index] ?? 0] === fold[last]) return needle.length - 1 - index
  }
  return needle.length
}

const identity = Uint8Array.from({ length: 256 }, (_, byte) => byte)
const lowerCase = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte))

/**
 * Whether `bytes` hold U+212A (Kelvin sign) or U+017F (long s), which equal `k` and `s` when case is ignored. A folded search for
 * bytes misses them, so a file that has them is decided line by line. What is before `from` is known to be ASCII.
 */
export function holdsForeignLetters(bytes: Uint8Array, from: number = 0): boolean {
  for (let run = foreignRunFrom(bytes, from); run !== -1; run = foreignRunFrom(bytes, run + 16)) {
    const end = Math.min(run + 16, bytes.length)
    for (let at = run; at < end; at++) {
      const byte = bytes[at]
      // U+017F is C5 BF, U+212A is E2 84 AA.
      if (byte === 0xc5 && bytes[at + 1] === 0xbf) return true
      if (byte === 0xe2 && bytes[at + 1] === 0x84 && bytes[at + 2] === 0xaa) return true
    }
  }
  return false
}

/** Whether a folded search may miss letters that {@link holdsForeignLetters} tells of. */
export function needsForeignCheck({
  isFolded,
  texts,
}: {
  readonly isFolded: boolean
  readonly texts: readonly string[]
}): boolean {
  return isFolded && texts.some(text => /[ks]/i.test(text))
}
