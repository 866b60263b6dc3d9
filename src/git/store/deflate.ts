// Deflates to zlib streams (RFC 1950 and 1951), as fast as git's lowest level asks for. Most objects of a repository are smaller than one
// kilobyte, and a general library spends most of its time on new tables for each of them; these tables are made once.

import { PrefixCode } from './prefix-code.ts'
import { BitWriter } from './bit-writer.ts'

const hashBits = 13
const minMatch = 4
const maxMatch = 258
const maxDistance = 32768
const blockTokens = 16384
const storedMaxBytes = 65535
const endOfBlock = 256
/** In a smaller block, dynamic Huffman codes cost more than they save. */
const fewTokens = 128
/** The last two are never used; the fixed code counts them. */
const literalSymbols = 288
const distanceSymbols = 30
const codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

interface Ranges {
  /** The symbol of each value. */
  readonly symbols: Uint8Array
  readonly bases: readonly number[]
  readonly extraBits: readonly number[]
}

const lengths = ranges(3, maxMatch, symbol => (symbol < 8 ? 0 : symbol === 28 ? 0 : (symbol >> 2) - 1), 29)
const distances = ranges(1, maxDistance, symbol => (symbol < 4 ? 0 : (symbol >> 1) - 1), distanceSymbols)

function ranges(first: number, last: number, extraOf: (symbol: number) => number, count: number): Ranges {
  const symbols = new Uint8Array(last + 1)
  const bases: number[] = []
  const extraBits: number[] = []
  let base = first
  for (let symbol = 0; symbol < count; symbol++) {
    const extra = extraOf(symbol)
    // The longest match has a separate symbol, which ends the range before it.
    if (count === 29 && symbol === 28) base = last
    bases.push(base)
    extraBits.push(extra)
    symbols.fill(symbol, base, base + (1 << extra))
    base += 1 << extra
  }
  return { symbols, bases, extraBits }
}

const positions = new Int32Array(1 << hashBits)
/** Added to positions, so that those of earlier streams are recognised without clearing the table. */
let positionBase = 1
const tokens = new Int32Array(blockTokens)
const literalCode = new PrefixCode(literalSymbols, 15)
const distanceCode = new PrefixCode(distanceSymbols, 15)
const sizeCode = new PrefixCode(19, 7)
const fixedLiteralCode = fixedCode(literalSymbols, fixedSize)
const fixedDistanceCode = fixedCode(distanceSymbols, () => 5)
const packedSizes = new Uint16Array(literalSymbols + distanceSymbols)

const writer = new BitWriter()

/** A zlib stream that has `source` as its content. */
export function deflate(source: Uint8Array): Uint8Array<ArrayBuffer> {
  writer.length = 0
  writer.reserve(16)
  writer.byte(0x78)
  writer.byte(0x01)
  if (positionBase + source.length > 0x7fff0000) {
    positions.fill(0)
    positionBase = 1
  }
  let at = 0
  do {
    const end = writeBlock(source, at)
    at = end
  } while (at < source.length)
  positionBase += source.length + 1
  writer.reserve(8)
  writer.align()
  const checksum = adler32(source)
  for (let shift = 24; shift >= 0; shift -= 8) writer.byte((checksum >>> shift) & 255)
  const result = writer.bytes.slice(0, writer.length)
  // One huge object does not keep its memory.
  if (writer.bytes.length > 1 << 22) writer.bytes = new Uint8Array(1 << 16)
  return result
}

