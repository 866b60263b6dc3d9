// bzip2: blocks of sorted rotations, moved to front and coded by Huffman. Streams may follow each other. The format has no written standard;
// these are the facts of version 1.0.

import { finished, type Steps } from '../core/in-steps.ts'
import { damaged, unsupported } from './error.ts'
import { unpackStreams, type DecoderOutput } from './output.ts'
import { isBzip2 } from './signatures.ts'

const [blockMagic, endMagic] = [0x314159265359, 0x177245385090]
const [runA, runB] = [0, 1]
const groupSize = 50
const maxCodeLength = 20

/** Throws `CodecError` for what is cut off, damaged, or larger than `maxBytes` when it is unpacked. */
export function bunzip2(packed: Uint8Array, maxBytes: number): Uint8Array {
  return finished(bunzip2InSteps(packed, maxBytes))
}

/** Like `bunzip2`. */
export function bunzip2InSteps(packed: Uint8Array, maxBytes: number): Steps<Uint8Array> {
  return unpackStreams(packed, maxBytes, readStream, at => (isBzip2(packed.subarray(at)) ? at : packed.length))
}

class BitReader {
  #at: number
  #bits = 0
  #count = 0
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array, start: number) {
    this.#bytes = bytes
    this.#at = start
  }

  /** Up to 24 bits. */
  read(count: number): number {
    while (this.#count < count) {
      const byte = this.#bytes[this.#at++]
      if (byte === undefined) throw damaged('it is cut off')
      this.#bits = ((this.#bits & 0xffffff) << 8) | byte
      this.#count += 8
    }
    this.#count -= count
    return (this.#bits >>> this.#count) & ((1 << count) - 1)
  }

  long(bits: 32 | 48): number {
    let value = 0
    for (let left = bits; left > 0; left -= 16) value = value * 65_536 + this.read(16)
    return value
  }

  /** Where the next whole byte begins. */
  get nextByte(): number {
    return this.#at - Math.floor(this.#count / 8)
  }
}

function* readStream(packed: Uint8Array, start: number, output: DecoderOutput): Steps<number> {
  const level = (packed[start + 3] ?? 0) - 0x30
  if (!isBzip2(packed.subarray(start)) || level < 1 || level > 9) throw damaged('it is not in bzip2 format')
  const bits = new BitReader(packed, start + 4)
  let combined = 0
  for (;;) {
    const magic = bits.long(48)
    const sum = bits.long(32)
    if (magic === endMagic) {
      if (sum !== combined) throw damaged('it does not have its checksum')
      return bits.nextByte
    }
    if (magic !== blockMagic) throw damaged('a block does not begin as it should')
    const from = output.size
    yield* readBlock(bits, level * 100_000, output)
    yield
    if (blockSum(output.slice(from)) !== sum) throw damaged('it does not have its checksum')
    combined = (((combined << 1) | (combined >>> 31)) ^ sum) >>> 0
  }
}

interface HuffmanTable {
  /** By length: the largest code of that length, and what to subtract for the place in `symbols`. */
  readonly limits: Int32Array
  readonly offsets: Int32Array
  readonly symbols: Uint16Array
}

function* readBlock(bits: BitReader, maxSize: number, output: DecoderOutput): Steps<void> {
  if (bits.read(1) === 1) throw unsupported('a randomized block, which only bzip2 before 1.0 writes')
  const origin = bits.read(24)
  const symbols = usedSymbols(bits)
  const tableCount = bits.read(3)
  const selectorCount = bits.read(15)
  if (symbols.length === 0 || tableCount < 2 || tableCount > 6 || selectorCount === 0) throw damaged('a block is damaged')
  const selectors = readSelectors(bits, tableCount, selectorCount)
  const tables = Array.from({ length: tableCount }, () => readTable(bits, symbols.length + 2))
  const { sorted, counts, size } = readSorted(bits, { symbols, selectors, tables, maxSize })
  if (origin >= size) throw damaged('a block is damaged')
  yield
  undoSorting(sorted, counts, size, origin, output)
}

function usedSymbols(bits: BitReader): number[] {
  const used = bits.read(16)
  const symbols: number[] = []
  for (let group = 0; group < 16; group++) {
    if ((used & (0x8000 >>> group)) === 0) continue
    const members = bits.read(16)
    for (let index = 0; index < 16; index++) if ((members & (0x8000 >>> index)) !== 0) symbols.push(group * 16 + index)
  }
  return symbols
}

function readSelectors(bits: BitReader, tableCount: number, count: number): Uint8Array {
  const order = [0, 1, 2, 3, 4, 5]
  return Uint8Array.from({ length: count }, () => {
    let place = 0
    while (bits.read(1) === 1) if (++place >= tableCount) throw damaged('a block is damaged')
    const [chosen = 0] = order.splice(place, 1)
    order.unshift(chosen)
    return chosen
  })
}

