// The browser serves as an independent decoder, for icons and for the PNGs that are made for a model.

import { describe, expect, it } from 'vitest'

import { convertToPng, decodeImage } from './convert.ts'
import { inDeepRun, sample } from '../../testing/depth.ts'
import { judgeFormat, largestDifference } from '../../testing/images/judge.ts'
import { encodedPictures, formats, generatedPictures, type Picture } from '../../testing/images/pictures.ts'

// Node has the same decoders.
inDeepRun(() =>
  describe('other decoders see the same', () => {
    it.each(formats)('%s', async format => {
      const { count, failures } = await judgeFormat(format)
      expect(count).toBeGreaterThan(4)
      expect(failures).toEqual([])
    })
  }),
)

const all = [...encodedPictures, ...generatedPictures()]

describe('the browser sees the same', () => {
  it('in icons', async () => {
    const failures: string[] = []
    const icons = all.filter(({ format }) => format === 'ico')
    for (const { name, bytes } of icons) {
      const decoded = await decodeImage(bytes, 'ico')
      if ('png' in decoded) throw new Error(`${name} holds a PNG`)
      const seen = await seenByBrowser(bytes, 'image/x-icon')
      const difference = largestDifference(seen.data, afterCanvas(decoded.data))
      if (seen.width !== decoded.width || seen.height !== decoded.height || difference > 1)
        failures.push(`${name}: ${difference}`)
    }
    expect(icons.length).toBeGreaterThan(10)
    expect(failures).toEqual([])
  })

  // Each image is decoded by the browser in a separate call, so every fifth of the many small ones is enough.
  it.each(sample(formats, 2))('in the PNGs made of %s', async format => {
    const failures: string[] = []
    const pictures = all.filter(picture => picture.format === format).filter((_, index) => index % 5 === 0)
    for (const { name, bytes } of pictures) {
      const decoded = await decodeImage(bytes, format)
      if ('png' in decoded) throw new Error(`${name} holds a PNG`)
      const seen = await seenByBrowser(await convertToPng(bytes, format), 'image/png')
      const difference = largestDifference(seen.data, afterCanvas(decoded.data))
      if (seen.width !== decoded.width || seen.height !== decoded.height || difference > 1)
        failures.push(`${name}: ${difference}`)
    }
    expect(pictures.length).toBeGreaterThan(0)
    expect(failures).toEqual([])
  })
})

async function seenByBrowser(bytes: Picture['bytes'], type: string): Promise<ImageData> {
  const bitmap = await createImageBitmap(new Blob([bytes.slice()], { type }), {
    colorSpaceConversion: 'none',
    premultiplyAlpha: 'none',
  })
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('there is no canvas')
  context.drawImage(bitmap, 0, 0)
  return context.getImageData(0, 0, bitmap.width, bitmap.height)
}

/** A canvas stores colours multiplied by alpha, so ours are converted the same way before they are compared. */
function afterCanvas(data: Uint8Array): Uint8Array {
  const canvas = new OffscreenCanvas(data.length / 4, 1)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('there is no canvas')
  context.putImageData(new ImageData(new Uint8ClampedArray(data), data.length / 4, 1), 0, 0)
  return new Uint8Array(context.getImageData(0, 0, data.length / 4, 1).data.buffer)
}