/** Writes what fits into one block and returns where it ended. */
function writeBlock(source: Uint8Array, start: number): number {
  const literalCounts = literalCode.counts.fill(0)
  const distanceCounts = distanceCode.counts.fill(0)
  const lastMatch = source.length - minMatch
  let count = 0
  let extra = 0
  let at = start
  let misses = 0
  while (at < source.length && count < blockTokens - 1) {
    if (at <= lastMatch) {
      const word =
        (source[at] as number) |
        ((source[at + 1] as number) << 8) |
        ((source[at + 2] as number) << 16) |
        ((source[at + 3] as number) << 24)
      const slot = Math.imul(word, 0x9e3779b1) >>> (32 - hashBits)
      const candidate = (positions[slot] as number) - positionBase
      positions[slot] = at + positionBase
      if (candidate >= 0 && at - candidate <= maxDistance) {
        const limit = Math.min(maxMatch, source.length - at)
        let length = 0
        while (length < limit && source[candidate + length] === source[at + length]) length++
        if (length >= minMatch) {
          const distance = at - candidate
          tokens[count++] = (distance << 9) | length
          const lengthSymbol = lengths.symbols[length] as number
          const distanceSymbol = distances.symbols[distance] as number
          literalCounts[257 + lengthSymbol] = (literalCounts[257 + lengthSymbol] as number) + 1
          distanceCounts[distanceSymbol] = (distanceCounts[distanceSymbol] as number) + 1
          extra += (lengths.extraBits[lengthSymbol] as number) + (distances.extraBits[distanceSymbol] as number)
          at += length
          misses = 0
          continue
        }
      }
    }
    // Where nothing repeats, fewer places are looked up.
    const end = Math.min(source.length, at + 1 + (misses++ >> 7), at + blockTokens - 1 - count)
    for (; at < end; at++) {
      const byte = source[at] as number
      tokens[count++] = byte
      literalCounts[byte] = (literalCounts[byte] as number) + 1
    }
  }
  literalCounts[endOfBlock] = 1
  writeTokens({ source, start, end: at, count, extra })
  return at
}

interface Block {
  readonly source: Uint8Array
  readonly start: number
  readonly end: number
  /** Of tokens. */
  readonly count: number
  /** Bits beside the codes. */
  readonly extra: number
}

function writeTokens({ source, start, end, count, extra }: Block): void {
  const isLast = end === source.length
  const head = count < fewTokens ? undefined : builtHead()
  const dynamicBits = head === undefined ? Infinity : 3 + head.bits + literalCode.cost() + distanceCode.cost() + extra
  const storedBits = (end - start) * 8 + (Math.ceil((end - start) / storedMaxBytes) || 1) * 42
  const fixedCost = 3 + fixedBits() + extra
  if (storedBits < Math.min(dynamicBits, fixedCost)) {
    writeStored(source, start, end, isLast)
    return
  }
  const isFixed = head === undefined || fixedCost <= dynamicBits
  writer.reserve((Math.min(dynamicBits, fixedCost) >> 3) + 64)
  writer.bits(isLast ? 1 : 0, 1)
  writer.bits(isFixed ? 1 : 2, 2)
  if (!isFixed) writeHead(head)
  const { sizes, bits } = isFixed ? fixedLiteralCode : literalCode
  const { sizes: distanceSizes, bits: distanceBits } = isFixed ? fixedDistanceCode : distanceCode
  for (let at = 0; at < count; at++) {
    const token = tokens[at] as number
    if (token < 256) {
      writer.bits(bits[token] as number, sizes[token] as number)
      continue
    }
    const length = token & 511
    const distance = token >>> 9
    const lengthSymbol = lengths.symbols[length] as number
    writer.bits(bits[257 + lengthSymbol] as number, sizes[257 + lengthSymbol] as number)
    writer.bits(length - (lengths.bases[lengthSymbol] as number), lengths.extraBits[lengthSymbol] as number)
    const distanceSymbol = distances.symbols[distance] as number
    writer.bits(distanceBits[distanceSymbol] as number, distanceSizes[distanceSymbol] as number)
    writer.bits(distance - (distances.bases[distanceSymbol] as number), distances.extraBits[distanceSymbol] as number)
  }
  writer.bits(bits[endOfBlock] as number, sizes[endOfBlock] as number)
}

function writeStored(source: Uint8Array, start: number, end: number, isLast: boolean): void {
  for (let at = start; ;) {
    const length = Math.min(storedMaxBytes, end - at)
    writer.reserve(length + 8)
    writer.bits(isLast && at + length === end ? 1 : 0, 3)
    writer.align()
    for (const value of [length, ~length]) {
      writer.byte(value & 255)
      writer.byte((value >>> 8) & 255)
    }
    writer.bytes.set(source.subarray(at, at + length), writer.length)
    writer.length += length
    at += length
    if (at >= end) return
  }
}

