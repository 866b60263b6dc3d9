// What a strip or a tile of a TIFF stores, unpacked to a size that is known before. The picture codings within TIFF are geotiff's, loaded
// when a file has them. Source: TIFF 6.0, sections 9, 10, 11, 13 and 22; Adobe's technical notes on JPEG and Deflate.

import { unzlibSync } from 'fflate'

import { decodeFax } from './ccitt.ts'
import { ImageError } from './pixels.ts'
import type { TiffDirectory } from './tiff-directory.ts'
import { checkJpeg, checkZstandard } from './tiff-foreign.ts'
import { decodeLzw } from './tiff-lzw.ts'

export interface TiffPart {
  readonly width: number
  readonly height: number
  /** Of the samples that `width` and `height` ask for. */
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

/** Throws `ImageError`. Gives at least `part.sizeBytes`. */
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
    case zstandardCoding:
      return await unpackWithGeotiff(bytes, part, directory, coding)
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
    throw new ImageError('image-damaged', 'a part of it is no deflated data', error)
  }
}

function unpackBits(bytes: Uint8Array, sizeBytes: number): Uint8Array {
  const out = new Uint8Array(sizeBytes)
  let to = 0
  for (let at = 0; at < bytes.length && to < sizeBytes;) {
    const code = ((bytes[at++] ?? 0) << 24) >> 24
    // −128 stands for nothing.
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

async function unpackWithGeotiff(
  bytes: Uint8Array,
  part: TiffPart,
  directory: TiffDirectory,
  coding: number,
): Promise<Uint8Array> {
  const { getDecoder } = await import('./geotiff-codings.ts')
  const tables = directory.bytes(tagJpegTables)
  if (coding === zstandardCoding) checkZstandard(bytes, part.sizeBytes)
  else for (const each of [bytes, tables]) checkJpeg(each, part)
  const parameters = {
    // What is undone after decoding is undone here.
    predictor: 1,
    tileWidth: 0,
    tileHeight: 0,
    bitsPerSample: 8,
    planarConfiguration: 1,
    ...(tables.length === 0 ? {} : { JPEGTables: tables }),
  }
  const decoder = await loaded(() => getDecoder(coding, parameters))
  try {
    return new Uint8Array(await decoder.decode(bytes.slice().buffer))
  } catch (error) {
    throw new ImageError('image-damaged', error instanceof Error ? error.message : String(error), error)
  }
}

/** Zstandard is WebAssembly, which some platforms do not let a program compile. */
async function loaded<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new ImageError('image-unsupported', `what decodes its coding does not run here: ${why}`, error)
  }
}

function reversed(byte: number): number {
  let out = 0
  for (let bit = 0; bit < 8; bit++) out |= ((byte >> bit) & 1) << (7 - bit)
  return out
}
