// OpenEXR through parse-exr. The values are linear light; they are shown clamped to 0…1 and through the sRGB curve.

import parseExr from 'parse-exr'

import { checkExrHeader } from './exr-header.ts'
import { ImageError, linearTo8Bit, newPixels, to8Bit, type Pixels } from './pixels.ts'

// three.js's numbers for these, which parse-exr kept.
const floatType = 1015
const oneChannel = 1028

export function decodeExr(bytes: Uint8Array): Pixels {
  checkExrHeader(bytes)
  const image = parsed(bytes)
  const pixels = newPixels(image.width, image.height)
  const channels = image.format === oneChannel ? 1 : 4
  const { data, width, height } = pixels
  for (let index = 0; index < width * height; index++) {
    // Its rows come from the bottom up.
    const row = height - 1 - Math.floor(index / width)
    const from = (row * width + (index % width)) * channels
    const red = image.data[from] ?? 0
    data[index * 4] = linearTo8Bit(red)
    data[index * 4 + 1] = linearTo8Bit(channels === 1 ? red : (image.data[from + 1] ?? 0))
    data[index * 4 + 2] = linearTo8Bit(channels === 1 ? red : (image.data[from + 2] ?? 0))
    data[index * 4 + 3] = channels === 1 ? 255 : to8Bit(Math.max(0, image.data[from + 3] ?? 1), 1)
  }
  return pixels
}

function parsed(bytes: Uint8Array): ReturnType<typeof parseExr> {
  try {
    return parseExr(bytes.slice().buffer, floatType)
  } catch (error) {
    throw new ImageError('image-damaged', error instanceof Error ? error.message : String(error), error)
  }
}
