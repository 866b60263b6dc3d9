// What every decoder makes and the encoder takes, and the checks that all of them need.

import { AnchorageError } from '../../core/errors.ts'

export interface Pixels {
  readonly width: number
  readonly height: number
  /** RGBA, 8 bits each, top row first, alpha not multiplied in. */
  readonly data: Uint8Array
}

/** An image that cannot be shown. `code`: `image-damaged`, `image-unsupported`, `image-too-large`. */
export class ImageError extends AnchorageError {
  constructor(code: 'image-damaged' | 'image-unsupported' | 'image-too-large', message: string, cause?: unknown) {
    super(code, message, { cause })
    this.name = 'ImageError'
  }
}

/** 128 MiB of RGBA. A header of a few bytes can ask for much more. */
export const maxPixels: number = 32 * 1024 * 1024

/** An empty picture of a size that was checked. */
export function newPixels(width: number, height: number): Pixels {
  checkSize(width, height)
  return { width, height, data: new Uint8Array(width * height * 4) }
}

/** Throws `ImageError`. */
export function checkSize(width: number, height: number): void {
  if (!Number.isInteger(width) || !Number.isInteger(height) || width < 1 || height < 1) {
    throw new ImageError('image-damaged', `its size is ${width} × ${height}`)
  }
  if (width * height > maxPixels) {
    throw new ImageError('image-too-large', `it has ${width} × ${height} pixels; at most ${maxPixels} are decoded`)
  }
}

/** Throws `ImageError` when fewer than `neededBytes` are there. */
export function needBytes(bytes: Uint8Array, neededBytes: number): void {
  if (bytes.length < neededBytes) {
    throw new ImageError('image-damaged', `it ends after ${bytes.length} bytes; ${neededBytes} are needed`)
  }
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** A sample of `maximum` steps as one of 255. */
export function to8Bit(value: number, maximum: number): number {
  return value >= maximum ? 255 : Math.round((value * 255) / maximum)
}
