// OpenEXR. The values are linear light; they are clamped to 0…1 and converted with the sRGB curve.
// Source: OpenEXR, "File layout" and "Technical introduction".

import { blockSamples } from './exr-blocks.ts'
import { readExrHeader, type ExrHeader, type SampleKind } from './exr-header.ts'
import { halfToNumber } from './half.ts'
import { halvesTo8Bit, linearTo8Bit } from './light.ts'
import { ImageError, needBytes, newPixels, to8Bit, viewOf, type Pixels } from './pixels.ts'

/** The columns and lines of the image in a block, and its stored data. */
interface Block {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly stored: Uint8Array
}

/** The positions of red, green, blue and alpha in the channels; -1 for a missing one. */
type Order = readonly [red: number, green: number, blue: number, alpha: number]

export function decodeExr(bytes: Uint8Array): Pixels {
  const header = readExrHeader(bytes)
  const order = orderOf(header)
  const { block, width, height, tableStart } = header
  const count = Math.ceil(width / block.width) * Math.ceil(height / block.height)
  needBytes(bytes, tableStart + count * 8)
  const pixels = newPixels(width, height)
  const table = viewOf(bytes)
  // If the image has several sizes, the largest comes first.
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
    throw new ImageError('image-damaged', 'a block of it is outside the picture')
  return { left, top: line, width: Math.min(block.width, width - left), height: Math.min(block.height, height - line), stored }
}

function putBlock(header: ExrHeader, block: Block, order: Order, pixels: Pixels): void {
  const samples = viewOf(blockSamples(block.stored, { ...block, channels: header.channels }, header.compression))
  const starts = [0]
  for (const { kind } of header.channels) starts.push((starts.at(-1) ?? 0) + (kind === 'half' ? 2 : 4) * block.width)
  const lineBytes = starts.at(-1) ?? 0
  const shownHalves = halvesTo8Bit()
  for (let line = 0; line < block.height; line++) {
    const to = ((block.top + line) * pixels.width + block.left) * 4
    const startOf = (channel: number): number => line * lineBytes + (starts[channel] ?? 0)
    const alphaKind = header.channels[order[3]]?.kind
    for (let place = 0; place < 3; place++) {
      const channel = order[place] ?? -1
      const kind = header.channels[channel]?.kind
      if (kind === undefined) continue
      for (let column = 0, at = to + place; column < block.width; column++, at += 4) {
        const alpha = alphaKind === undefined ? 1 : sampleOf(samples, startOf(order[3]), column, alphaKind)
        // Colours are stored multiplied by alpha. With an alpha of 0 they are light that is added, which PNG cannot represent.
        const isPart = alpha > 0 && alpha < 1
        pixels.data[at] =
          kind === 'half' && !isPart
            ? (shownHalves[samples.getUint16(startOf(channel) + column * 2, true)] ?? 0)
            : linearTo8Bit(sampleOf(samples, startOf(channel), column, kind) / (isPart ? alpha : 1))
      }
    }
    for (let column = 0; column < block.width; column++) {
      const alpha = alphaKind === undefined ? 1 : sampleOf(samples, startOf(order[3]), column, alphaKind)
      pixels.data[to + column * 4 + 3] = alpha > 0 ? to8Bit(alpha, 1) : 0
    }
  }
}

function sampleOf(samples: DataView, start: number, column: number, kind: SampleKind): number {
  if (kind === 'half') return halfToNumber(samples.getUint16(start + column * 2, true))
  return kind === 'float' ? samples.getFloat32(start + column * 4, true) : samples.getUint32(start + column * 4, true)
}
