// The result of every decoder and the input of the encoder, and the checks that they share.

import { AnchorageError } from '../../core/errors.ts'

export interface Pixels {
  readonly width: number
  readonly height: number
  /** RGBA, 8 bits each, top row first, without premultiplied alpha. */
  readonly data: Uint8Array
}

/** An image that cannot be shown. `code`: `image-damaged`, `image-unsupported`, `image-too-large`. */
export class ImageError extends AnchorageError {
  constructor(code: 'image-damaged' | 'image-unsupported' | 'image-too-large', message: string, cause?: unknown) {
    super(code, message, { cause })
    this.name = 'ImageError'
  }
}

/** 128 MiB of RGBA. A header of a few bytes can request much more. */
export const maxPixels: number = 32 * 1024 * 1024

/** An empty image, after checking its size. */
export function newPixels(width: number, height: number): Pixels {
  checkSize(width, height)
  return { width, height, data: new Uint8Array(width * height * 4) }
}

/** Throws `ImageError`. */
export function checkSize(width: number, height: number): void {
  if (!Number.isInteger(width) || !Number.isInteger(height) || width < 1 || height < 1)
    throw new ImageError('image-damaged', `its size is ${width} × ${height}`)
  if (width * height > maxPixels)
    throw new ImageError('image-too-large', `it has ${width} × ${height} pixels; at most ${maxPixels} are decoded`)
}

/** Throws `ImageError` if there are fewer than `neededBytes`. */
export function needBytes(bytes: Uint8Array, neededBytes: number): void {
  if (bytes.length < neededBytes)
    throw new ImageError('image-damaged', `it ends after ${bytes.length} bytes; ${neededBytes} are needed`)
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Scales a sample with the maximum `maximum` to 255. */
export function to8Bit(value: number, maximum: number): number {
  return value >= maximum ? 255 : Math.round((value * 255) / maximum)
}

/** The Paeth predictor of PNG. */
export function nearest(left: number, over: number, corner: number): number {
  const [byLeft, byOver, byCorner] = [Math.abs(over - corner), Math.abs(left - corner), Math.abs(left + over - 2 * corner)]
  if (byLeft <= byOver && byLeft <= byCorner) return left
  return byOver <= byCorner ? over : corner
}
