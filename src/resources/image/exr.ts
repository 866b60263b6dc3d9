// OpenEXR. The values are linear light; they are shown clamped to 0…1 and through the sRGB curve.
// Source: OpenEXR, "File layout" and "Technical introduction".

import { blockSamples } from './exr-blocks.ts'
import { readExrHeader, type ExrHeader } from './exr-header.ts'
import { halfToNumber } from './half.ts'
import { ImageError, linearTo8Bit, needBytes, newPixels, to8Bit, viewOf, type Pixels } from './pixels.ts'

/** Columns and lines of the picture that a block holds, and what is stored for them. */
interface Block {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly stored: Uint8Array
}

/** Where red, green, blue and alpha are found among the channels; -1 for one that is missing. */
type Order = readonly [red: number, green: number, blue: number, alpha: number]

export function decodeExr(bytes: Uint8Array): Pixels {
  const header = readExrHeader(bytes)
  const order = orderOf(header)
  const { block, width, height, tableStart } = header
  const count = Math.ceil(width / block.width) * Math.ceil(height / block.height)
  needBytes(bytes, tableStart + count * 8)
  const pixels = newPixels(width, height)
  const table = viewOf(bytes)
  // Of a picture in several sizes the largest comes first.
  for (let index = 0; index < count; index++) {
    const start = table.getUint32(tableStart + index * 8, true) + table.getUint32(tableStart + index * 8 + 4, true) * 2 ** 32
    if (start < tableStart + count * 8) throw new ImageError('image-damaged', `it was never finished: block ${index} is missing`)
    putBlock(header, readBlock(header, bytes, start), order, pixels)
  }
  return pixels
}

function orderOf({ channels }: ExrHeader): Order {
  const find = (name: string): number => channels.findIndex(channel => channel.name === name)
  const [red, green, blue, gray] = [find('R'), find('G'), find('B'), find('Y')]
  if (red !== -1 || green !== -1 || blue !== -1) return [red, green, blue, find('A')]
  if (gray !== -1) return [gray, gray, gray, find('A')]
  const names = channels.map(channel => channel.name).join(', ')
  throw new ImageError('image-unsupported', `it has no channels R, G, B or Y, only ${names}`)
}

function readBlock({ block, width, height, top }: ExrHeader, bytes: Uint8Array, start: number): Block {
  const headBytes = block.isTile ? 20 : 8
  needBytes(bytes, start + headBytes)
  const head = viewOf(bytes.subarray(start, start + headBytes))
  const sizeBytes = head.getUint32(headBytes - 4, true)
  needBytes(bytes, start + headBytes + sizeBytes)
  const stored = bytes.subarray(start + headBytes, start + headBytes + sizeBytes)
  const [left, line] = block.isTile
    ? [head.getInt32(0, true) * block.width, head.getInt32(4, true) * block.height]
    : [0, head.getInt32(0, true) - top]
  const isAligned = line % block.height === 0
  if (left < 0 || left >= width || line < 0 || line >= height || !isAligned || (block.isTile && head.getInt32(8, true) !== 0))
    throw new ImageError('image-damaged', 'a block of it lies outside the picture')
  return { left, top: line, width: Math.min(block.width, width - left), height: Math.min(block.height, height - line), stored }
}

function putBlock(header: ExrHeader, block: Block, order: Order, pixels: Pixels): void {
  const samples = viewOf(blockSamples(block.stored, { ...block, channels: header.channels }, header.compression))
  const starts = [0]
  for (const { kind } of header.channels) starts.push((starts.at(-1) ?? 0) + (kind === 'half' ? 2 : 4) * block.width)
  const lineBytes = starts.at(-1) ?? 0
  const sample = (channel: number, line: number, column: number): number => {
    const kind = header.channels[channel]?.kind
    const at = line * lineBytes + (starts[channel] ?? 0)
    if (kind === 'half') return halfToNumber(samples.getUint16(at + column * 2, true))
    return kind === 'float' ? samples.getFloat32(at + column * 4, true) : samples.getUint32(at + column * 4, true)
  }
  const [redAt, greenAt, blueAt, alphaAt] = order
  for (let line = 0; line < block.height; line++) {
    let to = ((block.top + line) * pixels.width + block.left) * 4
    for (let column = 0; column < block.width; column++, to += 4) {
      const alpha = alphaAt === -1 ? 1 : sample(alphaAt, line, column)
      // Colours are stored multiplied by their alpha. Where that is 0 they are light that is added, which PNG cannot say.
      const share = alpha > 0 && alpha < 1 ? 1 / alpha : 1
      const red = redAt === -1 ? 0 : linearTo8Bit(sample(redAt, line, column) * share)
      const isGray = greenAt === redAt
      pixels.data[to] = red
      pixels.data[to + 1] = isGray ? red : greenAt === -1 ? 0 : linearTo8Bit(sample(greenAt, line, column) * share)
      pixels.data[to + 2] =
        isGray && blueAt === redAt ? red : blueAt === -1 ? 0 : linearTo8Bit(sample(blueAt, line, column) * share)
      pixels.data[to + 3] = alpha > 0 ? to8Bit(alpha, 1) : 0
    }
  }
}
