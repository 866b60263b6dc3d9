// Truevision TGA, types 1 to 3 and their run-length forms. Source: Truevision TGA file format specification 2.0.

import { checkSize, ImageError, needBytes, newPixels, viewOf, type Pixels } from './pixels.ts'

const headerBytes = 18

interface Header {
  readonly type: 'indexed' | 'colour' | 'gray'
  readonly isRunLength: boolean
  readonly width: number
  readonly height: number
  readonly pixelBits: number
  readonly alphaBits: number
  readonly startsAtRight: boolean
  readonly startsAtTop: boolean
  readonly mapFirst: number
  readonly mapLength: number
  readonly mapEntryBits: number
  readonly mapStart: number
  readonly pixelStart: number
}

/** Red, green, blue and alpha of one pixel or one entry of a colour map. */
type Colour = readonly [number, number, number, number]

export function decodeTga(bytes: Uint8Array): Pixels {
  const header = readHeader(bytes)
  const { width, height } = header
  const pixelBytes = Math.ceil(header.pixelBits / 8)
  const raw = header.isRunLength
    ? unpacked(bytes, header.pixelStart, width * height, pixelBytes)
    : bytes.subarray(header.pixelStart, header.pixelStart + width * height * pixelBytes)
  needBytes(raw, width * height * pixelBytes)
  const map = header.type === 'indexed' ? readMap(bytes, header) : []
  const pixels = newPixels(width, height)
  const { data } = pixels
  let hasAlpha = false
  for (let index = 0; index < width * height; index++) {
    const column = header.startsAtRight ? width - 1 - (index % width) : index % width
    const line = Math.floor(index / width)
    const row = header.startsAtTop ? line : height - 1 - line
    const [red, green, blue, alpha] = pixelAt(raw, index * pixelBytes, header, map)
    const to = (row * width + column) * 4
    data[to] = red
    data[to + 1] = green
    data[to + 2] = blue
    data[to + 3] = alpha
    if (alpha !== 0) hasAlpha = true
  }
  // Many programs leave the fourth byte 0 and mean an opaque image.
  if (!hasAlpha && header.alphaBits === 0) for (let to = 3; to < data.length; to += 4) data[to] = 255
  return pixels
}

function readHeader(bytes: Uint8Array): Header {
  needBytes(bytes, headerBytes)
  const view = viewOf(bytes)
  const code = view.getUint8(2)
  const type = ({ 1: 'indexed', 2: 'colour', 3: 'gray' } as const)[code & 7]
  if (type === undefined || (code & ~0xf) !== 0) throw new ImageError('image-unsupported', `TGA type ${code} is unknown`)
  const [mapLength, mapEntryBits] = [view.getUint16(5, true), view.getUint8(7)]
  const mapStart = headerBytes + view.getUint8(0)
  const hasMap = view.getUint8(1) === 1
  const [width, height, pixelBits] = [view.getUint16(12, true), view.getUint16(14, true), view.getUint8(16)]
  checkSize(width, height)
  const knownBits = { indexed: [8, 16], colour: [15, 16, 24, 32], gray: [8, 16] }[type]
  if (!knownBits.includes(pixelBits))
    throw new ImageError('image-unsupported', `${pixelBits} bits for each pixel of a TGA are unknown`)
  const descriptor = view.getUint8(17)
  return {
    type,
    isRunLength: (code & 8) !== 0,
    width,
    height,
    pixelBits,
    alphaBits: descriptor & 15,
    startsAtRight: (descriptor & 16) !== 0,
    startsAtTop: (descriptor & 32) !== 0,
    mapFirst: view.getUint16(3, true),
    mapLength: hasMap ? mapLength : 0,
    mapEntryBits,
    mapStart,
    pixelStart: mapStart + (hasMap ? mapLength * Math.ceil(mapEntryBits / 8) : 0),
  }
}

function unpacked(bytes: Uint8Array, start: number, count: number, pixelBytes: number): Uint8Array {
  // A packet represents 128 pixels at most.
  needBytes(bytes, start + Math.ceil(count / 128) * (1 + pixelBytes))
  const raw = new Uint8Array(count * pixelBytes)
  let at = start
  let to = 0
  while (to < raw.length) {
    needBytes(bytes, at + 1 + pixelBytes)
    const packet = bytes[at++] ?? 0
    const length = Math.min(((packet & 127) + 1) * pixelBytes, raw.length - to)
    if ((packet & 128) === 0) {
      needBytes(bytes, at + length)
      raw.set(bytes.subarray(at, at + length), to)
      at += length
    } else {
      for (let index = 0; index < length; index++) raw[to + index] = bytes[at + (index % pixelBytes)] ?? 0
      at += pixelBytes
    }
    to += length
  }
  return raw
}

function readMap(bytes: Uint8Array, { mapStart, mapLength, mapEntryBits, alphaBits }: Header): readonly Colour[] {
  const entryBytes = Math.ceil(mapEntryBits / 8)
  needBytes(bytes, mapStart + mapLength * entryBytes)
  return Array.from({ length: mapLength }, (_, index) => colourAt(bytes, mapStart + index * entryBytes, mapEntryBits, alphaBits))
}

function pixelAt(raw: Uint8Array, at: number, header: Header, map: readonly Colour[]): Colour {
  const { type, pixelBits, alphaBits, mapFirst } = header
  const first = raw[at] ?? 0
  const second = raw[at + 1] ?? 0
  switch (type) {
    case 'gray':
      return [first, first, first, pixelBits === 16 ? second : 255]
    case 'indexed': {
      const index = (pixelBits === 16 ? first + second * 256 : first) - mapFirst
      const colour = map[index]
      if (colour === undefined) throw new ImageError('image-damaged', `colour ${index} is not in its map`)
      return colour
    }
    default:
      return colourAt(raw, at, pixelBits, alphaBits)
  }
}

function colourAt(bytes: Uint8Array, at: number, bits: number, alphaBits: number): Colour {
  const [blue = 0, green = 0, red = 0, alpha = 0] = bytes.subarray(at, at + 4)
  if (bits === 24) return [red, green, blue, 255]
  if (bits === 32) return [red, green, blue, alpha]
  const word = blue + green * 256
  const wide = (shift: number): number => Math.round((((word >> shift) & 31) * 255) / 31)
  return [wide(10), wide(5), wide(0), bits === 16 && alphaBits > 0 && (word & 0x8000) === 0 ? 0 : 255]
}
