// PIZ blocks of OpenEXR: 16-bit words, replaced by their index in a table of the words that occur, then transformed by a wavelet, then
// encoded with Huffman codes and runs. Every step is checked against the block's size, because a damaged table may request any amount.
// Source: OpenEXR, its library's description of PIZ, of its Huffman coding and of its wavelet.

import type { BlockShape } from './exr-header.ts'
import { decodeHuffman } from './exr-huffman.ts'
import { ImageError, needBytes, viewOf } from './pixels.ts'

const bitmapBytes = 8192

/** Throws `ImageError`. */
export function unpackPiz(stored: Uint8Array, shape: BlockShape, sizeBytes: number): Uint8Array {
  const { values, end } = readValues(stored)
  needBytes(stored, end + 4)
  const sizeOfCodes = viewOf(stored).getUint32(end, true)
  needBytes(stored, end + 4 + sizeOfCodes)
  const words = decodeHuffman(stored.subarray(end + 4, end + 4 + sizeOfCodes), sizeBytes / 2)
  const { width, height, channels } = shape
  const wordsOf = channels.map(({ kind }) => (kind === 'half' ? 1 : 2))
  let start = 0
  for (const count of wordsOf) {
    for (let word = 0; word < count; word++)
      undoWavelet(words, { start: start + word, width, height, across: count, down: width * count }, values.length - 1)
    start += width * height * count
  }
  const out = new Uint8Array(sizeBytes)
  const view = new DataView(out.buffer)
  let to = 0
  for (let line = 0; line < height; line++) {
    start = 0
    for (const count of wordsOf) {
      for (let index = 0; index < width * count; index++, to += 2)
        view.setUint16(to, values[words[start + line * width * count + index] ?? 0] ?? 0, true)
      start += width * height * count
    }
  }
  return out
}

/** The words that occur, smallest first; 0 is always included. */
function readValues(stored: Uint8Array): { readonly values: readonly number[]; readonly end: number } {
  needBytes(stored, 4)
  const view = viewOf(stored)
  const [first, last] = [view.getUint16(0, true), view.getUint16(2, true)]
  if (last >= bitmapBytes) throw new ImageError('image-damaged', 'its table of values is too long')
  const count = first <= last ? last - first + 1 : 0
  needBytes(stored, 4 + count)
  const values = [0]
  for (let index = 0; index < count; index++) {
    const byte = stored[4 + index] ?? 0
    for (let bit = 0; bit < 8; bit++) {
      const value = (first + index) * 8 + bit
      if (value > 0 && ((byte >> bit) & 1) === 1) values.push(value)
    }
  }
  return { values, end: 4 + count }
}

interface Plane {
  readonly start: number
  readonly width: number
  readonly height: number
  /** The distance in words to the next column, and to the next line. */
  readonly across: number
  readonly down: number
}

/** The two values from which a mean and a difference were computed. */
interface Pair {
  readonly first: (mean: number, difference: number) => number
  readonly second: (mean: number, difference: number) => number
}

const signed = (word: number): number => (word << 16) >> 16

/** For values of fewer than 14 bits, nothing overflows. */
const narrow: Pair = {
  first: (mean, difference) => signed(mean) + (signed(difference) & 1) + (signed(difference) >> 1),
  second: (mean, difference) => narrow.first(mean, difference) - signed(difference),
}
const wide: Pair = {
  first: (mean, difference) => (difference + wide.second(mean, difference) - 0x8000) & 0xffff,
  second: (mean, difference) => (mean - (difference >> 1)) & 0xffff,
}

function undoWavelet(words: Uint16Array, { start, width, height, across, down }: Plane, largest: number): void {
  const { first, second } = largest < 1 << 14 ? narrow : wide
  const undo = (one: number, other: number): void => {
    const [mean, difference] = [words[one] ?? 0, words[other] ?? 0]
    words[one] = first(mean, difference)
    words[other] = second(mean, difference)
  }
  let step = 1
  while (step * 2 <= Math.min(width, height)) step *= 2
  // From the coarsest level to the finest: `step` is the distance between values that belong together.
  for (step /= 2; step >= 1; step /= 2) {
    const [lastColumn, lastLine] = [width - step * 2, height - step * 2]
    let line = 0
    for (; line <= lastLine; line += step * 2) {
      let column = 0
      const [upper, lower] = [start + line * down, start + (line + step) * down]
      for (; column <= lastColumn; column += step * 2) {
        const [left, right] = [column * across, (column + step) * across]
        undo(upper + left, lower + left)
        undo(upper + right, lower + right)
        undo(upper + left, upper + right)
        undo(lower + left, lower + right)
      }
      if ((width & step) !== 0) undo(upper + column * across, lower + column * across)
    }
    if ((height & step) === 0) continue
    const lineStart = start + line * down
    for (let column = 0; column <= lastColumn; column += step * 2)
      undo(lineStart + column * across, lineStart + (column + step) * across)
  }
}
