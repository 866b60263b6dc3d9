// Converts formats that no model provider accepts to PNG. Each decoder is loaded when an image needs it.

import { encodePng } from './encode-png.ts'
import { ImageError, type Pixels } from './pixels.ts'
import type { ImageFormat } from './sniff.ts'

/**
 * Throws `ImageError`. If a file contains several images, uses the largest of an icon and the first of a TIFF or GIF. 16-bit samples are rounded
 * to 8 bits; linear light (hdr, exr) is clamped to 0…1 and converted with the sRGB curve.
 */
export async function convertToPng(bytes: Uint8Array, format: ImageFormat): Promise<Uint8Array> {
  const decoded = await decodeImage(bytes, format)
  return 'png' in decoded ? decoded.png : encodePng(decoded)
}

/** The pixels, or the PNG that an icon contains. */
export async function decodeImage(bytes: Uint8Array, format: ImageFormat): Promise<Pixels | { readonly png: Uint8Array }> {
  try {
    return await decodeAs(bytes, format)
  } catch (error) {
    // The decoder read past the end of a view.
    if (error instanceof RangeError) throw new ImageError('image-damaged', 'it ends too early', error)
    throw error
  }
}

async function decodeAs(bytes: Uint8Array, format: ImageFormat): Promise<Pixels | { readonly png: Uint8Array }> {
  switch (format) {
    case 'gif':
      return (await import('./gif.ts')).decodeGif(bytes)
    case 'qoi':
      return (await import('./qoi.ts')).decodeQoi(bytes)
    case 'farbfeld':
      return (await import('./farbfeld.ts')).decodeFarbfeld(bytes)
    case 'pnm':
      return (await import('./pnm.ts')).decodePnm(bytes)
    case 'tga':
      return (await import('./tga.ts')).decodeTga(bytes)
    case 'hdr':
      return (await import('./hdr.ts')).decodeHdr(bytes)
    case 'dds':
      return (await import('./dds.ts')).decodeDds(bytes)
    case 'ico':
      return (await import('./ico.ts')).decodeIco(bytes)
    case 'exr':
      return (await import('./exr.ts')).decodeExr(bytes)
    case 'tiff':
      return (await import('./tiff.ts')).decodeTiff(bytes)
    default:
      throw new ImageError('image-unsupported', `${format} is shown as it is and never converted`)
  }
}
