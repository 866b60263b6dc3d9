// The Huffman codes of PIZ: 65,536 words and one code that repeats the previous word. Each step consumes at least one bit, and the number
// of steps is limited by the size of the block. Source: OpenEXR, its library's description of its Huffman coding.

import { ImageError, needBytes, viewOf } from './pixels.ts'

const headBytes = 20
const symbols = 65_537
/** Longer codes need more words than any block has. */
const longestCode = 48
const shortestZeroRun = 59
const longZeroRun = 63
const lookupBits = 12

interface Codes {
  /** By length: the first code, the number of codes, and the position of their symbols in `sorted`. */
  readonly firstCode: Float64Array
  readonly count: Float64Array
  readonly start: Float64Array
  readonly sorted: Uint32Array
  /** By the next 12 bits: symbol × 64 + length, or 0 if the code is longer. */
  readonly lookup: Uint32Array
}

/** Throws `ImageError` if the codes do not give exactly `count` words. */
export function decodeHuffman(bytes: Uint8Array, count: number): Uint16Array {
  needBytes(bytes, headBytes)
  const view = viewOf(bytes)
  const [first, last, sizeBits] = [view.getUint32(0, true), view.getUint32(4, true), view.getUint32(12, true)]
  if (first > last || last >= symbols) throw new ImageError('image-damaged', 'its table of codes is too long')
  const bits = new Bits(bytes, headBytes)
  const codes = codesOf(readLengths(bits, first, last))
  const start = Math.ceil(bits.at / 8)
  needBytes(bytes, start + Math.ceil(sizeBits / 8))
  return decodeWords(new Bits(bytes, start), start * 8 + sizeBits, codes, last, new Uint16Array(count))
}

class Bits {
  readonly #bytes: Uint8Array
  /** The position of the next bit. */
  at: number

  constructor(bytes: Uint8Array, start: number) {
    this.#bytes = bytes
    this.at = start * 8
  }

  /** At most 16 bits; zeros after the end. */
  peek(count: number): number {
    const byte = this.at >> 3
    const word = ((this.#bytes[byte] ?? 0) << 16) | ((this.#bytes[byte + 1] ?? 0) << 8) | (this.#bytes[byte + 2] ?? 0)
    return (word >> (24 - (this.at & 7) - count)) & ((1 << count) - 1)
  }

  take(count: number): number {
    const value = this.peek(count)
    this.at += count
    if (this.at > this.#bytes.length * 8) throw new ImageError('image-damaged', 'its codes end too early')
    return value
  }
}

/** Six bits for each symbol; some values mean a run of symbols that do not occur. */
function readLengths(bits: Bits, first: number, last: number): Uint8Array {
  const lengths = new Uint8Array(symbols)
  for (let symbol = first; symbol <= last;) {
    const length = bits.take(6)
    if (length < shortestZeroRun) lengths[symbol++] = length
    else symbol += length === longZeroRun ? bits.take(8) + longZeroRun - shortestZeroRun + 2 : length - shortestZeroRun + 2
    if (symbol > last + 1) throw new ImageError('image-damaged', 'its table of codes runs past its end')
  }
  return lengths
}

/** Codes of one length are consecutive, in the order of their symbols; the longest codes have the smallest numbers. */
function codesOf(lengths: Uint8Array): Codes {
  const [firstCode, count, start] = [64, 64, 64].map(length => new Float64Array(length))
  if (firstCode === undefined || count === undefined || start === undefined)
    throw new Error('unreachable: three tables were made')
  for (const length of lengths) count[length] = (count[length] ?? 0) + 1
  count[0] = 0
  let code = 0
  let place = 0
  for (let length = 63; length > 0; length--) {
    const here = count[length] ?? 0
    if (here > 0 && (length > longestCode || code + here > 2 ** length))
      throw new ImageError('image-damaged', 'its Huffman table is invalid')
    firstCode[length] = code
    start[length] = place
    place += here
    code = Math.floor((code + here) / 2)
  }
  const sorted = new Uint32Array(place)
  const lookup = new Uint32Array(1 << lookupBits)
  const next = start.slice()
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue
    const index = next[length] ?? 0
    next[length] = index + 1
    sorted[index] = symbol
    if (length > lookupBits) continue
    const from = ((firstCode[length] ?? 0) + index - (start[length] ?? 0)) * 2 ** (lookupBits - length)
    lookup.fill(symbol * 64 + length, from, from + 2 ** (lookupBits - length))
  }
  return { firstCode, count, start, sorted, lookup }
}

function decodeWords(bits: Bits, end: number, codes: Codes, repeat: number, out: Uint16Array): Uint16Array {
  let to = 0
  while (bits.at < end) {
    const symbol = nextSymbol(bits, codes)
    const isRepeat = symbol === repeat
    const count = isRepeat ? bits.take(8) : 1
    if (bits.at > end || to + count > out.length || (isRepeat && to === 0))
      throw new ImageError('image-damaged', 'its codes contain more than its block')
    out.fill(isRepeat ? (out[to - 1] ?? 0) : symbol, to, to + count)
    to += count
  }
  if (to !== out.length) throw new ImageError('image-damaged', `its codes contain ${to} words instead of ${out.length}`)
  return out
}

function nextSymbol(bits: Bits, { firstCode, count, start, sorted, lookup }: Codes): number {
  const found = lookup[bits.peek(lookupBits)] ?? 0
  if (found !== 0) {
    bits.at += found & 63
    return found >>> 6
  }
  let code = 0
  for (let length = 1; length <= longestCode; length++) {
    code = code * 2 + bits.take(1)
    const index = code - (firstCode[length] ?? 0)
    if ((count[length] ?? 0) > 0 && index >= 0) {
      if (index >= (count[length] ?? 0)) break
      return sorted[(start[length] ?? 0) + index] ?? 0
    }
  }
  throw new ImageError('image-damaged', 'it contains an invalid code')
}
