// Makes a picture small enough for a model: fewer pixels, and JPEG where PNG stays too large.

import { decodePng } from './decode-png.ts'
import { encodePng } from './encode-png.ts'
import { checkSize, ImageError, newPixels, type Pixels, viewOf } from './pixels.ts'
import type { ImageFormat } from './sniff.ts'
import { turned } from './turn.ts'

export interface ShrinkLimits {
  readonly maxBytes: number
  /** Pixels on the longer side that a picture is scaled to. */
  readonly scaledSide: number
}

export interface Shrunk {
  readonly bytes: Uint8Array
  readonly mimeType: 'image/png' | 'image/jpeg'
  readonly width: number
  readonly height: number
  readonly from: { readonly width: number; readonly height: number }
}

const jpegQuality = 82
const [maxTries, shorterBy] = [8, 0.75]

/** Width and height, as the header has them; `undefined` for a format whose header is not read here. */
export function sizeOfImage(
  bytes: Uint8Array,
  format: ImageFormat,
): { readonly width: number; readonly height: number } | undefined {
  const view = viewOf(bytes)
  if (format === 'png' && bytes.length >= 24) return { width: view.getUint32(16), height: view.getUint32(20) }
  if (format === 'gif' && bytes.length >= 10) return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
  if (format === 'bmp' && bytes.length >= 26 && view.getUint32(14, true) >= 40)
    return { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) }
  if (format === 'webp' && bytes.length >= 30) return sizeOfWebp(view)
  return format === 'jpeg' ? sizeOfJpeg(bytes, view) : undefined
}

/** Source: RFC 9649. The three kinds of first chunk each have it elsewhere. */
function sizeOfWebp(view: DataView): { readonly width: number; readonly height: number } | undefined {
  const low24 = (at: number): number => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536
  switch (view.getUint32(12)) {
    // 'VP8X', 'VP8L' and 'VP8 '.
    case 0x5650_3858:
      return { width: low24(24) + 1, height: low24(27) + 1 }
    case 0x5650_384c:
      return { width: (view.getUint16(21, true) & 0x3fff) + 1, height: ((low24(22) >> 6) & 0x3fff) + 1 }
    case 0x5650_3820:
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
    default:
      return undefined
  }
}

function sizeOfJpeg(bytes: Uint8Array, view: DataView): { readonly width: number; readonly height: number } | undefined {
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    at += 2 + view.getUint16(at + 2)
  }
  return undefined
}

/** Throws `ImageError`: for a format that is not decoded here, and for what is damaged or has too many pixels to decode. */
export async function shrinkImage(bytes: Uint8Array, format: ImageFormat, limits: ShrinkLimits): Promise<Shrunk> {
  const pixels = await decoded(bytes, format)
  const from = { width: pixels.width, height: pixels.height }
  let side = Math.min(limits.scaledSide, Math.max(from.width, from.height))
  for (let tries = 0; tries < maxTries; tries++) {
    const smaller = scaled(pixels, side)
    for (const encode of format === 'jpeg' ? [asJpeg] : [asPng, asJpeg]) {
      const encoded = await encode(smaller)
      if (encoded !== undefined && encoded.bytes.length <= limits.maxBytes)
        return { ...encoded, width: smaller.width, height: smaller.height, from }
    }
    side = Math.max(1, Math.floor(side * shorterBy))
  }
  throw new ImageError('image-too-large', `it does not fit into ${limits.maxBytes} bytes, however small it is made`)
}

async function decoded(bytes: Uint8Array, format: ImageFormat): Promise<Pixels> {
  if (format === 'png') return decodePng(bytes)
  const size = sizeOfImage(bytes, format)
  if (size !== undefined) checkSize(size.width, size.height)
  if (format === 'gif') return await decodeFirstOfGif(bytes)
  if (format === 'webp' || format === 'bmp') return await (await import('./by-browser.ts')).decodeByBrowser(bytes, format)
  if (format !== 'jpeg') throw new ImageError('image-unsupported', `${format} is not scaled here`)
  const { decode } = await import('jpeg-js')
  try {
    const { width, height, data } = decode(bytes, { useTArray: true, formatAsRGBA: true, maxMemoryUsageInMB: 768 })
    return turned({ width, height, data }, orientationOf(bytes))
  } catch (error) {
    throw new ImageError('image-damaged', 'it cannot be decoded', error)
  }
}

