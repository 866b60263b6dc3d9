// Unpacks a strip or a tile of a TIFF to a known size. JPEG and Zstandard are decoded by other packages, loaded when a file needs them.
// Source: TIFF 6.0, sections 9, 10, 11, 13 and 22; Adobe's technical notes on JPEG and Deflate.

import { unzlibSync } from 'fflate'

import { joinBytes } from '../../core/bytes.ts'
import { decodeFax } from './ccitt.ts'
import { ImageError } from './pixels.ts'
import type { TiffDirectory } from './tiff-directory.ts'
import { checkJpeg, checkZstandard } from './tiff-foreign.ts'
import { decodeLzw } from './tiff-lzw.ts'

export interface TiffPart {
  readonly width: number
  readonly height: number
  /** The size of `width` × `height` samples. */
  readonly sizeBytes: number
}

export const jpegCoding = 7
const zstandardCoding = 50_000

const undecoded: Readonly<Record<number, string>> = {
  6: 'old-style JPEG',
  9: 'JBIG (T.85)',
  10: 'JBIG (T.43)',
  32766: 'NeXT RLE',
  32809: 'ThunderScan',
  34661: 'JBIG',
  34676: 'SGI LogLuv',
  34677: 'SGI LogLuv 24',
  34712: 'JPEG 2000',
  34887: 'LERC',
  34892: 'lossy DNG',
  34925: 'LZMA',
  50001: 'WebP',
  50002: 'JPEG XL',
  52546: 'JPEG XL',
}

const tagFillOrder = 266
const tagFaxOptions = 292
const tagJpegTables = 347

/** Throws `ImageError`. Returns at least `part.sizeBytes`. */
export async function unpackPart(
  stored: Uint8Array,
  part: TiffPart,
  directory: TiffDirectory,
  coding: number,
): Promise<Uint8Array> {
  const isReversed = directory.number(tagFillOrder, 1) === 2 && coding !== jpegCoding
  const bytes = isReversed ? stored.map(reversed) : stored
  const out = await unpack(bytes, part, directory, coding)
  if (out.length < part.sizeBytes)
    throw new ImageError('image-damaged', `a part of it has ${out.length} bytes instead of ${part.sizeBytes}`)
  return out
}

async function unpack(bytes: Uint8Array, part: TiffPart, directory: TiffDirectory, coding: number): Promise<Uint8Array> {
  switch (coding) {
    case 1:
      return bytes
    case 2:
      return decodeFax(bytes, { ...part, coding: 'rows', isTwoDimensional: false })
    case 3: {
      const isTwoDimensional = (directory.number(tagFaxOptions, 0) & 1) === 1
      return decodeFax(bytes, { ...part, coding: 'group3', isTwoDimensional })
    }
    case 4:
      return decodeFax(bytes, { ...part, coding: 'group4', isTwoDimensional: true })
    case 5:
      return decodeLzw(bytes, part.sizeBytes)
    case 8:
    case 32_946:
      return inflated(bytes, part.sizeBytes)
    case 32_773:
      return unpackBits(bytes, part.sizeBytes)
    case jpegCoding:
      return await decodeJpeg(bytes, part, directory)
    case zstandardCoding:
      return await decodeZstandard(bytes, part.sizeBytes)
    default: {
      const name = undecoded[coding]
      const what = name === undefined ? `its coding ${coding} is unknown` : `its coding ${name} is not decoded`
      throw new ImageError('image-unsupported', `${what}; LZW, Deflate, PackBits, fax, JPEG and Zstandard are`)
    }
  }
}

function inflated(bytes: Uint8Array, sizeBytes: number): Uint8Array {
  try {
    return unzlibSync(bytes, { out: new Uint8Array(sizeBytes) })
  } catch (error) {
    throw new ImageError('image-damaged', 'a part of it is not valid Deflate data', error)
  }
}

function unpackBits(bytes: Uint8Array, sizeBytes: number): Uint8Array {
  const out = new Uint8Array(sizeBytes)
  let to = 0
  for (let at = 0; at < bytes.length && to < sizeBytes;) {
    const code = ((bytes[at++] ?? 0) << 24) >> 24
    // −128 means nothing.
    if (code === -128) continue
    const count = Math.min(sizeBytes - to, Math.abs(code) + 1)
    if (at + (code < 0 ? 1 : count) > bytes.length) throw new ImageError('image-damaged', 'it ends within a run')
    if (code < 0) out.fill(bytes[at] ?? 0, to, to + count)
    else out.set(bytes.subarray(at, at + count), to)
    at += code < 0 ? 1 : count
    to += count
  }
  return out.subarray(0, to)
}

async function decodeZstandard(bytes: Uint8Array, sizeBytes: number): Promise<Uint8Array> {
  checkZstandard(bytes, sizeBytes)
  const { decompress } = await import('fzstd')
  return decodedBy(() => decompress(bytes))
}

/** One sample per colour and pixel, as in the JPEG; the TIFF defines their meaning. Tables that all parts share are in the directory. */
async function decodeJpeg(bytes: Uint8Array, part: TiffPart, directory: TiffDirectory): Promise<Uint8Array> {
  const tables = directory.bytes(tagJpegTables)
  for (const each of [bytes, tables]) checkJpeg(each, part)
  const whole = tables.length === 0 ? bytes.slice() : joinBytes([tables.subarray(0, endOfTables(tables)), bytes.subarray(2)])
  const channels = disarmColours(whole)
  if (channels === 4) throw new ImageError('image-unsupported', 'a JPEG of four colours (CMYK) in it is not decoded')
  const { decode } = await import('jpeg-js')
  const { data, width } = decodedBy(() =>
    decode(whole, { useTArray: true, formatAsRGBA: false, colorTransform: false, tolerantDecoding: false }),
  )
  if (width !== part.width) throw new ImageError('image-damaged', `a JPEG of it is ${width} pixels wide instead of ${part.width}`)
  // Gray comes as three equal samples.
  return channels === 1 ? Uint8Array.from({ length: data.length / 3 }, (_, index) => data[index * 3] ?? 0) : data
}

function endOfTables(tables: Uint8Array): number {
  return tables.at(-2) === 0xff && tables.at(-1) === 0xd9 ? tables.length - 2 : tables.length
}

/**
 * Returns the number of colours. Renames Adobe's colour marker, because the decoder would otherwise convert the colours, which is done
 * later. Source: ITU-T T.81, section B.1.1.
 */
function disarmColours(jpeg: Uint8Array): number {
  for (let at = 2; at + 4 <= jpeg.length;) {
    const mark = jpeg[at + 1] ?? 0
    if (mark === 0xee) jpeg[at + 1] = 0xed
    if (mark >= 0xc0 && mark <= 0xc2) return jpeg[at + 9] ?? 0
    at += 2 + (jpeg[at + 2] ?? 0) * 256 + (jpeg[at + 3] ?? 0)
  }
  return 0
}

/** A decoder may throw any error for damaged data. */
function decodedBy<T>(decode: () => T): T {
  try {
    return decode()
  } catch (error) {
    throw new ImageError('image-damaged', error instanceof Error ? error.message : String(error), error)
  }
}

function reversed(byte: number): number {
  let out = 0
  for (let bit = 0; bit < 8; bit++) out |= ((byte >> bit) & 1) << (7 - bit)
  return out
}
