// Encodes pixels as PNG. The platform compresses them. Without CompressionStream they are stored uncompressed, which is a valid PNG too.
// Source: PNG (third edition), RFC 1950, RFC 1951.

import { joinBytes } from '../../core/bytes.ts'
import type { Pixels } from './pixels.ts'
import { nearest, viewOf } from './pixels.ts'

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

/** 8 bits per channel; without alpha if every pixel is opaque, and with one channel if all of those are gray. */
export async function encodePng(pixels: Pixels): Promise<Uint8Array> {
  const { width, height, data } = pixels
  const channels = isOpaque(data) ? (isGray(data) ? 1 : 3) : 4
  const header = new Uint8Array(13)
  const view = viewOf(header)
  view.setUint32(0, width)
  view.setUint32(4, height)
  header.set([8, { 1: 0, 3: 2, 4: 6 }[channels], 0, 0, 0], 8)
  const content = await deflated(filteredRows(pixels, channels))
  return joinBytes([new Uint8Array(signature), chunk('IHDR', header), chunk('IDAT', content), chunk('IEND', new Uint8Array())])
}

function isOpaque(data: Uint8Array): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return false
  return true
}

function isGray(data: Uint8Array): boolean {
  for (let at = 0; at < data.length; at += 4) if (data[at] !== data[at + 1] || data[at] !== data[at + 2]) return false
  return true
}

/** Each row with the filter whose result has the smallest sum, which usually compresses best. */
function filteredRows({ width, height, data }: Pixels, channels: number): Uint8Array {
  const rowBytes = width * channels
  const out = new Uint8Array(height * (rowBytes + 1))
  // A pixel of zeros before each row avoids a special case for its first pixel.
  let above = new Uint8Array(channels + rowBytes)
  let row = new Uint8Array(channels + rowBytes)
  for (let line = 0; line < height; line++) {
    let to = channels
    for (let from = line * width * 4; from < (line + 1) * width * 4; from += 4) {
      for (let channel = 0; channel < channels; channel++) row[to++] = data[from + channel] ?? 0
    }
    putRow(row, above, channels, out.subarray(line * (rowBytes + 1), (line + 1) * (rowBytes + 1)))
    ;[above, row] = [row, above]
  }
  return out
}

// One loop that computes the sums for all filters is many times faster than one loop per filter.
function putRow(row: Uint8Array, above: Uint8Array, step: number, out: Uint8Array): void {
  let [none, sub, up, paeth] = [0, 0, 0, 0]
  for (let at = step; at < row.length; at++) {
    const value = row[at] ?? 0
    const [left, over, corner] = [row[at - step] ?? 0, above[at] ?? 0, above[at - step] ?? 0]
    none += weight(value)
    sub += weight(value - left)
    up += weight(value - over)
    paeth += weight(value - nearest(left, over, corner))
  }
  const best = Math.min(none, sub, up, paeth)
  const filter = best === none ? 0 : best === sub ? 1 : best === up ? 2 : 4
  out[0] = filter
  for (let at = step; at < row.length; at++) {
    const [left, over, corner] = [row[at - step] ?? 0, above[at] ?? 0, above[at - step] ?? 0]
    const predicted = filter === 0 ? 0 : filter === 1 ? left : filter === 2 ? over : nearest(left, over, corner)
    out[at - step + 1] = (row[at] ?? 0) - predicted
  }
}

function weight(difference: number): number {
  const value = difference & 255
  return value < 128 ? value : 256 - value
}

async function deflated(bytes: Uint8Array): Promise<Uint8Array> {
  if (typeof CompressionStream === 'undefined') return stored(bytes)
  const { readable, writable } = new CompressionStream('deflate')
  const writer = writable.getWriter()
  const written = writer.write(bytes.slice()).then(() => writer.close())
  const reader = readable.getReader()
  const parts: Uint8Array[] = []
  for (let next = await reader.read(); !next.done; next = await reader.read()) parts.push(next.value)
  await written
  return joinBytes(parts)
}

const largestStoredBytes = 65_535

/** A zlib stream whose blocks are not compressed. */
export function stored(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [new Uint8Array([0x78, 0x01])]
  for (let start = 0; start === 0 || start < bytes.length; start += largestStoredBytes) {
    const block = bytes.subarray(start, start + largestStoredBytes)
    const head = new Uint8Array(5)
    const view = viewOf(head)
    head[0] = start + largestStoredBytes >= bytes.length ? 1 : 0
    view.setUint16(1, block.length, true)
    view.setUint16(3, ~block.length & 0xffff, true)
    parts.push(head, block)
  }
  const checksum = new Uint8Array(4)
  viewOf(checksum).setUint32(0, adler32(bytes))
  return joinBytes([...parts, checksum])
}

function adler32(bytes: Uint8Array): number {
  let [low, high] = [1, 0]
  for (let at = 0; at < bytes.length;) {
    // As many as cannot overflow before the modulo operation.
    const end = Math.min(bytes.length, at + 5552)
    for (; at < end; at++) {
      low += bytes[at] ?? 0
      high += low
    }
    low %= 65_521
    high %= 65_521
  }
  return ((high << 16) | low) >>> 0
}

const crcTable: Uint32Array = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = (value & 1) === 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (crc >>> 8) ^ (crcTable[(crc ^ byte) & 255] ?? 0)
  return ~crc >>> 0
}

function chunk(name: string, content: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(content.length + 12)
  const view = viewOf(bytes)
  view.setUint32(0, content.length)
  for (let index = 0; index < 4; index++) bytes[4 + index] = name.charCodeAt(index)
  bytes.set(content, 8)
  view.setUint32(content.length + 8, crc32(bytes.subarray(4, content.length + 8)))
  return bytes
}
