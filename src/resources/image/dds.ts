// DirectDraw surfaces: the first image of a file, block-compressed (BC1 to BC5) or with masks. Source: Microsoft, "Programming guide for
// DDS" and "Block compression".

import { decodeBlocks, type BlockKind } from './dds-blocks.ts'
import { checkSize, ImageError, needBytes, newPixels, viewOf, type Pixels } from './pixels.ts'

const headerBytes = 128
const extendedHeaderBytes = 148

type Masks = readonly [red: number, green: number, blue: number, alpha: number]

const flagAlpha = 0x1
const flagFourCharacters = 0x4
const flagRgb = 0x40
const flagLuminance = 0x20000
const flagAlphaOnly = 0x2

const kindOfCode: Readonly<Record<string, BlockKind>> = {
  DXT1: 'bc1',
  DXT2: 'bc2',
  DXT3: 'bc2',
  DXT4: 'bc3',
  DXT5: 'bc3',
  ATI1: 'bc4',
  BC4U: 'bc4',
  ATI2: 'bc5',
  BC5U: 'bc5',
}

const kindOfDxgi: Readonly<Record<number, BlockKind>> = {
  70: 'bc1',
  71: 'bc1',
  72: 'bc1',
  73: 'bc2',
  74: 'bc2',
  75: 'bc2',
  76: 'bc3',
  77: 'bc3',
  78: 'bc3',
  79: 'bc4',
  80: 'bc4',
  82: 'bc5',
  83: 'bc5',
}

const rgba: Masks = [0xff, 0xff00, 0xff0000, 0xff000000]
const bgra: Masks = [0xff0000, 0xff00, 0xff, 0xff000000]
const bgrx: Masks = [0xff0000, 0xff00, 0xff, 0]
/** With the number of bits per pixel. */
const masksOfDxgi: Readonly<Record<number, readonly [bits: number, masks: Masks]>> = {
  24: [32, [0x3ff, 0xffc00, 0x3ff00000, 0xc0000000]],
  28: [32, rgba],
  29: [32, rgba],
  49: [16, [0xff, 0xff00, 0, 0]],
  56: [16, [0xffff, 0, 0, 0]],
  61: [8, [0xff, 0, 0, 0]],
  85: [16, [0xf800, 0x7e0, 0x1f, 0]],
  86: [16, [0x7c00, 0x3e0, 0x1f, 0x8000]],
  87: [32, bgra],
  88: [32, bgrx],
  91: [32, bgra],
  93: [32, bgrx],
  115: [16, [0xf00, 0xf0, 0xf, 0xf000]],
}
/** Formats that are not decoded, with names for the error. */
const undecodedDxgi: Readonly<Record<number, string>> = {
  2: '32-bit floats',
  10: '16-bit floats',
  11: '16 bits for each channel',
  26: '11- and 10-bit floats',
  67: 'a shared exponent',
  81: 'BC4 with signs',
  84: 'BC5 with signs',
  94: 'BC6H',
  95: 'BC6H',
  96: 'BC6H with signs',
  97: 'BC7',
  98: 'BC7',
  99: 'BC7',
}

export function decodeDds(bytes: Uint8Array): Pixels {
  needBytes(bytes, headerBytes)
  const view = viewOf(bytes)
  const [height, width, flags] = [view.getUint32(12, true), view.getUint32(16, true), view.getUint32(80, true)]
  checkSize(width, height)
  if ((flags & flagFourCharacters) !== 0) {
    const code = String.fromCharCode(...bytes.subarray(84, 88))
    if (code === 'DX10') return decodeExtended(bytes, view, width, height)
    const kind = kindOfCode[code]
    if (kind === undefined)
      throw new ImageError('image-unsupported', `its compression ${JSON.stringify(code)} is not decoded; BC1 to BC5 are`)
    return decodeBlocks(bytes.subarray(headerBytes), width, height, kind)
  }
  return decodeMasked(bytes.subarray(headerBytes), width, height, view.getUint32(88, true), masksIn(view, flags))
}

function decodeExtended(bytes: Uint8Array, view: DataView, width: number, height: number): Pixels {
  needBytes(bytes, extendedHeaderBytes)
  const format = view.getUint32(128, true)
  const body = bytes.subarray(extendedHeaderBytes)
  const kind = kindOfDxgi[format]
  if (kind !== undefined) return decodeBlocks(body, width, height, kind)
  const masks = masksOfDxgi[format]
  if (masks === undefined) {
    const name = undecodedDxgi[format] ?? 'which is unknown'
    throw new ImageError(
      'image-unsupported',
      `its DXGI format is ${format}, ${name}; BC1 to BC5 and up to 32 bits of integers are decoded`,
    )
  }
  return decodeMasked(body, width, height, ...masks)
}

function masksIn(view: DataView, flags: number): Masks {
  const alpha = (flags & (flagAlpha | flagAlphaOnly)) === 0 ? 0 : view.getUint32(104, true)
  const red = view.getUint32(92, true)
  if ((flags & flagRgb) !== 0) return [red, view.getUint32(96, true), view.getUint32(100, true), alpha]
  if ((flags & flagLuminance) !== 0) return [red, red, red, alpha]
  if ((flags & flagAlphaOnly) !== 0) return [0, 0, 0, alpha]
  throw new ImageError('image-unsupported', 'its pixels are neither colours, gray nor compressed')
}

function decodeMasked(bytes: Uint8Array, width: number, height: number, bits: number, masks: Masks): Pixels {
  const pixelBytes = bits / 8
  if (![1, 2, 3, 4].includes(pixelBytes))
    throw new ImageError('image-unsupported', `${bits} bits for each pixel of a DDS are unknown`)
  needBytes(bytes, width * height * pixelBytes)
  const pixels = newPixels(width, height)
  const shares = masks.map(channelOf)
  for (let index = 0; index < width * height; index++) {
    let word = 0
    for (let byte = pixelBytes - 1; byte >= 0; byte--) word = word * 256 + (bytes[index * pixelBytes + byte] ?? 0)
    for (const [channel, share] of shares.entries())
      pixels.data[index * 4 + channel] = share === undefined ? absent(channel) : share(word)
  }
  return pixels
}

function absent(channel: number): number {
  return channel === 3 ? 255 : 0
}

/** Reads the channel in the bits of `mask`, scaled to 255. */
function channelOf(mask: number): ((word: number) => number) | undefined {
  if (mask === 0) return undefined
  const unit = mask & -mask
  const low = Math.abs(unit)
  const maximum = (mask >>> 0) / (unit >>> 0)
  return word => Math.round((((((word >>> 0) & mask) >>> 0) / (low >>> 0)) * 255) / maximum)
}
