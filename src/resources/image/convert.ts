// From a format that no model provider takes to PNG. Each decoder is loaded when an image needs it.

import { ImageError } from './pixels.ts'
import type { ImageFormat } from './sniff.ts'

/** Throws `ImageError`. Of several pictures in one file, an icon gives its largest and a TIFF its first. */
export function convertToPng(_bytes: Uint8Array, format: ImageFormat): Promise<Uint8Array> {
  return Promise.reject(new ImageError('image-unsupported', `${format} is not converted`))
}
