// Unpacks the blocks of an OpenEXR image to samples: by line, in each line by channel, little-endian.
// Source: OpenEXR, "File layout", and its library's description of each compression.

import { unzlibSync } from 'fflate'

import { unpackB44 } from './exr-b44.ts'
import type { BlockShape, ExrChannel, ExrCompression } from './exr-header.ts'
import { unpackPiz } from './exr-piz.ts'
import { ImageError } from './pixels.ts'

/** Throws `ImageError` if the stored data do not contain exactly the samples of the block. */
export function blockSamples(stored: Uint8Array, shape: BlockShape, compression: ExrCompression): Uint8Array {
  const sizeBytes = shape.channels.reduce((sum, { kind }) => sum + (kind === 'half' ? 2 : 4), 0) * shape.width * shape.height
  // A block that would have grown is stored uncompressed.
  if (stored.length === sizeBytes) return stored
  switch (compression) {
    case 'none':
      throw new ImageError('image-damaged', `a block has ${stored.length} bytes instead of ${sizeBytes}`)
    case 'rle':
      return inOrder(unpackRuns(stored, sizeBytes))
    case 'zips':
    case 'zip':
      return inOrder(inflated(stored, sizeBytes))
    case 'piz':
      return unpackPiz(stored, shape, sizeBytes)
    case 'pxr24':
      return unpackPlanes(stored, shape, sizeBytes)
    case 'b44':
      return unpackB44(stored, shape, sizeBytes)
    default:
      throw new Error(`unreachable: ${String(compression satisfies never)}`)
  }
}

function inflated(stored: Uint8Array, sizeBytes: number): Uint8Array {
  const out = inflatedInto(stored, new Uint8Array(sizeBytes))
  if (out.length !== sizeBytes) throw new ImageError('image-damaged', `a block has ${out.length} bytes instead of ${sizeBytes}`)
  return out
}

/** With a given buffer, the library neither grows it nor writes past its end. */
function inflatedInto(stored: Uint8Array, out: Uint8Array): Uint8Array {
  try {
    return unzlibSync(stored, { out })
  } catch (error) {
    throw new ImageError('image-damaged', 'a block of it is not valid Deflate data', error)
  }
}

function unpackRuns(stored: Uint8Array, sizeBytes: number): Uint8Array {
  const out = new Uint8Array(sizeBytes)
  let to = 0
  for (let at = 0; at < stored.length;) {
    const code = ((stored[at++] ?? 0) << 24) >> 24
    const count = code < 0 ? -code : code + 1
    if (to + count > sizeBytes || at + (code < 0 ? count : 1) > stored.length)
      throw new ImageError('image-damaged', 'a run goes past the end of its block')
    if (code < 0) out.set(stored.subarray(at, at + count), to)
    else out.fill(stored[at] ?? 0, to, to + count)
    at += code < 0 ? count : 1
    to += count
  }
  if (to !== sizeBytes) throw new ImageError('image-damaged', `a block has ${to} bytes instead of ${sizeBytes}`)
  return out
}

/** Bytes are stored as differences, first those at even positions. */
function inOrder(bytes: Uint8Array): Uint8Array {
  for (let at = 1; at < bytes.length; at++) bytes[at] = (bytes[at - 1] ?? 0) + (bytes[at] ?? 0) - 128
  const out = new Uint8Array(bytes.length)
  const odd = Math.ceil(bytes.length / 2)
  for (let at = 0; at < out.length; at++) out[at] = bytes[(at & 1) === 0 ? at >> 1 : odd + (at >> 1)] ?? 0
  return out
}

/** PXR24: differences of neighbours, their bytes in planes from the highest to the lowest; floats have lost their lowest byte. */
function unpackPlanes(stored: Uint8Array, { width, height, channels }: BlockShape, sizeBytes: number): Uint8Array {
  const planes = (kind: ExrChannel['kind']): number => ({ uint: 4, half: 2, float: 3 })[kind]
  const raw = inflated(stored, channels.reduce((sum, { kind }) => sum + planes(kind), 0) * width * height)
  const out = new Uint8Array(sizeBytes)
  const view = new DataView(out.buffer)
  let from = 0
  let to = 0
  for (let line = 0; line < height; line++) {
    for (const { kind } of channels) {
      let value = 0
      for (let column = 0; column < width; column++) {
        let difference = 0
        for (let plane = 0; plane < planes(kind); plane++)
          difference = (difference << 8) | (raw[from + plane * width + column] ?? 0)
        value = (value + (kind === 'float' ? difference << 8 : difference)) | 0
        if (kind === 'half') view.setUint16(to, value & 0xffff, true)
        else view.setUint32(to, value >>> 0, true)
        to += kind === 'half' ? 2 : 4
      }
      from += planes(kind) * width
    }
  }
  return out
}
