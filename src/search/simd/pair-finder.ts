// Finds a text by its two rarest bytes, sixteen positions at a time, if WebAssembly can be compiled: about twice as fast as
// skipping once the code is warm, and four times as fast in the first search (2026). Otherwise, and for texts that it does not
// support, other searches are used.

import { byteFrequency } from '../rarity.ts'
import { foundOffset, maxFound, maxTextBytes } from './layout.ts'
import { type SimdFunctions, simdFunctions } from './module.ts'

/** Two bytes of a text of `sizeBytes`. */
export interface BytePair {
  readonly sizeBytes: number
  readonly first: PairedByte
  readonly second: PairedByte
}

export interface PairedByte {
  /** The offset from the start of the text. */
  readonly distance: number
  readonly byte: number
  /** Bits to ignore. */
  readonly mask: number
}

/**
 * The two rarest bytes of `text`; for a text of one byte, that byte twice. Letters of a folded text are lower case and match either case.
 */
export function rarestPair(text: Uint8Array, isFolded: boolean): BytePair {
  const bytes = [...text].map((byte, distance) => ({
    distance,
    byte,
    mask: isFolded && byte >= 0x61 && byte <= 0x7a ? 0x20 : 0,
  }))
  const [first = { distance: 0, byte: 0, mask: 0 }, ...others] = bytes.toSorted(
    (one, other) => byteFrequency(one.byte) - byteFrequency(other.byte),
  )
  // A second, different byte is more selective than the same one again.
  const second = others.find(({ byte }) => byte !== first.byte) ?? others[0] ?? first
  return { sizeBytes: text.length, first, second }
}

export interface PairFinder {
  /**
   * The positions in `[from, to)` where a text with these bytes may begin; the text ends before `to`. The next call overwrites
   * the array. `undefined` if there are too many positions or too many bytes.
   */
  find(bytes: Uint8Array, from: number, to: number, pair: BytePair): FoundPlaces | undefined

  /** The same for several texts, concatenated. A position may be a false result whose bytes are in two of the texts. */
  findInAll(texts: readonly Uint8Array[], pair: BytePair): FoundPlaces | undefined
}

export interface FoundPlaces {
  readonly places: Int32Array
  readonly count: number
}

let made: PairFinder | undefined

/** `undefined` if WebAssembly cannot be compiled, or has no SIMD. */
export function pairFinder(): PairFinder | undefined {
  if (made === undefined) {
    const functions = simdFunctions()
    made = functions && finderOver(functions)
  }
  return made
}

function finderOver({ memory, scan }: SimdFunctions): PairFinder {
  const text = new Uint8Array(memory.buffer, 0, maxTextBytes)
  const places = new Int32Array(memory.buffer, foundOffset, maxFound)
  const scanned = (length: number, { sizeBytes, first, second }: BytePair): FoundPlaces | undefined => {
    if (length < sizeBytes) return { places, count: 0 }
    const count = scan(length - sizeBytes + 1, first.distance, first.byte, first.mask, second.distance, second.byte, second.mask)
    return count === -1 ? undefined : { places, count }
  }
  return {
    find(bytes, from, to, pair) {
      const length = to - from
      if (length > maxTextBytes) return undefined
      text.set(from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to))
      return scanned(length, pair)
    },
    findInAll(texts, pair) {
      let length = 0
      // Without an iterator, which is slow to compile in a first search.
      for (let index = 0; index < texts.length; index++) {
        const each = texts[index]
        if (each === undefined) break
        if (length + each.length > maxTextBytes) return undefined
        text.set(each, length)
        length += each.length
      }
      return scanned(length, pair)
    },
  }
}
