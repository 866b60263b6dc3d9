// TIFF: the first image of a file, in upright orientation. Sizes and counts are checked before anything is allocated; strips and tiles are
// unpacked to a known size. Source: TIFF 6.0.

import { checkSize, ImageError, needBytes, newPixels, type Pixels } from './pixels.ts'
import { jpegCoding, unpackPart } from './tiff-codings.ts'
import { colourReader } from './tiff-colours.ts'
import { readTiffDirectory, type TiffDirectory } from './tiff-directory.ts'
import { readRow, rowBytesOf, type SampleLayout } from './tiff-samples.ts'
import { turned } from './turn.ts'

const tag = {
  width: 256,
  height: 257,
  bits: 258,
  coding: 259,
  photometric: 262,
  stripOffsets: 273,
  orientation: 274,
  samples: 277,
  rowsPerStrip: 278,
  stripSizes: 279,
  planes: 284,
  predictor: 317,
  map: 320,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileSizes: 325,
  extra: 338,
  format: 339,
  subsampling: 530,
} as const

const maxSamples = 32
const maxUnpackedBytes = 512 * 1024 * 1024
const floatFormat = 3

/** Strips are treated as tiles of the whole width. */
interface Parts {
  readonly width: number
  readonly height: number
  readonly offsets: readonly number[]
  readonly sizes: readonly number[]
  readonly isTiled: boolean
}

/** Throws `ImageError`. */
export async function decodeTiff(bytes: Uint8Array): Promise<Pixels> {
  const directory = readTiffDirectory(bytes)
  const [width, height] = [directory.number(tag.width, 0), directory.number(tag.height, 0)]
  checkSize(width, height)
  const parts = partsOf(directory, width, height)
  const samples = directory.number(tag.samples, 1)
  if (samples < 1 || samples > maxSamples)
    throw new ImageError('image-unsupported', `it has ${samples} samples for each pixel; at most ${maxSamples} are read`)
  const isSeparate = directory.number(tag.planes, 1) === 2
  const coding = directory.number(tag.coding, 1)
  const layout = layoutOf(directory, parts.width, isSeparate ? 1 : samples, coding)
  const put = colourReader({
    photometric: directory.number(tag.photometric, 1),
    bits: layout.bits,
    isFloat: layout.isFloat,
    samples,
    extra: directory.numbers(tag.extra),
    map: directory.numbers(tag.map),
    isJpeg: coding === jpegCoding,
    subsampling: directory.numbers(tag.subsampling),
  })
  const [across, down] = [Math.ceil(width / parts.width), Math.ceil(height / parts.height)]
  const planes = isSeparate ? samples : 1
  if (parts.offsets.length < across * down * planes) throw new ImageError('image-damaged', 'parts of it are missing')
  const rowBytes = rowBytesOf(layout)
  // Many tiles that are mostly outside the image, or many samples, take much more memory than its pixels.
  const unpackedBytes = across * down * planes * parts.height * rowBytes
  if (unpackedBytes > maxUnpackedBytes)
    throw new ImageError('image-too-large', `it has ${unpackedBytes} bytes unpacked; at most ${maxUnpackedBytes} are read`)
  const pixels = newPixels(width, height)
  const row = new Float64Array(parts.width * samples)
  const plane = new Float64Array(parts.width * layout.channels)
  for (let index = 0; index < across * down; index++) {
    const [left, top] = [(index % across) * parts.width, Math.floor(index / across) * parts.height]
    // The last strip has only the remaining rows; a tile always has all rows.
    const rows = parts.isTiled ? parts.height : Math.min(parts.height, height - top)
    const unpacked: Uint8Array[] = []
    for (let number = 0; number < planes; number++) {
      const [start = 0, size = 0] = [parts.offsets[number * across * down + index], parts.sizes[number * across * down + index]]
      needBytes(bytes, start + size)
      const part = { width: parts.width, height: rows, sizeBytes: rows * rowBytes }
      unpacked.push(await unpackPart(bytes.subarray(start, start + size), part, directory, coding))
    }
    for (let line = 0; line < Math.min(rows, height - top); line++) {
      for (const [number, part] of unpacked.entries()) {
        readRow(part.slice(line * rowBytes, (line + 1) * rowBytes), layout, isSeparate ? plane : row)
        if (isSeparate) for (let column = 0; column < parts.width; column++) row[column * samples + number] = plane[column] ?? 0
      }
      for (let column = 0; column < Math.min(parts.width, width - left); column++)
        put(row, column * samples, pixels.data, ((top + line) * width + left + column) * 4)
    }
  }
  return turned(pixels, directory.number(tag.orientation, 1))
}

function partsOf(directory: TiffDirectory, width: number, height: number): Parts {
  const tileWidth = directory.number(tag.tileWidth, 0)
  if (tileWidth === 0) {
    const rows = Math.min(height, directory.number(tag.rowsPerStrip, height))
    if (rows < 1) throw new ImageError('image-damaged', 'its strips have no rows')
    const [offsets, sizes] = [directory.numbers(tag.stripOffsets), directory.numbers(tag.stripSizes)]
    return { width, height: rows, offsets, sizes, isTiled: false }
  }
  const tileHeight = directory.number(tag.tileHeight, 0)
  checkSize(tileWidth, tileHeight)
  const [offsets, sizes] = [directory.numbers(tag.tileOffsets), directory.numbers(tag.tileSizes)]
  return { width: tileWidth, height: tileHeight, offsets, sizes, isTiled: true }
}

function layoutOf(directory: TiffDirectory, width: number, channels: number, coding: number): SampleLayout {
  const depths = directory.numbers(tag.bits)
  const bits = depths[0] ?? 1
  const formats = directory.numbers(tag.format)
  const isFloat = formats[0] === floatFormat
  const isKnown = isFloat ? [16, 32, 64].includes(bits) : bits <= 16 ? bits >= 1 : bits === 32
  if (!isKnown || depths.some(depth => depth !== bits))
    throw new ImageError('image-unsupported', `its samples have ${depths.join(', ')} bits${isFloat ? ' as floats' : ''}`)
  if (formats.some(format => format !== (isFloat ? floatFormat : 1) && format !== 4))
    throw new ImageError('image-unsupported', 'its samples are signed, or of different kinds')
  const predictor = directory.number(tag.predictor, 1)
  const isPredicted = predictor === 2 ? !isFloat && bits % 8 === 0 : predictor === 3 ? isFloat : predictor === 1
  if (!isPredicted)
    throw new ImageError('image-unsupported', `its predictor ${predictor} cannot be used with samples of ${bits} bits`)
  // JPEG data have no predictor.
  const isUndone = coding === jpegCoding
  return { bits, isFloat, isLittleEndian: directory.isLittleEndian, predictor: isUndone ? 1 : predictor, channels, width }
}
