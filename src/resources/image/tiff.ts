// TIFF through geotiff, whose codecs load by themselves when a file needs them. The first picture of a file is decoded.

import { fromArrayBuffer } from 'geotiff'

import { checkSize, ImageError, linearTo8Bit, newPixels, to8Bit, type Pixels } from './pixels.ts'
import { isSoundLzw } from './tiff-lzw.ts'

type TiffImage = Awaited<ReturnType<Awaited<ReturnType<typeof fromArrayBuffer>>['getImage']>>

const whiteIsZero = 0
const blackIsZero = 1
const rgb = 2
const lzw = 5

export async function decodeTiff(bytes: Uint8Array): Promise<Pixels> {
  try {
    const tiff = await fromArrayBuffer(bytes.slice().buffer)
    const image = await tiff.getImage(0)
    checkSize(image.getWidth(), image.getHeight())
    await refuseUnsoundLzw(image, bytes)
    return await pixelsOf(image)
  } catch (error) {
    if (error instanceof ImageError) throw error
    throw new ImageError('image-unsupported', error instanceof Error ? error.message : String(error), error)
  }
}

async function refuseUnsoundLzw({ fileDirectory }: TiffImage, bytes: Uint8Array): Promise<void> {
  if (fileDirectory.getValue('Compression') !== lzw) return
  for (const part of ['Strip', 'Tile'] as const) {
    if (!fileDirectory.hasTag(`${part}Offsets`)) continue
    const [offsets, sizes]: unknown[] = [
      await fileDirectory.loadValue(`${part}Offsets`),
      await fileDirectory.loadValue(`${part}ByteCounts`),
    ]
    for (const [index, start] of numbersIn(offsets).entries()) {
      if (isSoundLzw(bytes.subarray(start, start + (numbersIn(sizes)[index] ?? 0)))) continue
      throw new ImageError('image-damaged', 'a part of it is no LZW')
    }
  }
}

function numbersIn(value: unknown): readonly number[] {
  if (typeof value === 'number') return [value]
  return isSamples(value) || Array.isArray(value) ? Array.from(value, Number) : []
}

async function pixelsOf(image: TiffImage): Promise<Pixels> {
  const photometric: unknown = image.fileDirectory.getValue('PhotometricInterpretation')
  if (photometric !== whiteIsZero && photometric !== blackIsZero && photometric !== rgb) {
    return filled(image, await image.readRGB({ interleave: true }), 3, value => value)
  }
  const channels = image.getSamplesPerPixel()
  const isFloat = image.getSampleFormat(0) === 3
  const maximum = 2 ** image.getBitsPerSample(0) - 1
  const scale = isFloat ? linearTo8Bit : (value: number): number => to8Bit(value, maximum)
  const shown = photometric === whiteIsZero ? (value: number): number => 255 - scale(value) : scale
  return filled(image, await image.readRasters({ interleave: true }), channels, shown, maximum)
}

/** `maximum` is that of alpha, which no curve applies to. */
function filled(image: TiffImage, raster: unknown, channels: number, shown: (value: number) => number, maximum = 255): Pixels {
  const pixels = newPixels(image.getWidth(), image.getHeight())
  if (!isSamples(raster) || raster.length < pixels.width * pixels.height * channels) {
    throw new ImageError('image-damaged', 'samples are missing')
  }
  const isGray = channels < 3
  const hasAlpha = channels === 2 || channels === 4
  const { data } = pixels
  for (let index = 0; index < pixels.width * pixels.height; index++) {
    const from = index * channels
    const red = shown(raster[from] ?? 0)
    data[index * 4] = red
    data[index * 4 + 1] = isGray ? red : shown(raster[from + 1] ?? 0)
    data[index * 4 + 2] = isGray ? red : shown(raster[from + 2] ?? 0)
    data[index * 4 + 3] = hasAlpha ? to8Bit(raster[from + channels - 1] ?? 0, maximum) : 255
  }
  return pixels
}

function isSamples(raster: unknown): raster is ArrayLike<number> {
  return ArrayBuffer.isView(raster) && 'length' in raster
}
