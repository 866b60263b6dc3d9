// The header of an OpenEXR file, with every size checked before anything is allocated for it. Source: OpenEXR, "File layout".

import { checkSize, ImageError, viewOf } from './pixels.ts'

const magic = 20_000_630
const maxAttributes = 1000
const maxNameBytes = 255
const maxChannels = 64
const knownFlags = 0x06
const tiledFlag = 0x02

interface Attribute {
  readonly type: string
  readonly value: Uint8Array
}

export type SampleKind = 'uint' | 'half' | 'float'

export interface ExrChannel {
  readonly name: string
  readonly kind: SampleKind
  readonly isLogarithmic: boolean
}

/** What every compression needs to know about a block. */
export interface BlockShape {
  readonly width: number
  readonly height: number
  readonly channels: readonly ExrChannel[]
}

export type ExrCompression = 'none' | 'rle' | 'zips' | 'zip' | 'piz' | 'pxr24' | 'b44'

export interface ExrHeader {
  readonly width: number
  readonly height: number
  /** The number of the first line; blocks count from it. */
  readonly top: number
  /** In the order of their samples. */
  readonly channels: readonly ExrChannel[]
  readonly compression: ExrCompression
  /** The size of a block. Without tiles, a block contains lines of the whole width. */
  readonly block: { readonly isTile: boolean; readonly width: number; readonly height: number }
  /** Where the table of blocks begins. */
  readonly tableStart: number
}

/** With the number of lines in a block. */
const compressions: readonly (readonly [ExrCompression, number])[] = [
  ['none', 1],
  ['rle', 1],
  ['zips', 1],
  ['zip', 16],
  ['piz', 32],
  ['pxr24', 16],
  ['b44', 32],
  ['b44', 32],
]
const undecoded = ['DWAA', 'DWAB']

/** Throws `ImageError` for a damaged header, or an unsupported kind: several parts, deep data, subsampled channels. */
export function readExrHeader(bytes: Uint8Array): ExrHeader {
  const view = viewOf(bytes)
  if (view.getUint32(0, true) !== magic)
    throw new ImageError('image-damaged', 'it does not have the signature of an OpenEXR file')
  const flags = view.getUint8(5)
  if ((flags & ~knownFlags) !== 0) throw new ImageError('image-unsupported', 'it has several parts or deep data')
  const { attributes, end } = readAttributes(bytes, view)
  const [left = 0, top = 0, right = 0, bottom = 0] = integers(needed(attributes, 'dataWindow', 'box2i', 16))
  const [width, height] = [right - left + 1, bottom - top + 1]
  checkSize(width, height)
  const channels = readChannels(needed(attributes, 'channels', 'chlist', 1))
  const [code = 255] = needed(attributes, 'compression', 'compression', 1)
  const known = compressions[code]
  if (known === undefined) {
    const name = undecoded[code - compressions.length] ?? `number ${code}`
    throw new ImageError('image-unsupported', `its compression ${name} is not decoded; ZIP, PIZ, RLE, PXR24 and B44 are`)
  }
  const [compression, lines] = known
  if (compression === 'b44' && channels.some(channel => channel.isLogarithmic))
    throw new ImageError('image-unsupported', 'its B44 data are logarithmic')
  const isTile = (flags & tiledFlag) !== 0
  const [tileWidth = 0, tileHeight = 0] = isTile ? integers(needed(attributes, 'tiles', 'tiledesc', 9)) : [width, lines]
  if (tileWidth < 1 || tileHeight < 1) throw new ImageError('image-damaged', 'its tiles have no size')
  const block = { isTile, width: tileWidth, height: tileHeight }
  return { width, height, top, channels, compression, block, tableStart: end }
}

function readAttributes(
  bytes: Uint8Array,
  view: DataView,
): { readonly attributes: ReadonlyMap<string, Attribute>; readonly end: number } {
  const attributes = new Map<string, Attribute>()
  let at = 8
  for (let count = 0; count < maxAttributes; count++) {
    const name = nameAt(bytes, at)
    at += name.length + 1
    if (name === '') return { attributes, end: at }
    const type = nameAt(bytes, at)
    at += type.length + 1
    const sizeBytes = view.getUint32(at, true)
    at += 4
    if (at + sizeBytes > bytes.length)
      throw new ImageError('image-damaged', `it ends within its attribute ${JSON.stringify(name)}`)
    attributes.set(name, { type, value: bytes.subarray(at, at + sizeBytes) })
    at += sizeBytes
  }
  throw new ImageError('image-damaged', `its header has more than ${maxAttributes} attributes`)
}

function nameAt(bytes: Uint8Array, start: number): string {
  const end = bytes.indexOf(0, start)
  if (end === -1 || end - start > maxNameBytes) throw new ImageError('image-damaged', 'a name in its header has no end')
  return String.fromCharCode(...bytes.subarray(start, end))
}

function needed(attributes: ReadonlyMap<string, Attribute>, name: string, type: string, minBytes: number): Uint8Array {
  const found = attributes.get(name)
  if (found?.type === type && found.value.length >= minBytes) return found.value
  throw new ImageError('image-damaged', `its header lacks ${name}`)
}

function integers(bytes: Uint8Array): readonly number[] {
  const view = viewOf(bytes)
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => view.getInt32(index * 4, true))
}

/** Name, type of the samples, four bytes of flags, and how the channel is sampled in both directions. */
function readChannels(bytes: Uint8Array): readonly ExrChannel[] {
  const view = viewOf(bytes)
  const channels: ExrChannel[] = []
  let at = 0
  while (channels.length <= maxChannels) {
    const name = nameAt(bytes, at)
    at += name.length + 1
    if (name === '') {
      if (channels.length === 0 || at !== bytes.length) throw new ImageError('image-damaged', 'its list of channels is invalid')
      return channels
    }
    const kind = (['uint', 'half', 'float'] as const)[view.getUint32(at, true)]
    if (kind === undefined) throw new ImageError('image-damaged', 'the samples of a channel are of an unknown type')
    if (view.getUint32(at + 8, true) !== 1 || view.getUint32(at + 12, true) !== 1)
      throw new ImageError('image-unsupported', 'a channel has fewer samples than there are pixels')
    // Only B44 uses this flag: such samples are stored as logarithms.
    const isLogarithmic = kind === 'half' && view.getUint8(at + 4) !== 0
    channels.push({ name, kind, isLogarithmic })
    at += 16
  }
  throw new ImageError('image-unsupported', `it has more than ${maxChannels} channels`)
}
