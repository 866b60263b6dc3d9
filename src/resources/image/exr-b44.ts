// B44 and B44A blocks of OpenEXR: 16-bit floats in squares of four by four as one value and fifteen 6-bit differences; other samples are
// stored uncompressed. Source: OpenEXR, its library's description of B44.

import type { BlockShape } from './exr-header.ts'
import { ImageError, needBytes } from './pixels.ts'

const squareBytes = 14
const flatSquareBytes = 3
/** Larger shifts mark a square with a single value. */
const firstFlatShift = 13

/** Throws `ImageError` if the squares do not fill the block exactly. */
export function unpackB44(stored: Uint8Array, { width, height, channels }: BlockShape, sizeBytes: number): Uint8Array {
  const out = new Uint8Array(sizeBytes)
  const view = new DataView(out.buffer)
  const lineBytes = sizeBytes / height
  const square = new Uint16Array(16)
  let at = 0
  let start = 0
  for (const { kind } of channels) {
    if (kind !== 'half') {
      needBytes(stored, at + width * height * 4)
      for (let line = 0; line < height; line++, at += width * 4)
        out.set(stored.subarray(at, at + width * 4), line * lineBytes + start)
      start += width * 4
      continue
    }
    for (let top = 0; top < height; top += 4) {
      for (let left = 0; left < width; left += 4) {
        at += readSquare(stored, at, square)
        for (let row = 0; row < Math.min(4, height - top); row++) {
          for (let column = 0; column < Math.min(4, width - left); column++)
            view.setUint16((top + row) * lineBytes + start + (left + column) * 2, square[row * 4 + column] ?? 0, true)
        }
      }
    }
    start += width * 2
  }
  if (at !== stored.length) throw new ImageError('image-damaged', `a block has ${stored.length - at} bytes too many`)
  return out
}

/** Returns the number of bytes of the square. */
function readSquare(stored: Uint8Array, at: number, square: Uint16Array): number {
  needBytes(stored, at + flatSquareBytes)
  const first = ((stored[at] ?? 0) << 8) | (stored[at + 1] ?? 0)
  const shift = (stored[at + 2] ?? 0) >> 2
  if (shift >= firstFlatShift) {
    square.fill(asHalf(first))
    return flatSquareBytes
  }
  needBytes(stored, at + squareBytes)
  const values = [first]
  // The first column is relative to the value above, and every other one to the value on its left.
  for (let index = 1; index < 16; index++) {
    const [row, column] = [index & 3, index >> 2]
    const before = values[column === 0 ? index - 1 : index - 4] ?? 0
    const bit = 16 + index * 6
    const word = ((stored[at + (bit >> 3)] ?? 0) << 8) | (stored[at + (bit >> 3) + 1] ?? 0)
    const difference = (word >> (10 - (bit & 7))) & 63
    values.push((before + (difference << shift) - (32 << shift)) & 0xffff)
    square[row * 4 + column] = asHalf(values[index] ?? 0)
  }
  square[0] = asHalf(first)
  return squareBytes
}

/** The words are ordered like the numbers that they encode. */
function asHalf(word: number): number {
  return (word & 0x8000) === 0 ? ~word & 0xffff : word & 0x7fff
}
