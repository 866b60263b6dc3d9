// xz: streams of blocks, each packed with LZMA2. Sums of 32 and 64 bits are checked. Source: the .xz file format, version 1.2.

import { finished, type Steps } from '../core/in-steps.ts'
import { crc32 } from './crc32.ts'
import { crc64 } from './crc64.ts'
import { damaged, unsupported } from './error.ts'
import { LzmaDecoder, lzmaProperties, type LzmaProperties } from './lzma.ts'
import { unpackStreams, type DecoderOutput } from './output.ts'
import { isXz } from './signatures.ts'

const checkSizes = [0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64]
const lzma2Filter = 0x21
/** How much of a sum is one step. */
const sumBytes = 1 << 20

/** Throws `CodecError` for what is cut off, damaged, packed with another filter, or larger than `maxBytes` when it is unpacked. */
export function unxz(packed: Uint8Array, maxBytes: number): Uint8Array {
  return finished(unxzInSteps(packed, maxBytes))
}

/** Like `unxz`. */
export function unxzInSteps(packed: Uint8Array, maxBytes: number): Steps<Uint8Array> {
  return unpackStreams(packed, maxBytes, readStream, at => {
    while (packed[at] === 0) at++
    return at
  })
}

/** Returns where the stream ends. */
function* readStream(packed: Uint8Array, start: number, output: DecoderOutput): Steps<number> {
  if (!isXz(packed.subarray(start, start + 6))) throw damaged('it is not in xz format')
  if (packed.length < start + 12) throw damaged('it is cut off')
  checkSum(packed, start + 6, start + 8, start + 8)
  const check = (packed[start + 7] ?? 0) & 15
  let at = start + 12
  let blocks = 0
  while (packed[at] !== 0) {
    at = yield* readBlock(packed, at, check, output)
    blocks++
  }
  return readIndex(packed, at, blocks)
}

function* readBlock(packed: Uint8Array, start: number, check: number, output: DecoderOutput): Steps<number> {
  const headerSize = ((packed[start] ?? 0) + 1) * 4
  const headerEnd = start + headerSize - 4
  if (headerEnd + 4 > packed.length) throw damaged('it is cut off')
  checkSum(packed, start, headerEnd, headerEnd)
  const flags = packed[start + 1] ?? 0
  const reader = new NumberReader(packed, start + 2, headerEnd)
  const packedSize = (flags & 0x40) === 0 ? undefined : reader.next()
  const size = (flags & 0x80) === 0 ? undefined : reader.next()
  const filter = reader.next()
  if ((flags & 3) !== 0 || filter !== lzma2Filter) throw unsupported('a filter other than LZMA2')
  const from = output.size
  const bodyStart = start + headerSize
  const bodyEnd = yield* readLzma2(packed, bodyStart, output)
  if (packedSize !== undefined && bodyEnd - bodyStart !== packedSize) throw damaged('a block has another size than it says')
  if (size !== undefined && output.size - from !== size) throw damaged('a block unpacks to another size than it says')
  const checkStart = bodyEnd + ((4 - ((bodyEnd - bodyStart) & 3)) & 3)
  const checkEnd = checkStart + (checkSizes[check] ?? 0)
  if (checkEnd > packed.length) throw damaged('it is cut off')
  const view = new DataView(packed.buffer, packed.byteOffset + checkStart, checkEnd - checkStart)
  const content = output.slice(from)
  const isRight =
    check === 1
      ? view.getUint32(0, true) === (yield* sumOf(content, crc32, 0))
      : check === 4
        ? view.getBigUint64(0, true) === (yield* sumOf(content, crc64, 0n))
        : true
  if (!isRight) throw damaged('it does not have its checksum')
  return checkEnd
}

function* sumOf<T>(content: Uint8Array, add: (part: Uint8Array, sum: T) => T, start: T): Steps<T> {
  let sum = start
  for (let from = 0; from < content.length; from += sumBytes) {
    sum = add(content.subarray(from, from + sumBytes), sum)
    yield
  }
  return sum
}

function* readLzma2(packed: Uint8Array, start: number, output: DecoderOutput): Steps<number> {
  let at = start
  let windowStart = output.size
  let properties: LzmaProperties | undefined
  let decoder: LzmaDecoder | undefined
  for (;;) {
    const control = packed[at]
    if (control === undefined) throw damaged('it is cut off')
    if (control === 0) return at + 1
    if (control === 1 || control >= 0xe0) windowStart = output.size
    if (control < 0x80) {
      if (control > 2) throw damaged('its content is damaged')
      const size = (((packed[at + 1] ?? 0) << 8) | (packed[at + 2] ?? 0)) + 1
      if (at + 3 + size > packed.length) throw damaged('it is cut off')
      output.append(packed.subarray(at + 3, at + 3 + size))
      at += 3 + size
      continue
    }
    const size = (((control & 0x1f) << 16) | ((packed[at + 1] ?? 0) << 8) | (packed[at + 2] ?? 0)) + 1
    const packedSize = (((packed[at + 3] ?? 0) << 8) | (packed[at + 4] ?? 0)) + 1
    at += 5
    if (control >= 0xc0) properties = lzmaProperties(packed[at++] ?? 255)
    if (properties === undefined) throw damaged('its content is damaged')
    if (control >= 0xa0) decoder = new LzmaDecoder(properties, output, windowStart)
    if (decoder === undefined || at + packedSize > packed.length) throw damaged('it is cut off')
    const end = decoder.decode(packed, at, at + packedSize, size)
    at += packedSize
    if (end !== at) throw damaged('its content is damaged')
    yield
  }
}

/** The index and the footer. */
function readIndex(packed: Uint8Array, start: number, blocks: number): number {
  const reader = new NumberReader(packed, start + 1, packed.length)
  if (reader.next() !== blocks) throw damaged('its index is damaged')
  for (let index = 0; index < blocks * 2; index++) reader.next()
  const end = start + Math.ceil((reader.position - start) / 4) * 4
  checkSum(packed, start, end, end)
  const footer = end + 4
  if (footer + 12 > packed.length) throw damaged('it is cut off')
  if (packed[footer + 10] !== 0x59 || packed[footer + 11] !== 0x5a) throw damaged('it does not end as xz does')
  checkSum(packed, footer + 4, footer + 10, footer)
  return footer + 12
}

function checkSum(packed: Uint8Array, start: number, end: number, at: number): void {
  if (at + 4 > packed.length) throw damaged('it is cut off')
  const view = new DataView(packed.buffer, packed.byteOffset + at, 4)
  if (view.getUint32(0, true) !== crc32(packed.subarray(start, end))) throw damaged('it does not have its checksum')
}

/** Numbers of seven bits a byte, the lowest first. */
class NumberReader {
  position: number
  readonly #bytes: Uint8Array
  readonly #end: number

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.#bytes = bytes
    this.position = start
    this.#end = end
  }

  next(): number {
    let value = 0
    for (let factor = 1; factor < 2 ** 56; factor *= 128) {
      if (this.position >= this.#end) throw damaged('it is cut off')
      const byte = this.#bytes[this.position++] ?? 0
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
    throw damaged('a number in it is too large')
  }
}