async function decodeFirstOfGif(bytes: Uint8Array): Promise<Pixels> {
  const pixels = await (await import('./convert.ts')).decodeImage(bytes, 'gif')
  if ('png' in pixels) throw new ImageError('image-damaged', 'it does not have the signature of a GIF')
  return pixels
}

/** From Exif, 1 to 8; 1 is upright. The new picture has no Exif, so its pixels are turned. */
function orientationOf(bytes: Uint8Array): number {
  const view = viewOf(bytes)
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff;) {
    const size = view.getUint16(at + 2)
    if (bytes[at + 1] === 0xe1 && at + 14 < bytes.length && view.getUint32(at + 4) === 0x45786966)
      return fromTiff(view, at + 10, at + 2 + size)
    if (bytes[at + 1] === 0xda) return 1
    at += 2 + size
  }
  return 1
}

function fromTiff(view: DataView, start: number, end: number): number {
  const isLittle = view.getUint16(start) === 0x4949
  const directory = start + view.getUint32(start + 4, isLittle)
  if (directory + 2 > end || end > view.byteLength) return 1
  const count = view.getUint16(directory, isLittle)
  for (let index = 0; index < count; index++) {
    const at = directory + 2 + index * 12
    if (at + 12 > end) return 1
    if (view.getUint16(at, isLittle) === 0x0112) return view.getUint16(at + 8, isLittle)
  }
  return 1
}

async function asPng(pixels: Pixels): Promise<Pick<Shrunk, 'bytes' | 'mimeType'>> {
  return { bytes: await encodePng(pixels), mimeType: 'image/png' }
}

/** JPEG has no transparency, so only for opaque pictures. */
async function asJpeg({ width, height, data }: Pixels): Promise<Pick<Shrunk, 'bytes' | 'mimeType'> | undefined> {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return undefined
  const { encode } = await import('jpeg-js')
  return { bytes: new Uint8Array(encode({ width, height, data }, jpegQuality).data), mimeType: 'image/jpeg' }
}

/** Each new pixel is the mean of those that it covers, weighted by their opacity. Never larger than before. */
function scaled(pixels: Pixels, side: number): Pixels {
  const factor = side / Math.max(pixels.width, pixels.height)
  if (factor >= 1) return pixels
  const width = Math.max(1, Math.round(pixels.width * factor))
  const height = Math.max(1, Math.round(pixels.height * factor))
  const out = newPixels(width, height)
  for (let y = 0; y < height; y++) {
    const [top, bottom] = [
      Math.floor((y * pixels.height) / height),
      Math.max(Math.floor(((y + 1) * pixels.height) / height), Math.floor((y * pixels.height) / height) + 1),
    ]
    for (let x = 0; x < width; x++) {
      const left = Math.floor((x * pixels.width) / width)
      const right = Math.max(Math.floor(((x + 1) * pixels.width) / width), left + 1)
      putMean(pixels, [left, top, right, bottom], out.data, (y * width + x) * 4)
    }
  }
  return out
}

function putMean(
  { data, width }: Pixels,
  [left, top, right, bottom]: readonly [number, number, number, number],
  out: Uint8Array,
  to: number,
): void {
  let [red, green, blue, alpha] = [0, 0, 0, 0]
  for (let y = top; y < bottom; y++) {
    for (let at = (y * width + left) * 4, end = (y * width + right) * 4; at < end; at += 4) {
      const opacity = data[at + 3] ?? 0
      red += (data[at] ?? 0) * opacity
      green += (data[at + 1] ?? 0) * opacity
      blue += (data[at + 2] ?? 0) * opacity
      alpha += opacity
    }
  }
  const count = (right - left) * (bottom - top)
  out[to] = alpha === 0 ? 0 : Math.round(red / alpha)
  out[to + 1] = alpha === 0 ? 0 : Math.round(green / alpha)
  out[to + 2] = alpha === 0 ? 0 : Math.round(blue / alpha)
  out[to + 3] = Math.round(alpha / count)
}
