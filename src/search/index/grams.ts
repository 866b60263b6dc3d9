// Which runs of three and four bytes a block contains, as a small bit set that may answer "perhaps" too often, but "no" only if it is true.
// ASCII letters are folded, so one set serves searches with and without regard to case. How it is used: docs/search.md.

import { countByte, holdsByte, viewOf } from '../byte-scan.ts'
import { holdsForeignLetters } from '../literal.ts'
import {
  factsOffset,
  gramFactors,
  marksOffset,
  maxGramBytes,
  maxMarks,
  maxTenthsSet,
  minSetBits as minBits,
  placesAtOnce,
  setOffset,
} from '../simd/layout.ts'
import { type SimdFunctions, simdFunctions } from '../simd/module.ts'

/** The largest set of a block of usual size. */
const usualBits = 1 << 15
/** A set has at least one bit for so many runs. If all differ, about seven tenths of the bits are set. */
const runsPerBit = 1.15

const lowerCase = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte))

/**
 * The hash of three bytes, and of four; the first byte is the low one. All must affect the low bits, because halving keeps only those.
 * The same in WebAssembly: simd/gram-marks.ts.
 */
function hashOfThree(bytes: number): number {
  const low = bytes & 0xffffff
  return Math.imul(low ^ (low >>> 11), gramFactors.three) >>> gramFactors.shift
}

function hashOfFour(bytes: number): number {
  return Math.imul(bytes ^ (bytes >>> 15), gramFactors.four) >>> gramFactors.shift
}

/** Builds sets in memory that it reuses. */
export interface GramCounter {
  /** The set of `bytes` from `start` to `end`; its length in 32-bit words is a power of two. Valid until the next call. */
  readonly setOf: (bytes: Uint8Array, start: number, end: number) => Uint32Array
  /** About the bytes of the last {@link GramCounter.setOf}, while its result is valid. */
  readonly linesOf: () => LineFacts
}

export interface LineFacts {
  readonly lineFeeds: number
  /** The longest line that a line feed ends, with it, or the rest behind the last one. Less than sixteen bytes may be too few. */
  readonly longestBytes: number
  readonly hasReturns: boolean
  /** See {@link holdsForeignLetters}. */
  readonly hasForeignLetters: boolean
}

/** The number of words of the smallest set that is kept. */
export const minSetWords: number = minBits >> 5

/** The number of words of the largest set that a block can have. */
export function maxSetWords(maxBlockBytes: number, usualBlockBytes: number): number {
  let bits = usualBits
  while (bits / usualBits < maxBlockBytes / usualBlockBytes) bits *= 2
  return bits >> 5
}

/** With `functions`, which are compiled where possible, it is several times faster. Both ways give the same sets. */
export function createGramCounter(
  maxBlockBytes: number,
  usualBlockBytes: number,
  functions: SimdFunctions | false = simdFunctions() ?? false,
): GramCounter {
  const largest = maxSetWords(maxBlockBytes, usualBlockBytes) * 32
  const make =
    functions === false || maxBlockBytes > maxGramBytes || largest > maxMarks
      ? makerInJavaScript(largest >> 5)
      : makerInWebAssembly(functions)
  return {
    ...make,
    setOf(bytes, start, end) {
      // A larger set would be halved to this size: each byte sets at most two bits.
      let bits = minBits
      while (bits < largest && bits * runsPerBit < 2 * (end - start)) bits *= 2
      return make.setOf(bytes, start, end, bits)
    },
  }
}

/** Makes a set of at most `bits` bits. */
interface SetMaker {
  readonly setOf: (bytes: Uint8Array, start: number, end: number, bits: number) => Uint32Array
  readonly linesOf: () => LineFacts
}

/** Many are marked at once, so positions after the last are included. The bytes there count as 0. */
function placesIn(length: number): number {
  return length < 3 ? 0 : Math.ceil((length - 2) / placesAtOnce) * placesAtOnce
}

