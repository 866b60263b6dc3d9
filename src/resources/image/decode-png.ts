// Decodes PNG to RGBA: every colour type and depth, with palettes, transparent colours and Adam7. Source: PNG (third edition).

import { unzlibSync } from 'fflate'

import { joinBytes } from '../../core/bytes.ts'
import { checkSize, ImageError, nearest, needBytes, newPixels, type Pixels, viewOf } from './pixels.ts'

interface Header {
  readonly width: number
  readonly height: number
  readonly depth: number
  readonly colorType: number
  readonly isInterlaced: boolean
}

const samplesOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
/** Start and step of each pass: x, y, step x, step y. */
const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/** Throws `ImageError`. 16-bit samples are cut to 8 bits. */
export function decodePng(bytes: Uint8Array): Pixels {
  const { header, palette, transparency, data } = readChunks(bytes)
  const { width, height, depth, isInterlaced } = header
  const pixels = newPixels(width, height)
  const bitsPerPixel = depth * (samplesOf[header.colorType] ?? 1)
  const passes = isInterlaced ? adam7 : ([[0, 0, 1, 1]] as const)
  const sizes = passes.map(([x, y, stepX, stepY]) => {
    const [columns, rows] = [Math.ceil((width - x) / stepX), Math.ceil((height - y) / stepY)]
    const rowBytes = Math.ceil((columns * bitsPerPixel) / 8)
    return { columns, rows, rowBytes, sizeBytes: columns > 0 && rows > 0 ? rows * (rowBytes + 1) : 0 }
  })
  const total = sizes.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const raw = inflated(data, total)
  let at = 0
  for (const [index, [x, y, stepX, stepY]] of passes.entries()) {
    const size = sizes[index]
    if (size === undefined || size.sizeBytes === 0) continue
    const pass = raw.subarray(at, at + size.sizeBytes)
    at += size.sizeBytes
    unfilter(pass, size.rowBytes, Math.max(1, bitsPerPixel >> 3))
    for (let row = 0; row < size.rows; row++) {
      const line = pass.subarray(row * (size.rowBytes + 1) + 1, (row + 1) * (size.rowBytes + 1))
      for (let column = 0; column < size.columns; column++) {
        const to = ((y + row * stepY) * width + x + column * stepX) * 4
        putPixel(pixels.data, to, line, column, header, palette, transparency)
      }
    }
  }
  return pixels
}

function readChunks(bytes: Uint8Array): {
  readonly header: Header
  readonly palette: Uint8Array
  readonly transparency: Uint8Array
  readonly data: Uint8Array
} {
  const view = viewOf(bytes)
  const parts: Uint8Array[] = []
  let header: Header | undefined
  let [palette, transparency] = [new Uint8Array(), new Uint8Array()]
  for (let at = 8; at + 8 <= bytes.length;) {
    const size = view.getUint32(at)
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    needBytes(bytes, at + 12 + size)
    const content = bytes.slice(at + 8, at + 8 + size)
    if (name === 'IHDR') header = headerOf(content)
    else if (name === 'PLTE') palette = content
    else if (name === 'tRNS') transparency = content
    else if (name === 'IDAT') parts.push(content)
    else if (name === 'IEND') break
    at += 12 + size
  }
  if (header === undefined || parts.length === 0) throw new ImageError('image-damaged', 'it has no header or no content')
  return { header, palette, transparency, data: joinBytes(parts) }
}

function headerOf(content: Uint8Array): Header {
  needBytes(content, 13)
  const view = viewOf(content)
  const [width, height] = [view.getUint32(0), view.getUint32(4)]
  checkSize(width, height)
  const [depth = 0, colorType = 0] = content.subarray(8, 10)
  if (samplesOf[colorType] === undefined || ![1, 2, 4, 8, 16].includes(depth))
    throw new ImageError('image-damaged', `it has colour type ${colorType} with ${depth} bits`)
  return { width, height, depth, colorType, isInterlaced: content[12] === 1 }
}

function inflated(data: Uint8Array, size: number): Uint8Array {
  try {
    const raw = unzlibSync(data, { out: new Uint8Array(size) })
    if (raw.length === size) return raw
  } catch (error) {
    throw new ImageError('image-damaged', 'its content cannot be unpacked', error)
  }
  throw new ImageError('image-damaged', 'its content is too short')
}

function unfilter(pass: Uint8Array, rowBytes: number, step: number): void {
  const stride = rowBytes + 1
  for (let start = 0; start < pass.length; start += stride) {
    const filter = pass[start] ?? 0
    if (filter > 4) throw new ImageError('image-damaged', `it has the filter ${filter}`)
    for (let index = 0; filter > 0 && index < rowBytes; index++) {
      const at = start + 1 + index
      const left = index >= step ? (pass[at - step] ?? 0) : 0
      const above = start > 0 ? (pass[at - stride] ?? 0) : 0
      const corner = start > 0 && index >= step ? (pass[at - stride - step] ?? 0) : 0
      const predicted =
        filter === 1 ? left : filter === 2 ? above : filter === 3 ? (left + above) >> 1 : nearest(left, above, corner)
      pass[at] = (pass[at] ?? 0) + predicted
    }
  }
}

function sampleOf(line: Uint8Array, index: number, depth: number): number {
  if (depth === 8) return line[index] ?? 0
  if (depth === 16) return ((line[index * 2] ?? 0) << 8) | (line[index * 2 + 1] ?? 0)
  const bit = index * depth
  return ((line[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & ((1 << depth) - 1)
}

function putPixel(
  out: Uint8Array,
  to: number,
  line: Uint8Array,
  column: number,
  { depth, colorType }: Header,
  palette: Uint8Array,
  transparency: Uint8Array,
): void {
  const count = samplesOf[colorType] ?? 1
  const samples = [0, 0, 0, 0]
  for (let index = 0; index < count; index++) samples[index] = sampleOf(line, column * count + index, depth)
  const [first = 0, second = 0, third = 0, fourth = 0] = samples
  if (colorType === 3) {
    out.set([palette[first * 3] ?? 0, palette[first * 3 + 1] ?? 0, palette[first * 3 + 2] ?? 0, transparency[first] ?? 255], to)
    return
  }
  const keyed = (index: number): number => ((transparency[index * 2] ?? 0) << 8) | (transparency[index * 2 + 1] ?? 0)
  const scaled = (value: number): number =>
    depth === 16 ? value >> 8 : depth === 8 ? value : Math.round((value * 255) / ((1 << depth) - 1))
  if (colorType === 0 || colorType === 4) {
    const gray = scaled(first)
    const isClear = colorType === 0 && transparency.length >= 2 && keyed(0) === first
    out.set([gray, gray, gray, colorType === 4 ? scaled(second) : isClear ? 0 : 255], to)
    return
  }
  const isClear = colorType === 2 && transparency.length >= 6 && keyed(0) === first && keyed(1) === second && keyed(2) === third
  out.set([scaled(first), scaled(second), scaled(third), colorType === 6 ? scaled(fourth) : isClear ? 0 : 255], to)
}
