// Pictures: those that models take as they are, the others as PNG.

import { ToolError } from '../../core/errors.ts'
import { formatSize } from '../../core/size.ts'
import type { Resource, ResourceAddress, ResourceSource } from '../kind.ts'
import { ImageError } from './pixels.ts'
import type { Shrunk } from './shrink.ts'
import { mimeTypeOf, sniffImage, type ImageFormat } from './sniff.ts'

/** What model providers take: 5 MB of base64. */
const shownMaxBytes = 3_750_000
const openedMaxBytes = 64 * 1024 * 1024
/** Providers refuse a picture with a longer side. Such a one is scaled to less, because they scale it down anyway. */
const [shownMaxSide, scaledSide] = [8000, 2000]

export function claims(head: Uint8Array, source: ResourceSource): boolean {
  return formatOf(head, source.display) !== undefined
}

/** A name alone does not make a text a picture; only TGA has no other sign. */
function formatOf(head: Uint8Array, name: string): ImageFormat | undefined {
  return sniffImage(head) ?? (name.toLowerCase().endsWith('.tga') ? 'tga' : undefined)
}

export async function open({ source, inner }: ResourceAddress): Promise<Resource | undefined> {
  if (source === undefined || inner !== '') return undefined
  const { display } = source
  if (source.sizeBytes > openedMaxBytes) throw tooLarge(display, source.sizeBytes)
  const bytes = await source.read()
  const format = formatOf(bytes, display)
  if (format === undefined) return undefined
  const shownType = mimeTypeOf(format)
  const shown = shownType === undefined ? await convert(display, bytes, format) : bytes
  const smaller = await shrunk(display, shown, shownType === undefined ? 'png' : format)
  if (smaller !== undefined) return scaledImage(display, smaller, format)
  return {
    kind: 'image',
    display,
    bytes: shown,
    mimeType: shownType ?? 'image/png',
    text: shownType === undefined ? `[Image: ${display}, shown as PNG]` : `[Image: ${display}]`,
    details: {
      mimeType: shownType ?? 'image/png',
      sizeBytes: shown.length,
      ...(shownType === undefined ? { convertedFrom: format } : {}),
    },
  }
}

/** `undefined`: it fits as it is. */
async function shrunk(display: string, bytes: Uint8Array, format: ImageFormat): Promise<Shrunk | undefined> {
  const { shrinkImage, sizeOfImage } = await import('./shrink.ts')
  const size = sizeOfImage(bytes, format)
  const isLong = size !== undefined && Math.max(size.width, size.height) > shownMaxSide
  if (bytes.length <= shownMaxBytes && !isLong) return undefined
  try {
    return await shrinkImage(bytes, format, { maxBytes: shownMaxBytes, scaledSide })
  } catch (error) {
    if (!(error instanceof ImageError)) throw error
    throw tooLarge(display, bytes.length, error)
  }
}

function scaledImage(display: string, { bytes, mimeType, width, height, from }: Shrunk, format: ImageFormat): Resource {
  const first = format === 'gif' || format === 'webp' ? 'its first frame, ' : ''
  const sizes = `${first}${from.width} × ${from.height} pixels, scaled to ${width} × ${height}`
  const kind = mimeType === 'image/jpeg' ? 'JPEG' : 'PNG'
  return {
    kind: 'image',
    display,
    bytes,
    mimeType,
    text: `[Image: ${display}, ${sizes} and shown as ${kind}]`,
    details: { mimeType, sizeBytes: bytes.length, width, height, scaledFrom: { ...from, format } },
  }
}

async function convert(display: string, bytes: Uint8Array, format: ImageFormat): Promise<Uint8Array> {
  const { convertToPng } = await import('./convert.ts')
  try {
    return await convertToPng(bytes, format)
  } catch (error) {
    if (!(error instanceof ImageError)) throw error
    throw new ToolError(error.code, `${display} is a damaged or unusual ${format} image: ${error.message}.`, {
      nextStep: 'Ask the user for the image as PNG.',
      details: { path: display, format },
      cause: error,
    })
  }
}

function tooLarge(display: string, sizeBytes: number, cause?: ImageError): ToolError {
  const why = cause === undefined ? '' : ` It was not made smaller: ${cause.message}.`
  return new ToolError(
    'image-too-large',
    `The image ${display} is ${formatSize(sizeBytes)}; at most ${formatSize(shownMaxBytes)} and ${shownMaxSide} pixels a side can be shown.${why}`,
    { nextStep: 'Ask the user for a smaller one, or for the same as PNG or JPEG.', details: { path: display, sizeBytes }, cause },
  )
}
