// farbfeld: a header and 16-bit RGBA. Source: farbfeld(5).

import { needBytes, newPixels, to8Bit, viewOf, type Pixels } from './pixels.ts'

const headerBytes = 16

export function decodeFarbfeld(bytes: Uint8Array): Pixels {
  needBytes(bytes, headerBytes)
  const view = viewOf(bytes)
  const pixels = newPixels(view.getUint32(8), view.getUint32(12))
  const { data } = pixels
  needBytes(bytes, headerBytes + data.length * 2)
  for (let to = 0; to < data.length; to++) data[to] = to8Bit(view.getUint16(headerBytes + to * 2), 65_535)
  return pixels
}
