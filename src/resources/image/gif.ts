// The first picture of a GIF, on a transparent ground. Source: GIF89a specification.

import { ImageError, needBytes, newPixels, viewOf, type Pixels } from './pixels.ts'

const [extension, picture, trailer] = [0x21, 0x2c, 0x3b]
const graphicControl = 0xf9
const mostCodes = 4096

interface Place {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly isInterlaced: boolean
}

export function decodeGif(bytes: Uint8Array): Pixels {
  needBytes(bytes, 13)
  const view = viewOf(bytes)
  const pixels = newPixels(view.getUint16(6, true), view.getUint16(8, true))
  let palette = paletteAt(bytes, 13, view.getUint8(10))
  let transparent = -1
  for (let at = 13 + palette.length; ;) {
    const block = view.getUint8(at)
    if (block === picture) {
      const flags = view.getUint8(at + 9)
      const own = paletteAt(bytes, at + 10, flags)
      if (own.length > 0) palette = own
      const [left, top, width, height] = [1, 3, 5, 7].map(offset => view.getUint16(at + offset, true)) as [
        number,
        number,
        number,
        number,
      ]
      const place = { left, top, width, height, isInterlaced: (flags & 0x40) !== 0 }
      // A picture may have another size than its canvas, so its size is checked too.
      const indexes = decodeLzw(bytes, at + 10 + own.length, newPixels(width, height).data.subarray(0, width * height))
      draw(pixels, indexes, place, palette, transparent)
      return pixels
    }
    if (block === trailer) throw new ImageError('image-damaged', 'it contains no picture')
    if (block !== extension) throw new ImageError('image-damaged', `it contains a block of the unknown kind ${block}`)
    if (view.getUint8(at + 1) === graphicControl && (view.getUint8(at + 3) & 1) === 1) transparent = view.getUint8(at + 6)
    at += 2
    for (let size = -1; size !== 0; at += size + 1) size = view.getUint8(at)
  }
}

/** Empty if the flags say that there is none. */
function paletteAt(bytes: Uint8Array, at: number, flags: number): Uint8Array {
  const size = (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1)
  needBytes(bytes, at + size)
  return bytes.subarray(at, at + size)
}

/** Fills `out` with indexes. Throws `ImageError` for an invalid code, and `RangeError` if the data end too early. */
function decodeLzw(bytes: Uint8Array, start: number, out: Uint8Array): Uint8Array {
  const view = viewOf(bytes)
  const rootBits = view.getUint8(start)
  if (rootBits < 1 || rootBits > 8) throw new ImageError('image-damaged', `its codes have ${rootBits} bits`)
  const [clear, end] = [2 ** rootBits, 2 ** rootBits + 1]
  // The position in the output where a code's text occurred, and its length.
  const seenAt = new Uint32Array(mostCodes)
  const lengthOf = new Uint32Array(mostCodes).fill(1, 0, clear)
  let [next, codeBits, previous, to] = [end + 1, rootBits + 1, -1, 0]
  let [at, left, held, heldBits] = [start + 1, 0, 0, 0]
  while (to < out.length) {
    while (heldBits < codeBits) {
      if (left === 0) {
        left = view.getUint8(at++)
        if (left === 0) throw new ImageError('image-damaged', 'it ends too early')
      }
      held |= view.getUint8(at++) << heldBits
      heldBits += 8
      left--
    }
    const code = held & (2 ** codeBits - 1)
    held >>>= codeBits
    heldBits -= codeBits
    if (code === end) throw new ImageError('image-damaged', 'it ends too early')
    if (code === clear) {
      ;[next, codeBits, previous] = [end + 1, rootBits + 1, -1]
      continue
    }
    const isKnown = previous === -1 ? code < clear : code < next || (code === next && next < mostCodes)
    if (!isKnown) throw new ImageError('image-damaged', 'a part of it is not valid LZW data')
    const first = to
    if (previous !== -1 && next < mostCodes) {
      // The previous text and the first byte of this one, which follow each other in the output.
      seenAt[next] = first - (lengthOf[previous] ?? 1)
      lengthOf[next] = (lengthOf[previous] ?? 1) + 1
      next++
    }
    if (code < clear) out[to++] = code
    else {
      const from = seenAt[code] ?? 0
      const stop = Math.min(out.length, to + (lengthOf[code] ?? 0))
      for (let copied = from; to < stop; copied++) out[to++] = out[copied] ?? 0
    }
    previous = code
    if (next === 2 ** codeBits && codeBits < 12) codeBits++
  }
  return out
}

/** What lies outside of the ground is not drawn. */
function draw(
  { data, width, height }: Pixels,
  indexes: Uint8Array,
  place: Place,
  palette: Uint8Array,
  transparent: number,
): void {
  for (const [row, y] of rowsOf(place).entries()) {
    if (place.top + y >= height) continue
    for (let x = 0; x < Math.min(place.width, width - place.left); x++) {
      const index = indexes[row * place.width + x] ?? 0
      if (index === transparent) continue
      const to = ((place.top + y) * width + place.left + x) * 4
      data.set(palette.subarray(index * 3, index * 3 + 3), to)
      data[to + 3] = 255
    }
  }
}

/** The rows in the order in which they are stored. */
function rowsOf({ height, isInterlaced }: Place): readonly number[] {
  const passes = isInterlaced
    ? [
        [0, 8],
        [4, 8],
        [2, 4],
        [1, 2],
      ]
    : [[0, 1]]
  const rows: number[] = []
  for (const [first = 0, step = 1] of passes) for (let y = first; y < height; y += step) rows.push(y)
  return rows
}
