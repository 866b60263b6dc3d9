// Radiance RGBE. The values are linear light; they are clamped to 0…1 and converted with the sRGB curve.
// Source: Radiance's filefmts, "RADIANCE picture format".

import { linearTo8Bit } from './light.ts'
import { checkSize, ImageError, needBytes, newPixels, type Pixels } from './pixels.ts'

const longestHeaderBytes = 64 * 1024

export function decodeHdr(bytes: Uint8Array): Pixels {
  const { width, height, isUpsideDown, isMirrored, start } = readHeader(bytes)
  checkSize(width, height)
  // The shortest row is one repeated pixel.
  needBytes(bytes, start + height * 4)
  const pixels = newPixels(width, height)
  const row = new Uint8Array(width * 4)
  let at = start
  for (let line = 0; line < height; line++) {
    at = readRow(bytes, at, row, width)
    const to = (isUpsideDown ? height - 1 - line : line) * width * 4
    for (let column = 0; column < width; column++)
      putColour(row, column * 4, pixels.data, to + (isMirrored ? width - 1 - column : column) * 4)
  }
  return pixels
}

interface Header {
  readonly width: number
  readonly height: number
  readonly isUpsideDown: boolean
  readonly isMirrored: boolean
  readonly start: number
}

function readHeader(bytes: Uint8Array): Header {
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, longestHeaderBytes))
  const blank = text.indexOf('\n\n')
  const end = blank === -1 ? -1 : text.indexOf('\n', blank + 2)
  if (end === -1) throw new ImageError('image-damaged', 'its header has no end')
  if (/^FORMAT=32-bit_rle_xyze/m.test(text.slice(0, blank))) throw new ImageError('image-unsupported', 'its colours are XYZ')
  const size = /^([-+])Y (\d{1,6}) ([-+])X (\d{1,6})\s*$/.exec(text.slice(blank + 2, end))
  if (size === null) throw new ImageError('image-unsupported', 'its rows do not run from left to right or from right to left')
  const [, vertical, height, horizontal, width] = size
  return {
    width: Number(width),
    height: Number(height),
    isUpsideDown: vertical === '+',
    isMirrored: horizontal === '-',
    start: end + 1,
  }
}

/** Fills `row` and returns the position of the next row. */
function readRow(bytes: Uint8Array, start: number, row: Uint8Array, width: number): number {
  needBytes(bytes, start + 4)
  const isByChannel =
    width >= 8 &&
    width < 32_768 &&
    bytes[start] === 2 &&
    bytes[start + 1] === 2 &&
    (bytes[start + 2] ?? 0) * 256 + (bytes[start + 3] ?? 0) === width
  return isByChannel ? readChannels(bytes, start + 4, row, width) : readPixels(bytes, start, row, width)
}

function readChannels(bytes: Uint8Array, start: number, row: Uint8Array, width: number): number {
  let at = start
  for (let channel = 0; channel < 4; channel++) {
    for (let column = 0; column < width;) {
      needBytes(bytes, at + 2)
      const code = bytes[at++] ?? 0
      const isRun = code > 128
      const count = isRun ? code - 128 : code
      if (count === 0 || column + count > width) throw new ImageError('image-damaged', 'a run goes past the end of its row')
      if (!isRun) needBytes(bytes, at + count)
      for (let index = 0; index < count; index++, column++) row[column * 4 + channel] = bytes[isRun ? at : at + index] ?? 0
      at += isRun ? 1 : count
    }
  }
  return at
}

/** The older form: whole pixels; 1, 1, 1, n repeats the previous pixel, and consecutive repetitions count in units of 256. */
function readPixels(bytes: Uint8Array, start: number, row: Uint8Array, width: number): number {
  let at = start
  let shift = 0
  for (let column = 0; column < width;) {
    needBytes(bytes, at + 4)
    const pixel = bytes.subarray(at, at + 4)
    at += 4
    if (pixel[0] === 1 && pixel[1] === 1 && pixel[2] === 1 && column > 0) {
      const count = (pixel[3] ?? 0) << shift
      if (column + count > width || shift > 16) throw new ImageError('image-damaged', 'a run goes past the end of its row')
      for (let index = 0; index < count; index++, column++) row.copyWithin(column * 4, (column - 1) * 4, column * 4)
      shift += 8
    } else {
      row.set(pixel, column * 4)
      column++
      shift = 0
    }
  }
  return at
}

function putColour(row: Uint8Array, from: number, data: Uint8Array, to: number): void {
  const exponent = row[from + 3] ?? 0
  const scale = exponent === 0 ? 0 : 2 ** (exponent - 136)
  data[to] = linearTo8Bit((row[from] ?? 0) * scale)
  data[to + 1] = linearTo8Bit((row[from + 1] ?? 0) * scale)
  data[to + 2] = linearTo8Bit((row[from + 2] ?? 0) * scale)
  data[to + 3] = 255
}
