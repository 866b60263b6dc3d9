// Pictures that are too large for a model are scaled, and the note says so.

import { encode } from 'jpeg-js'
import { zlibSync } from 'fflate'
import { describe, expect, it } from 'vitest'

import { createRandom } from '../../testing/random.ts'
import { decodePng } from './decode-png.ts'
import { encodePng } from './encode-png.ts'
import type { Pixels } from './pixels.ts'
import { shrinkImage, sizeOfImage } from './shrink.ts'
import { sniffImage } from './sniff.ts'

function noise(width: number, height: number, alpha: number = 255): Pixels {
  const random = createRandom(width * height)
  const data = Uint8Array.from({ length: width * height * 4 }, (_, at) => (at % 4 === 3 ? alpha : random.below(256)))
  return { width, height, data }
}

describe('PNG', () => {
  it.each([
    ['colours', noise(13, 7)],
    ['transparent colours', noise(9, 3, 77)],
    ['grays', { width: 5, height: 2, data: Uint8Array.from({ length: 40 }, (_, at) => (at % 4 === 3 ? 255 : (at >> 2) * 20)) }],
  ])('of %s is decoded to what was encoded', async (_what, pixels) => {
    expect(decodePng(await encodePng(pixels))).toEqual(pixels)
  })

  it.each<[what: string, depth: number, colorType: number, rows: readonly (readonly number[])[], expected: readonly number[]]>([
    ['one bit', 1, 0, [[0, 0b1010_0000]], [255, 0, 255, 0]],
    ['two bits', 2, 0, [[0, 0b0001_1011]], [0, 85, 170, 255]],
    ['sixteen bits', 16, 0, [[0, 1, 255, 2, 0, 3, 9, 4, 4]], [1, 2, 3, 4]],
    ['the filter of above', 8, 0, [[2, 1, 2, 3, 4]], [1, 2, 3, 4]],
    ['the filter of the left', 8, 0, [[1, 1, 1, 1, 1]], [1, 2, 3, 4]],
    ['the filter of the mean', 8, 0, [[3, 2, 2, 2, 2]], [2, 3, 3, 3]],
  ])('with %s', (_what, depth, colorType, rows, expected) => {
    const { data } = decodePng(png({ width: 4, height: 1, depth, colorType, rows }))
    expect([0, 4, 8, 12].map(at => data[at])).toEqual(expected)
  })

  it('that is damaged is refused', async () => {
    const bytes = await encodePng(noise(20, 20))
    const random = createRandom(3)
    for (let index = 0; index < 200; index++) {
      const damaged = bytes.slice(0, index % 2 === 0 ? random.below(bytes.length) : bytes.length)
      damaged[random.below(bytes.length)] = random.below(256)
      try {
        decodePng(damaged)
      } catch (error) {
        expect(error).toSatisfy(each => each instanceof RangeError || (each instanceof Error && each.name === 'ImageError'))
      }
    }
  })
})

describe('a picture that is too large', () => {
  it('is scaled to fewer pixels as PNG', async () => {
    const bytes = await encodePng({ width: 400, height: 100, data: new Uint8Array(160_000).fill(255) })
    const small = await shrinkImage(bytes, 'png', { maxBytes: 10_000, scaledSide: 100 })
    expect(small).toMatchObject({ mimeType: 'image/png', width: 100, height: 25, from: { width: 400, height: 100 } })
    expect(decodePng(small.bytes).data.every(value => value === 255)).toBe(true)
  })

  it('becomes a JPEG, and smaller, until it fits', async () => {
    const bytes = await encodePng(noise(300, 200))
    const small = await shrinkImage(bytes, 'png', { maxBytes: 20_000, scaledSide: 300 })
    expect([sniffImage(small.bytes), small.bytes.length <= 20_000, small.width < 300]).toEqual(['jpeg', true, true])
    expect(sizeOfImage(small.bytes, 'jpeg')).toEqual({ width: small.width, height: small.height })
  })

  it('keeps its transparency', async () => {
    const small = await shrinkImage(await encodePng(noise(200, 200, 128)), 'png', { maxBytes: 30_000, scaledSide: 200 })
    expect([small.mimeType, decodePng(small.bytes).data[3]]).toEqual(['image/png', 128])
  })

  it('is turned as its Exif says', async () => {
    const { data } = encode({ width: 64, height: 32, data: noise(64, 32).data }, 50)
    const exif = [
      0xff, 0xe1, 0, 34, 0x45, 0x78, 0x69, 0x66, 0, 0, 0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6,
    ]
    const bytes = Uint8Array.from([0xff, 0xd8, ...exif, 0, 0, 0, 0, 0, 0, ...data.subarray(2)])
    expect(await shrinkImage(bytes, 'jpeg', { maxBytes: 100_000, scaledSide: 64 })).toMatchObject({ width: 32, height: 64 })
  })

  it.each([
    ['gif', new Uint8Array([0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0]), 'image-damaged'],
    ['webp', new TextEncoder().encode('RIFF\0\0\0\0WEBPVP8L\0\0\0\0/' + '\0'.repeat(9)), 'image-unsupported'],
    ['png', new Uint8Array(30), 'image-damaged'],
    ['jpeg', new Uint8Array([0xff, 0xd8, 0xff, 0xd9]), 'image-damaged'],
  ] as const)('%s that cannot be decoded is refused', async (format, bytes, code) => {
    await expect(shrinkImage(bytes, format, { maxBytes: 1, scaledSide: 1 })).rejects.toMatchObject({ code })
  })
})

/** Checksums are not looked at. */
function png(image: {
  readonly width: number
  readonly height: number
  readonly depth: number
  readonly colorType: number
  readonly rows: readonly (readonly number[])[]
}): Uint8Array {
  const chunk = (name: string, content: Uint8Array): number[] => {
    const size = new Uint8Array(4)
    new DataView(size.buffer).setUint32(0, content.length)
    return [...size, ...new TextEncoder().encode(name), ...content, 0, 0, 0, 0]
  }
  const header = new Uint8Array(13)
  const view = new DataView(header.buffer)
  view.setUint32(0, image.width)
  view.setUint32(4, image.height)
  header.set([image.depth, image.colorType], 8)
  const content = zlibSync(Uint8Array.from(image.rows.flat()))
  return Uint8Array.from([
    0x89,
    0x50,
    0x4e,
    0x47,
    13,
    10,
    26,
    10,
    ...chunk('IHDR', header),
    ...chunk('IDAT', content),
    ...chunk('IEND', new Uint8Array()),
  ])
}
