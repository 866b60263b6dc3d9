// Decodes with the browser where there is one, for formats that have no decoder here. An animation gives its first picture.

import { checkSize, ImageError, type Pixels } from './pixels.ts'

interface Bitmap {
  readonly width: number
  readonly height: number
  close(): void
}

/** The part of the browser that is used. */
interface Browser {
  readonly createImageBitmap: (blob: unknown) => Promise<Bitmap>
  readonly Blob: new (parts: readonly Uint8Array[], options: { readonly type: string }) => unknown
  readonly OffscreenCanvas: new (
    width: number,
    height: number,
  ) => {
    getContext(kind: '2d'): {
      drawImage(bitmap: Bitmap, x: number, y: number): void
      getImageData(x: number, y: number, width: number, height: number): { readonly data: Uint8ClampedArray }
    } | null
  }
}

/** Throws `ImageError`: `image-unsupported` outside of a browser. */
export async function decodeByBrowser(bytes: Uint8Array, format: 'webp' | 'bmp'): Promise<Pixels> {
  const { createImageBitmap, Blob, OffscreenCanvas } = globalThis as unknown as Partial<Browser>
  if (createImageBitmap === undefined || OffscreenCanvas === undefined || Blob === undefined)
    throw new ImageError('image-unsupported', `${format} can be scaled in a browser only`)
  const bitmap = await createImageBitmap(new Blob([bytes], { type: `image/${format}` })).catch((error: unknown) => {
    throw new ImageError('image-damaged', 'it cannot be decoded', error)
  })
  try {
    const { width, height } = bitmap
    checkSize(width, height)
    const context = new OffscreenCanvas(width, height).getContext('2d')
    if (context === null) throw new ImageError('image-unsupported', `${format} cannot be scaled here: there is no canvas`)
    context.drawImage(bitmap, 0, 0)
    const { data } = context.getImageData(0, 0, width, height)
    return { width, height, data: new Uint8Array(data.buffer, data.byteOffset, data.length) }
  } finally {
    bitmap.close()
  }
}