function readTable(bits: BitReader, symbolCount: number): HuffmanTable {
  const lengths: number[] = []
  let length = bits.read(5)
  for (let symbol = 0; symbol < symbolCount; symbol++) {
    while (bits.read(1) === 1) length += bits.read(1) === 1 ? -1 : 1
    if (length < 1 || length > maxCodeLength) throw damaged('a block is damaged')
    lengths.push(length)
  }
  const limits = new Int32Array(maxCodeLength + 1).fill(-1)
  const offsets = new Int32Array(maxCodeLength + 1)
  const symbols: number[] = []
  let code = 0
  for (let bitCount = 1; bitCount <= maxCodeLength; bitCount++) {
    offsets[bitCount] = code - symbols.length
    for (const [symbol, own] of lengths.entries()) {
      if (own !== bitCount) continue
      symbols.push(symbol)
      limits[bitCount] = code++
    }
    code <<= 1
  }
  return { limits, offsets, symbols: Uint16Array.from(symbols) }
}

function symbolOf(bits: BitReader, { limits, offsets, symbols }: HuffmanTable): number {
  let code = 0
  for (let length = 1; length <= maxCodeLength; length++) {
    code = (code << 1) | bits.read(1)
    if (code <= (limits[length] ?? -1)) return symbols[code - (offsets[length] ?? 0)] ?? 0
  }
  throw damaged('a block is damaged')
}

interface Coded {
  readonly symbols: number[]
  readonly selectors: Uint8Array
  readonly tables: readonly HuffmanTable[]
  readonly maxSize: number
}

function readSorted(
  bits: BitReader,
  { symbols, selectors, tables, maxSize }: Coded,
): { readonly sorted: Uint32Array; readonly counts: Uint32Array; readonly size: number } {
  const sorted = new Uint32Array(maxSize)
  const counts = new Uint32Array(256)
  const endSymbol = symbols.length + 1
  const order = symbols.slice()
  let size = 0
  let run = 0
  let runWeight = 1
  let read = 0
  const put = (byte: number, count: number): void => {
    if (size + count > maxSize) throw damaged('a block is damaged')
    counts[byte] = (counts[byte] ?? 0) + count
    sorted.fill(byte, size, size + count)
    size += count
  }
  for (;;) {
    const table = tables[selectors[Math.floor(read++ / groupSize)] ?? -1]
    if (table === undefined) throw damaged('a block is damaged')
    const symbol = symbolOf(bits, table)
    if (symbol === runA || symbol === runB) {
      run += symbol === runA ? runWeight : runWeight * 2
      runWeight *= 2
      if (run > maxSize) throw damaged('a block is damaged')
      continue
    }
    if (run > 0) put(order[0] ?? 0, run)
    run = 0
    runWeight = 1
    if (symbol === endSymbol) return { sorted, counts, size }
    const [byte = 0] = order.splice(symbol - 1, 1)
    order.unshift(byte)
    put(byte, 1)
  }
}

/** Follows the rotations, and unfolds runs: four equal bytes are followed by how many more there are. */
function undoSorting(sorted: Uint32Array, counts: Uint32Array, size: number, origin: number, output: DecoderOutput): void {
  const starts = new Uint32Array(256)
  for (let byte = 1; byte < 256; byte++) starts[byte] = (starts[byte - 1] ?? 0) + (counts[byte - 1] ?? 0)
  for (let index = 0; index < size; index++) {
    const byte = (sorted[index] ?? 0) & 255
    const place = starts[byte] ?? 0
    starts[byte] = place + 1
    sorted[place] = ((sorted[place] ?? 0) & 255) | (index << 8)
  }
  let at = (sorted[origin] ?? 0) >>> 8
  let last = -1
  let equal = 0
  for (let left = size; left > 0; left--) {
    const entry = sorted[at] ?? 0
    const byte = entry & 255
    at = entry >>> 8
    if (equal === 4) {
      for (let count = 0; count < byte; count++) output.push(last)
      equal = 0
      last = -1
      continue
    }
    equal = byte === last ? equal + 1 : 1
    last = byte
    output.push(byte)
  }
}

const sumTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24
  for (let bit = 0; bit < 8; bit++) value = value < 0 ? (value << 1) ^ 0x04c11db7 : value << 1
  return value >>> 0
})

/** CRC-32 with the highest bit first. */
function blockSum(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (const byte of bytes) sum = ((sum << 8) ^ (sumTable[((sum >>> 24) ^ byte) & 255] ?? 0)) >>> 0
  return ~sum >>> 0
}
