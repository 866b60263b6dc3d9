// Images that are stored rotated, mirrored or upside down. Source: TIFF 6.0, Orientation.

import { newPixels, type Pixels } from './pixels.ts'

/** 1 is upright. From 5 on, rows and columns are swapped. Values other than 1 to 8 are treated as 1. */
export function turned(pixels: Pixels, orientation: number): Pixels {
  if (!Number.isInteger(orientation) || orientation < 2 || orientation > 8) return pixels
  const swaps = orientation >= 5
  const isFromRight = [2, 3, 7, 8].includes(orientation)
  const isFromBottom = [3, 4, 6, 7].includes(orientation)
  const { width, height, data } = pixels
  const out = newPixels(swaps ? height : width, swaps ? width : height)
  for (let row = 0; row < out.height; row++) {
    for (let column = 0; column < out.width; column++) {
      const [storedColumn, storedRow] = swaps ? [row, column] : [column, row]
      const from =
        (isFromBottom ? height - 1 - storedRow : storedRow) * width + (isFromRight ? width - 1 - storedColumn : storedColumn)
      out.data.set(data.subarray(from * 4, from * 4 + 4), (row * out.width + column) * 4)
    }
  }
  return out
}
