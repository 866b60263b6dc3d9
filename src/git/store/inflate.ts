// Inflates zlib streams (RFC 1950 and 1951). Most objects of a repository are smaller than one kilobyte, and a general library spends most
// of its time on building large tables for them. Packs also need the end of each stream.

export interface Inflated {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** One past the last byte of the stream in the source. */
  readonly end: number
}

/** Thrown for data that is not a zlib stream, is cut, or does not have the declared length or checksum. */
export class InflateError extends Error {
  override readonly name = 'InflateError'
}

const fastBits = 9
const lengthBase = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
]
const lengthExtra = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]
const distanceBase = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289,
  16385, 24577,
]
const distanceExtra = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13]
const codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

/** A canonical prefix code: short codes by table, long codes bit by bit. */
class PrefixCode {
  readonly fast = new Uint16Array(1 << fastBits)
  readonly counts = new Uint16Array(16)
  readonly symbols = new Uint16Array(288)
  readonly #offsets = new Uint16Array(16)
  readonly #nextCodes = new Uint16Array(16)

  build(lengths: Uint8Array, size: number): this {
    const { counts, fast, symbols } = this
    counts.fill(0)
    fast.fill(0)
    for (let symbol = 0; symbol < size; symbol++)
      counts[lengths[symbol] as number] = (counts[lengths[symbol] as number] as number) + 1
    counts[0] = 0
    let code = 0
    let offset = 0
    for (let length = 1; length < 16; length++) {
      code = (code + (counts[length - 1] as number)) << 1
      this.#nextCodes[length] = code
      this.#offsets[length] = offset
      offset += counts[length] as number
    }
    for (let symbol = 0; symbol < size; symbol++) {
      const length = lengths[symbol] as number
      if (length === 0) continue
      const at = this.#offsets[length] as number
      this.#offsets[length] = at + 1
      symbols[at] = symbol
      const own = this.#nextCodes[length] as number
      this.#nextCodes[length] = own + 1
      if (length > fastBits) continue
      let reversed = 0
      for (let bit = 0; bit < length; bit++) if ((own >> bit) & 1) reversed |= 1 << (length - 1 - bit)
      for (let slot = reversed; slot < 1 << fastBits; slot += 1 << length) fast[slot] = (symbol << 4) | length
    }
    return this
  }
}

const literalCode = new PrefixCode()
const distanceCode = new PrefixCode()
const lengthCode = new PrefixCode()
const lengths = new Uint8Array(320)

function fixedLengths(): Uint8Array {
  return lengths.fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280, 288)
}

/** Inflates the stream at `start`. `size`: the required length of the result. `maxBytes`: a longer result is refused. */
export function inflate(source: Uint8Array, start: number = 0, size?: number, maxBytes: number = 1 << 30): Inflated {
  return new Inflater(source, start, size, maxBytes).run()
}

class Inflater {
  readonly #source: Uint8Array
  readonly #size: number | undefined
  readonly #maxBytes: number
  #at: number
  #bits = 0
  #bitCount = 0
  #out: Uint8Array<ArrayBuffer>
  #length = 0

  constructor(source: Uint8Array, start: number, size: number | undefined, maxBytes: number) {
    this.#source = source
    this.#at = start
    this.#size = size
    this.#maxBytes = size === undefined ? maxBytes : Math.min(size, maxBytes)
    this.#out = new Uint8Array(size === undefined ? 4096 : Math.min(size, maxBytes))
  }