function makerInJavaScript(words: number): SetMaker {
  const scratch = new Uint32Array(words)
  let text: Uint8Array = new Uint8Array()
  return {
    setOf(bytes, start, end, bits) {
      text = bytes.subarray(start, end)
      const mask = bits - 1
      const places = placesIn(end - start)
      scratch.fill(0, 0, bits >> 5)
      let last = 0
      for (let index = start; index < Math.min(start + 3, end); index++)
        last = (last >>> 8) | ((lowerCase[bytes[index] ?? 0] ?? 0) << 24)
      for (let index = start + 3; index < start + 3 + places; index++) {
        last = index < end ? (last >>> 8) | ((lowerCase[bytes[index] ?? 0] ?? 0) << 24) : last >>> 8
        const three = hashOfThree(last) & mask
        // Shifts use the low five bits.
        scratch[three >>> 5] = (scratch[three >>> 5] ?? 0) | (1 << three)
        const four = hashOfFour(last) & mask
        scratch[four >>> 5] = (scratch[four >>> 5] ?? 0) | (1 << four)
      }
      return scratch.subarray(0, halved(scratch, bits >> 5))
    },
    linesOf() {
      const view = viewOf(text)
      return {
        lineFeeds: countByte(view, 10, 0, text.length),
        longestBytes: longestLineOf(text),
        hasReturns: holdsByte(view, 13, 0, text.length),
        hasForeignLetters: holdsForeignLetters(text),
      }
    },
  }
}

function longestLineOf(bytes: Uint8Array): number {
  let longest = 0
  for (let at = 0; at < bytes.length;) {
    const lineFeed = bytes.indexOf(10, at)
    const next = lineFeed === -1 ? bytes.length : lineFeed + 1
    longest = Math.max(longest, next - at)
    at = next
  }
  return longest
}

function makerInWebAssembly({ memory, markGrams, packMarks, halveSet, noteLines }: SimdFunctions): SetMaker {
  const text = new Uint8Array(memory.buffer, 0, maxGramBytes + 32)
  const marks = new Uint8Array(memory.buffer, marksOffset, maxMarks)
  const words = new Uint32Array(memory.buffer, setOffset, maxMarks >> 5)
  const facts = new Uint32Array(memory.buffer, factsOffset, 2)
  let length = 0
  return {
    setOf(bytes, start, end, bits) {
      length = end - start
      text.set(bytes.subarray(start, end))
      text.fill(0, length, length + 32)
      marks.fill(0, 0, bits)
      markGrams(placesIn(length), bits - 1)
      packMarks(bits)
      return words.subarray(0, halveSet(bits) >> 5)
    },
    linesOf() {
      const seen = noteLines(length)
      return {
        lineFeeds: facts[0] ?? 0,
        longestBytes: facts[1] ?? 0,
        hasReturns: (seen & 1) === 1,
        hasForeignLetters: seen >= 2,
      }
    },
  }
}

/** Folds the upper half into the lower one while the result is not too dense, and returns the length. The same in WebAssembly: simd/gram-marks.ts. */
function halved(words: Uint32Array, fullLength: number): number {
  let length = fullLength
  while (length * 32 > minBits) {
    const half = length >> 1
    let count = 0
    for (let index = 0; index < half; index++) count += bitCount((words[index] ?? 0) | (words[index + half] ?? 0))
    if (count * 10 > maxTenthsSet * half * 32) break
    for (let index = 0; index < half; index++) words[index] = (words[index] ?? 0) | (words[index + half] ?? 0)
    length = half
  }
  return length
}

export function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** For a longer literal only its beginning is used: an occurrence must be complete in one block (`overlapBytes`). */
export const maxLiteralBytes = 128

/** The hashes that a block with `literal` has, each once; `undefined` if the literal is too short. */
export function hashesOf(literal: Uint8Array): Uint32Array | undefined {
  const end = Math.min(literal.length, maxLiteralBytes)
  if (end < 3) return undefined
  const ofThree: number[] = []
  const ofFour: number[] = []
  let last = 0
  for (let index = 0; index < end; index++) {
    last = (last >>> 8) | ((lowerCase[literal[index] ?? 0] ?? 0) << 24)
    if (index >= 2) ofThree.push(hashOfThree(last >>> 8))
    if (index >= 3) ofFour.push(hashOfFour(last))
  }
  // Four bytes are in fewer blocks than three of them, so they come first.
  return Uint32Array.from(new Set([...ofFour, ...ofThree]))
}

/** Whether the set of `length` words from `at` on may contain all of `hashes`. */
export function mayHold(words: Uint32Array, hashes: Uint32Array, at: number = 0, length: number = words.length): boolean {
  const mask = length * 32 - 1
  for (let index = 0; index < hashes.length; index++) {
    const bit = (hashes[index] ?? 0) & mask
    if ((((words[at + (bit >>> 5)] ?? 0) >>> (bit & 31)) & 1) === 0) return false
  }
  return true
}
