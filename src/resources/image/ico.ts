// Windows icons. The largest image of the file is decoded, unless it is a PNG. Source: Microsoft, "Icons in Win32" and BITMAPINFOHEADER.

import { ImageError, needBytes, newPixels, viewOf, type Pixels } from './pixels.ts'
import { sniffImage } from './sniff.ts'

const directoryBytes = 6
const entryBytes = 16

/** Returns the PNG itself if the icon contains one. */
export function decodeIco(bytes: Uint8Array): Pixels | { readonly png: Uint8Array } {
  needBytes(bytes, directoryBytes)
  const view = viewOf(bytes)
  const count = view.getUint16(4, true)
  needBytes(bytes, directoryBytes + count * entryBytes)
  let best: { readonly score: number; readonly start: number; readonly size: number } | undefined
  for (let index = 0; index < count; index++) {
    const at = directoryBytes + index * entryBytes
    // 0 means 256.
    const area = (view.getUint8(at) || 256) * (view.getUint8(at + 1) || 256)
    const score = area * 256 + view.getUint16(at + 6, true)
    if (best !== undefined && best.score >= score) continue
    best = { score, size: view.getUint32(at + 8, true), start: view.getUint32(at + 12, true) }
  }
  if (best === undefined) throw new ImageError('image-damaged', 'it contains no picture')
  needBytes(bytes, best.start + best.size)
  const picture = bytes.subarray(best.start, best.start + best.size)
  return sniffImage(picture) === 'png' ? { png: picture } : decodeBitmap(picture)
}

function decodeBitmap(bytes: Uint8Array): Pixels {
  const view = viewOf(bytes)
  const headerBytes = view.getUint32(0, true)
  const [width, height] = [view.getInt32(4, true), Math.abs(view.getInt32(8, true)) / 2]
  const [bits, compression] = [view.getUint16(14, true), view.getUint32(16, true)]
  if (headerBytes < 40 || compression !== 0 || ![1, 4, 8, 24, 32].includes(bits))
    throw new ImageError('image-unsupported', `its bitmap has ${bits} bits for each pixel and compression ${compression}`)
  const pixels = newPixels(width, height)
  const colours = bits > 8 ? 0 : view.getUint32(32, true) || 2 ** bits
  const paletteStart = headerBytes
  const start = paletteStart + colours * 4
  const rowBytes = Math.ceil((width * bits) / 32) * 4
  const maskStart = start + rowBytes * height
  const maskRowBytes = Math.ceil(width / 32) * 4
  needBytes(bytes, maskStart)
  const hasMask = bytes.length >= maskStart + maskRowBytes * height
  let hasAlpha = false
  for (let row = 0; row < height; row++) {
    const from = start + (height - 1 - row) * rowBytes
    for (let column = 0; column < width; column++) {
      const to = (row * width + column) * 4
      const at = bits > 8 ? from + (column * bits) / 8 : paletteStart + paletteIndex(view, from, column, bits) * 4
      needBytes(bytes, at + 3)
      pixels.data[to] = view.getUint8(at + 2)
      pixels.data[to + 1] = view.getUint8(at + 1)
      pixels.data[to + 2] = view.getUint8(at)
      pixels.data[to + 3] = bits === 32 ? view.getUint8(at + 3) : 255
      if (bits === 32 && pixels.data[to + 3] !== 0) hasAlpha = true
    }
  }
  if (!hasAlpha) applyMask(pixels, bytes, maskStart, maskRowBytes, hasMask)
  return pixels
}

function paletteIndex(view: DataView, rowStart: number, column: number, bits: number): number {
  const byte = view.getUint8(rowStart + ((column * bits) >> 3))
  return (byte >> (8 - bits - ((column * bits) & 7))) & (2 ** bits - 1)
}

/** One bit per pixel: set if the icon is transparent there. Used if the pixels have no alpha. */
function applyMask({ data, width, height }: Pixels, bytes: Uint8Array, start: number, rowBytes: number, hasMask: boolean): void {
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const byte = hasMask ? (bytes[start + (height - 1 - row) * rowBytes + (column >> 3)] ?? 0) : 0
      data[(row * width + column) * 4 + 3] = ((byte >> (7 - (column & 7))) & 1) === 1 ? 0 : 255
    }
  }
}
