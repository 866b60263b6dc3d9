// QOI. Source: the QOI specification, version 1.0.

import { checkSize, ImageError, needBytes, newPixels, viewOf, type Pixels } from './pixels.ts'

const headerBytes = 14
const opRgb = 0xfe
const opRgba = 0xff
const longestRun = 62

export function decodeQoi(bytes: Uint8Array): Pixels {
  needBytes(bytes, headerBytes)
  const view = viewOf(bytes)
  const [width, height] = [view.getUint32(4), view.getUint32(8)]
  checkSize(width, height)
  // One byte represents at most this many pixels.
  needBytes(bytes, headerBytes + (width * height) / longestRun)
  const pixels = newPixels(width, height)
  const { data } = pixels
  // The 64 most recent colours, four bytes each.
  const seen = new Uint8Array(64 * 4)
  let [red, green, blue, alpha] = [0, 0, 0, 255]
  let at = headerBytes
  let run = 0
  const next = (): number => view.getUint8(at++)
  for (let to = 0; to < data.length; to += 4) {
    if (run > 0) run--
    else {
      const op = next()
      if (op === opRgb || op === opRgba) {
        red = next()
        green = next()
        blue = next()
        if (op === opRgba) alpha = next()
      } else if (op >> 6 === 0) {
        const from = op * 4
        red = seen[from] ?? 0
        green = seen[from + 1] ?? 0
        blue = seen[from + 2] ?? 0
        alpha = seen[from + 3] ?? 0
      } else if (op >> 6 === 1) {
        red = (red + ((op >> 4) & 3) - 2) & 255
        green = (green + ((op >> 2) & 3) - 2) & 255
        blue = (blue + (op & 3) - 2) & 255
      } else if (op >> 6 === 2) {
        const byGreen = (op & 63) - 32
        const others = next()
        red = (red + byGreen - 8 + (others >> 4)) & 255
        green = (green + byGreen) & 255
        blue = (blue + byGreen - 8 + (others & 15)) & 255
      } else run = op & 63
      const slot = ((red * 3 + green * 5 + blue * 7 + alpha * 11) % 64) * 4
      seen[slot] = red
      seen[slot + 1] = green
      seen[slot + 2] = blue
      seen[slot + 3] = alpha
    }
    data[to] = red
    data[to + 1] = green
    data[to + 2] = blue
    data[to + 3] = alpha
  }
  if (run > 0) throw new ImageError('image-damaged', 'it contains more pixels than its size')
  return pixels
}