  run(): Inflated {
    const head = ((this.#source[this.#at] ?? 0) << 8) | (this.#source[this.#at + 1] ?? 0)
    if (((head >> 8) & 15) !== 8 || head % 31 !== 0 || (head & 32) !== 0) throw new InflateError('incorrect header check')
    this.#at += 2
    for (let isLast = false; !isLast;) {
      isLast = this.#take(1) === 1
      const kind = this.#take(2)
      if (kind === 0) this.#stored()
      else if (kind === 1) {
        literalCode.build(fixedLengths(), 288)
        distanceCode.build(lengths.fill(5, 0, 30), 30)
        this.#coded()
      } else if (kind === 2) {
        this.#readCodes()
        this.#coded()
      } else throw new InflateError('invalid block type')
    }
    this.#toByte()
    const bytes = this.#out.length === this.#length ? this.#out : this.#out.slice(0, this.#length)
    if (this.#size !== undefined && bytes.length !== this.#size) throw new InflateError('the data is shorter than it says')
    const source = this.#source
    const at = this.#at
    if (at + 4 > source.length) throw new InflateError('unexpected end of data')
    const told =
      (((source[at] ?? 0) << 24) | ((source[at + 1] ?? 0) << 16) | ((source[at + 2] ?? 0) << 8) | (source[at + 3] ?? 0)) >>> 0
    if (told !== adler32(bytes)) throw new InflateError('incorrect data check')
    return { bytes, end: at + 4 }
  }

  #fill(count: number): void {
    while (this.#bitCount < count) {
      // The table look-up may read a few bits beyond the end; reading a whole byte beyond it is an error.
      if (this.#at >= this.#source.length + 4) throw new InflateError('unexpected end of data')
      this.#bits |= (this.#source[this.#at++] ?? 0) << this.#bitCount
      this.#bitCount += 8
    }
  }

  #take(count: number): number {
    if (count === 0) return 0
    this.#fill(count)
    const value = this.#bits & ((1 << count) - 1)
    this.#bits >>>= count
    this.#bitCount -= count
    return value
  }

  /** Returns unused whole bytes to the source, and drops the rest of the current one. */
  #toByte(): void {
    this.#at -= this.#bitCount >> 3
    this.#bits = 0
    this.#bitCount = 0
  }

  #symbol(code: PrefixCode): number {
    this.#fill(15)
    const slot = code.fast[this.#bits & ((1 << fastBits) - 1)] as number
    if (slot !== 0) {
      const length = slot & 15
      this.#bits >>>= length
      this.#bitCount -= length
      return slot >> 4
    }
    let value = 0
    let first = 0
    let index = 0
    for (let length = 1; length < 16; length++) {
      value |= (this.#bits >> (length - 1)) & 1
      const count = code.counts[length] as number
      if (value - count < first) {
        this.#bits >>>= length
        this.#bitCount -= length
        return code.symbols[index + (value - first)] as number
      }
      index += count
      first = (first + count) << 1
      value <<= 1
    }
    throw new InflateError('invalid code')
  }

  #room(more: number): void {
    const wanted = this.#length + more
    if (wanted <= this.#out.length) return
    if (wanted > this.#maxBytes) throw new InflateError('the data is longer than it says')
    const larger = new Uint8Array(Math.min(this.#maxBytes, Math.max(wanted, this.#out.length * 2)))
    larger.set(this.#out.subarray(0, this.#length))
    this.#out = larger
  }

  #stored(): void {
    this.#toByte()
    const source = this.#source
    const at = this.#at
    const length = (source[at] ?? 0) | ((source[at + 1] ?? 0) << 8)
    const check = (source[at + 2] ?? 0) | ((source[at + 3] ?? 0) << 8)
    if ((length ^ check) !== 0xffff || at + 4 + length > source.length) throw new InflateError('invalid stored block')
    this.#room(length)
    this.#out.set(source.subarray(at + 4, at + 4 + length), this.#length)
    this.#length += length
    this.#at = at + 4 + length
  }

  #readCodes(): void {
    const literals = this.#take(5) + 257
    const distances = this.#take(5) + 1
    const codes = this.#take(4) + 4
    lengths.fill(0, 0, 19)
    for (let index = 0; index < codes; index++) lengths[codeLengthOrder[index] ?? 0] = this.#take(3)
    lengthCode.build(lengths, 19)
    for (let index = 0; index < literals + distances;) {
      const symbol = this.#symbol(lengthCode)
      if (symbol < 16) {
        lengths[index++] = symbol
        continue
      }
      if (symbol === 16 && index === 0) throw new InflateError('invalid code lengths')
      const repeated = symbol === 16 ? (lengths[index - 1] ?? 0) : 0
      const count = symbol === 16 ? 3 + this.#take(2) : symbol === 17 ? 3 + this.#take(3) : 11 + this.#take(7)
      if (index + count > literals + distances) throw new InflateError('invalid code lengths')
      lengths.fill(repeated, index, index + count)
      index += count
    }
    const distanceLengths = lengths.slice(literals, literals + distances)
    literalCode.build(lengths, literals)
    distanceCode.build(distanceLengths, distances)
  }

  #coded(): void {
    for (;;) {
      const symbol = this.#symbol(literalCode)
      if (symbol < 256) {
        if (this.#length === this.#out.length) this.#room(1)
        this.#out[this.#length++] = symbol
        continue
      }
      if (symbol === 256) return
      const length = (lengthBase[symbol - 257] ?? 0) + this.#take(lengthExtra[symbol - 257] ?? 0)
      const distanceSymbol = this.#symbol(distanceCode)
      const distance = (distanceBase[distanceSymbol] ?? 0) + this.#take(distanceExtra[distanceSymbol] ?? 0)
      if (distance === 0 || distance > this.#length) throw new InflateError('invalid distance')
      this.#room(length)
      const out = this.#out
      let to = this.#length
      for (let from = to - distance, end = from + length; from < end; from++) out[to++] = out[from] as number
      this.#length = to
    }
  }
}

function adler32(bytes: Uint8Array): number {
  let low = 1
  let high = 0
  for (let at = 0; at < bytes.length;) {
    // The largest number of bytes for which the sums still fit into 32 bits.
    const end = Math.min(at + 3800, bytes.length)
    for (; at < end; at++) {
      low += bytes[at] as number
      high += low
    }
    low %= 65521
    high %= 65521
  }
  return ((high << 16) | low) >>> 0
}
