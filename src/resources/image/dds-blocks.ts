// Blocks of four by four pixels. Source: Microsoft, "Texture block compression in Direct3D 11", BC1 to BC5.

import { needBytes, newPixels, viewOf, type Pixels } from './pixels.ts'

export type BlockKind = 'bc1' | 'bc2' | 'bc3' | 'bc4' | 'bc5'

const bytesOfBlock = (kind: BlockKind): number => (kind === 'bc1' || kind === 'bc4' ? 8 : 16)

export function decodeBlocks(bytes: Uint8Array, width: number, height: number, kind: BlockKind): Pixels {
  const [across, down] = [Math.ceil(width / 4), Math.ceil(height / 4)]
  needBytes(bytes, across * down * bytesOfBlock(kind))
  const pixels = newPixels(width, height)
  const view = viewOf(bytes)
  const block = new Uint8Array(64)
  for (let index = 0; index < across * down; index++) {
    decodeBlock(view, index * bytesOfBlock(kind), kind, block)
    const [left, top] = [(index % across) * 4, Math.floor(index / across) * 4]
    for (let row = 0; row < Math.min(4, height - top); row++) {
      const count = Math.min(4, width - left) * 4
      pixels.data.set(block.subarray(row * 16, row * 16 + count), ((top + row) * width + left) * 4)
    }
  }
  return pixels
}

function decodeBlock(view: DataView, at: number, kind: BlockKind, block: Uint8Array): void {
  switch (kind) {
    case 'bc1':
      putColours(view, at, block, true)
      return
    case 'bc2':
      putColours(view, at + 8, block, false)
      for (let index = 0; index < 16; index++)
        block[index * 4 + 3] = ((view.getUint8(at + (index >> 1)) >> ((index & 1) * 4)) & 15) * 17
      return
    case 'bc3':
      putColours(view, at + 8, block, false)
      putRamp(view, at, block, 3)
      return
    case 'bc4':
      putRamp(view, at, block, 0)
      for (let to = 0; to < 64; to += 4) block.fill(block[to] ?? 0, to + 1, to + 3).fill(255, to + 3, to + 4)
      return
    case 'bc5':
      for (let to = 0; to < 64; to += 4) block.fill(0, to + 2, to + 3).fill(255, to + 3, to + 4)
      putRamp(view, at, block, 0)
      putRamp(view, at + 8, block, 1)
      return
    default:
      throw new Error(`unreachable: ${String(kind satisfies never)}`)
  }
}

/** Two 16-bit colours, two colours between them, and two bits per pixel. BC1 may have one between them and a transparent one. */
function putColours(view: DataView, at: number, block: Uint8Array, mayBeTransparent: boolean): void {
  const [first, second, choices] = [view.getUint16(at, true), view.getUint16(at + 2, true), view.getUint32(at + 4, true)]
  const [one, other] = [wide(first), wide(second)]
  const hasFour = !mayBeTransparent || first > second
  const between = (share: number, whole: number): readonly number[] =>
    one.map((value, channel) => Math.round((value * (whole - share) + (other[channel] ?? 0) * share) / whole))
  const palette = hasFour ? [one, other, between(1, 3), between(2, 3)] : [one, other, between(1, 2), [0, 0, 0]]
  for (let index = 0; index < 16; index++) {
    const choice = (choices >>> (index * 2)) & 3
    block.set(palette[choice] ?? [], index * 4)
    block[index * 4 + 3] = !hasFour && choice === 3 ? 0 : 255
  }
}

function wide(colour: number): readonly number[] {
  return [((colour >> 11) * 255) / 31, (((colour >> 5) & 63) * 255) / 63, ((colour & 31) * 255) / 31].map(Math.round)
}

/** Two values, six or four between them, and three bits per pixel. */
function putRamp(view: DataView, at: number, block: Uint8Array, channel: number): void {
  const [one, other] = [view.getUint8(at), view.getUint8(at + 1)]
  const steps = one > other ? 7 : 5
  const ramp = [one, other]
  for (let step = 1; step < steps; step++) ramp.push(Math.round((one * (steps - step) + other * step) / steps))
  if (steps === 5) ramp.push(0, 255)
  for (let index = 0; index < 16; index++) {
    const bit = index * 3
    const byte = at + 2 + (bit >> 3)
    const word = view.getUint8(byte) | ((byte + 1 < at + 8 ? view.getUint8(byte + 1) : 0) << 8)
    block[index * 4 + channel] = ramp[(word >> (bit & 7)) & 7] ?? 0
  }
}