interface Head {
  readonly literals: number
  readonly distances: number
  readonly orders: number
  /** Of the packed sizes. */
  readonly count: number
  readonly bits: number
}

/** Makes codes for what is counted. */
function builtHead(): Head {
  literalCode.build()
  distanceCode.build()
  return dynamicHead()
}

/** Packs the sizes of both codes: runs are one symbol with a count, `symbol | count << 5`. */
function dynamicHead(): Head {
  const literals = usedCount(literalCode.sizes, 257)
  const distanceCount = usedCount(distanceCode.sizes, 1)
  const sizeAt = (at: number): number => (at < literals ? literalCode.sizes[at] : distanceCode.sizes[at - literals]) as number
  const total = literals + distanceCount
  const counts = sizeCode.counts.fill(0)
  let count = 0
  let extra = 0
  const put = (symbol: number, run: number, extraBits: number): void => {
    packedSizes[count++] = symbol | (run << 5)
    counts[symbol] = (counts[symbol] as number) + 1
    extra += extraBits
  }
  for (let at = 0; at < total;) {
    const size = sizeAt(at)
    let run = 1
    while (at + run < total && sizeAt(at + run) === size) run++
    at += run
    if (size === 0) {
      for (; run >= 11; run -= Math.min(run, 138)) put(18, Math.min(run, 138) - 11, 7)
      if (run >= 3) {
        put(17, run - 3, 3)
        run = 0
      }
    } else {
      put(size, 0, 0)
      run--
      for (; run >= 3; run -= Math.min(run, 6)) put(16, Math.min(run, 6) - 3, 2)
    }
    for (; run > 0; run--) put(size, 0, 0)
  }
  sizeCode.build()
  let orders = 19
  while (orders > 4 && sizeCode.sizes[codeLengthOrder[orders - 1] as number] === 0) orders--
  return { literals, distances: distanceCount, orders, count, bits: 14 + orders * 3 + sizeCode.cost() + extra }
}

function usedCount(sizes: Uint8Array, least: number): number {
  let used = sizes.length
  while (used > least && sizes[used - 1] === 0) used--
  return used
}

function writeHead({ literals, distances: distanceCount, orders, count }: Head): void {
  writer.bits(literals - 257, 5)
  writer.bits(distanceCount - 1, 5)
  writer.bits(orders - 4, 4)
  for (let at = 0; at < orders; at++) writer.bits(sizeCode.sizes[codeLengthOrder[at] as number] as number, 3)
  for (let at = 0; at < count; at++) {
    const packed = packedSizes[at] as number
    const symbol = packed & 31
    writer.bits(sizeCode.bits[symbol] as number, sizeCode.sizes[symbol] as number)
    if (symbol >= 16) writer.bits(packed >> 5, symbol === 16 ? 2 : symbol === 17 ? 3 : 7)
  }
}

function fixedSize(symbol: number): number {
  return symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8
}

function fixedCode(count: number, sizeOf: (symbol: number) => number): PrefixCode {
  const code = new PrefixCode(count, 15)
  for (let symbol = 0; symbol < count; symbol++) code.sizes[symbol] = sizeOf(symbol)
  code.assignBits()
  return code
}

function fixedBits(): number {
  let cost = 0
  for (let symbol = 0; symbol < literalSymbols; symbol++) cost += (literalCode.counts[symbol] as number) * fixedSize(symbol)
  for (let symbol = 0; symbol < distanceSymbols; symbol++) cost += (distanceCode.counts[symbol] as number) * 5
  return cost
}

function adler32(bytes: Uint8Array): number {
  let low = 1
  let high = 0
  for (let at = 0; at < bytes.length;) {
    // As many as fit before the sums could overflow.
    for (const end = Math.min(bytes.length, at + 3800); at < end; at++) {
      low += bytes[at] as number
      high += low
    }
    low %= 65521
    high %= 65521
  }
  return ((high << 16) | low) >>> 0
}
