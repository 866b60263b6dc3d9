// The header of an OpenEXR file, read before the library sees the file: with a damaged one it would ask for any amount of memory or
// look for the end of a name for ever. Source: OpenEXR, "File layout".

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

/** Throws `ImageError` for a header that is damaged, or of a kind that is not decoded: several parts, deep data, subsampled channels. */
export function checkExrHeader(bytes: Uint8Array): void {
  const view = viewOf(bytes)
  if (view.getUint32(0, true) !== magic) throw new ImageError('image-damaged', 'it does not begin like an OpenEXR file')
  const flags = view.getUint8(5)
  if ((flags & ~knownFlags) !== 0) throw new ImageError('image-unsupported', 'it has several parts or deep data')
  const { attributes, end } = readAttributes(bytes, view)
  const [left, top, right, bottom] = integers(needed(attributes, 'dataWindow', 'box2i', 16))
  const [width, height] = [(right ?? 0) - (left ?? 0) + 1, (bottom ?? 0) - (top ?? 0) + 1]
  checkSize(width, height)
  checkChannels(needed(attributes, 'channels', 'chlist', 1))
  needed(attributes, 'lineOrder', 'lineOrder', 1)
  const [compression = 255] = needed(attributes, 'compression', 'compression', 1)
  const linesPerBlock = [1, 1, 1, 16, 32, 16][compression]
  if (linesPerBlock === undefined) throw new ImageError('image-unsupported', `its compression ${compression} is not decoded`)
  let blocks = Math.ceil(height / linesPerBlock)
  if ((flags & tiledFlag) !== 0) {
    const [across = 0, down = 0] = integers(needed(attributes, 'tiles', 'tiledesc', 9))
    if (across < 1 || down < 1) throw new ImageError('image-damaged', 'its tiles have no size')
    blocks = Math.ceil(width / across) * Math.ceil(height / down)
  }
  const first = end + blocks * 8
  if (first > bytes.length) throw new ImageError('image-damaged', 'it ends within its table of rows')
  if ((flags & tiledFlag) === 0) checkBlocks(view, first, blocks, { top: top ?? 0, height, linesPerBlock })
}

/** Each block of lines begins with the number of its first line and its size; they follow each other without a gap. */
function checkBlocks(
  view: DataView,
  first: number,
  blocks: number,
  { top, height, linesPerBlock }: { readonly top: number; readonly height: number; readonly linesPerBlock: number },
): void {
  let at = first
  for (let block = 0; block < blocks; block++) {
    const line = view.getInt32(at, true) - top
    const sizeBytes = view.getUint32(at + 4, true)
    if (line < 0 || line >= height || line % linesPerBlock !== 0)
      throw new ImageError('image-damaged', 'a block of lines has a wrong number')
    at += 8 + sizeBytes
    if (sizeBytes === 0 || at > view.byteLength) throw new ImageError('image-damaged', 'it ends within a block of lines')
  }
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
function checkChannels(bytes: Uint8Array): void {
  const view = viewOf(bytes)
  let at = 0
  for (let count = 0; count <= maxChannels; count++) {
    const name = nameAt(bytes, at)
    at += name.length + 1
    if (name === '') {
      if (count === 0 || at !== bytes.length) throw new ImageError('image-damaged', 'its list of channels is not right')
      return
    }
    if (view.getUint32(at, true) > 2) throw new ImageError('image-damaged', 'the samples of a channel are of an unknown type')
    if (view.getUint32(at + 8, true) !== 1 || view.getUint32(at + 12, true) !== 1) {
      throw new ImageError('image-unsupported', 'a channel has fewer samples than there are pixels')
    }
    at += 16
  }
  throw new ImageError('image-unsupported', `it has more than ${maxChannels} channels`)
}
