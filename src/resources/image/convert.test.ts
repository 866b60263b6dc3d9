// Images of small encoders, written from the descriptions of the formats, must be decoded to the same pixels.

import { inflateSync } from 'node:zlib'

import { describe, expect, it } from 'vitest'

import { seeds } from '../../testing/depth.ts'
import { colours, dds, plain, samples, times } from '../../testing/images/samples.ts'
import { be32, le16, le32, text } from '../../testing/images/write-files.ts'
import { forSeeds, type Random } from '../../testing/random.ts'
import { convertToPng, decodeImage } from './convert.ts'
import { encodePng, stored } from './encode-png.ts'
import { ImageError, maxPixels, type Pixels } from './pixels.ts'
import { mimeTypeOf, sniffImage, type ImageFormat } from './sniff.ts'

describe('every sample comes back', () => {
  it.each(samples)('%s', async (_name, format, bytes, expected) => {
    const input = Uint8Array.from(bytes)
    if (format !== 'tga') expect(sniffImage(input)).toBe(format)
    const decoded = await decodeImage(input, format)
    expect(decoded).toEqual(expected)
    expect(readPng(await convertToPng(input, format))).toEqual(expected)
  })
})

describe('blocks of a DDS', () => {
  it.each([
    [95, 'BC6H'],
    [98, 'BC7'],
    [81, 'BC4 with signs'],
  ])('DXGI format %i is refused as %s', async (format, name) => {
    const bytes = dds(4, 'DX10', 0, [0, 0, 0, 0], [...le32(format, 3, 0, 1, 0), ...times(64, 0)], 4, 4)
    await expect(decodeImage(Uint8Array.from(bytes), 'dds')).rejects.toThrow(`its DXGI format is ${format}, ${name};`)
  })

  const red = le16(0xf800)
  const blue = le16(0x001f)
  // The first row contains each choice once; the other rows use the first choice.
  const choices = [0b11100100, 0, 0, 0]
  const ramp = [255, 0, 0b10001000, 0b11000110, 0b11111010, 0, 0, 0]
  const rampOf = [255, 0, 219, 182, 146, 109, 73, 36]
  const firstRow = async (code: string, body: readonly number[]): Promise<number[][]> => {
    const decoded = await decodeImage(Uint8Array.from(dds(4, code, 0, [0, 0, 0, 0], body, 4, 4)), 'dds')
    return 'png' in decoded ? [] : colours(decoded).slice(0, 8)
  }

  it('BC1 has four colours, or three and a hole', async () => {
    expect((await firstRow('DXT1', [...red, ...blue, ...choices])).slice(0, 4)).toEqual([
      [255, 0, 0, 255],
      [0, 0, 255, 255],
      [170, 0, 85, 255],
      [85, 0, 170, 255],
    ])
    expect((await firstRow('DXT1', [...blue, ...red, ...choices])).slice(0, 4)).toEqual([
      [0, 0, 255, 255],
      [255, 0, 0, 255],
      [128, 0, 128, 255],
      [0, 0, 0, 0],
    ])
  })

  it('BC2 has four bits of alpha', async () => {
    const body = [0x10, 0xf2, ...times(6, 0xff), ...red, ...blue, ...choices]
    expect((await firstRow('DXT3', body)).slice(0, 4).map(([, , , alpha]) => alpha)).toEqual([0, 17, 34, 255])
  })

  it('BC3 has a ramp of alpha', async () => {
    const alphas = (await firstRow('DXT5', [...ramp, ...red, ...blue, ...choices])).map(([, , , alpha]) => alpha)
    expect(alphas).toEqual(rampOf)
  })

  it('BC4 is gray', async () => {
    expect((await firstRow('ATI1', ramp)).map(([value]) => value)).toEqual(rampOf)
  })

  it('a size that is no multiple of four is cut', async () => {
    const bytes = dds(4, 'DXT1', 0, [0, 0, 0, 0], [...red, ...blue, ...choices, ...red, ...blue, 0, 0, 0, 0], 5, 1)
    const decoded = await decodeImage(Uint8Array.from(bytes), 'dds')
    expect('png' in decoded ? [] : colours(decoded).map(([value]) => value)).toEqual([255, 0, 170, 85, 255])
  })
})

it('an icon that holds a PNG gives that PNG, and the largest picture wins', async () => {
  const png = await encodePng(plain)
  const entry = (side: number, size: number, start: number): number[] => [side, side, 0, 0, ...le16(1, 32), ...le32(size, start)]
  const bytes = Uint8Array.from([...le16(0, 1, 2), ...entry(16, 4, 38), ...entry(0, png.length, 38), ...png])
  expect(await convertToPng(bytes, 'ico')).toEqual(png)
})

describe('HDR rows', () => {
  it('by channel, in runs', async () => {
    const row = [2, 2, 0, 8, 136, 64, 136, 64, 136, 64, 136, 128]
    const bytes = Uint8Array.from([...text('#?RADIANCE\n\n-Y 1 +X 8\n'), ...row])
    const decoded = await decodeImage(bytes, 'hdr')
    expect('png' in decoded ? [] : colours(decoded)).toEqual(times(8, [137, 137, 137, 255]))
  })

  it('of the old form, with a repeat', async () => {
    const bytes = Uint8Array.from([...text('#?RADIANCE\n\n-Y 1 +X 4\n'), 64, 64, 64, 128, 1, 1, 1, 3])
    const decoded = await decodeImage(bytes, 'hdr')
    expect('png' in decoded ? 0 : decoded.data.length).toBe(16)
  })
})

describe('what is damaged is refused, and nothing hangs', () => {
  it.each(samples)('%s, cut anywhere', async (_name, format, bytes) => {
    for (let end = 0; end < bytes.length; end += Math.max(1, Math.floor(bytes.length / 60))) {
      await decodedOrRefused(Uint8Array.from(bytes.slice(0, end)), format)
    }
  })

  it('with bytes changed at random', async () => {
    await forSeeds(seeds({ quick: 30, deep: 600 }), async (random: Random) => {
      const [, format, bytes] = random.pick(samples)
      const input = Uint8Array.from(bytes)
      for (let count = 0; count < 4; count++) input[random.below(Math.min(input.length, 120))] = random.below(256)
      await decodedOrRefused(input, format)
    })
  })

  it.each([
    ['a huge qoi', 'qoi', [...text('qoif'), ...be32(0xffffff, 0xffffff), 4, 0]],
    ['a huge farbfeld', 'farbfeld', [...text('farbfeld'), ...be32(0xffffffff, 0xffffffff)]],
    ['a huge P6', 'pnm', text('P6 999999 999999 255\n')],
    ['no size', 'qoi', [...text('qoif'), ...be32(0, 3), 4, 0]],
    ['nothing', 'tga', []],
  ] as const)('%s', async (_name, format, bytes) => {
    await expect(decodeImage(Uint8Array.from(bytes), format)).rejects.toBeInstanceOf(ImageError)
  })
})

async function decodedOrRefused(input: Uint8Array, format: ImageFormat): Promise<void> {
  try {
    const decoded = await decodeImage(input, format)
    if (!('png' in decoded)) {
      expect(decoded.width * decoded.height).toBeLessThanOrEqual(maxPixels)
      expect(decoded.data.length).toBe(decoded.width * decoded.height * 4)
    }
  } catch (error) {
    expect(error).toBeInstanceOf(ImageError)
  }
}

describe('PNG', () => {
  it('is written without CompressionStream too', async () => {
    const large = new Uint8Array(200_000).map((_, index) => (index * 7) & 255)
    expect(Buffer.compare(inflateSync(stored(large)), large)).toBe(0)
    expect(new Uint8Array(inflateSync(stored(new Uint8Array())))).toEqual(new Uint8Array())
  })

  it('of random pictures comes back', async () => {
    await forSeeds(seeds({ quick: 10, deep: 160 }), async random => {
      const [w, h] = [1 + random.below(20), 1 + random.below(20)]
      const hasAlpha = random.chance(0.5)
      const data = Uint8Array.from({ length: w * h * 4 }, (_, at) => (at % 4 === 3 && !hasAlpha ? 255 : random.below(256)))
      const pixels = { width: w, height: h, data }
      expect(readPng(await encodePng(pixels))).toEqual(pixels)
    })
  })
})

it.each([
  ['png', 'image/png'],
  ['jpeg', 'image/jpeg'],
  ['tiff', undefined],
  ['tga', undefined],
] as const)('%s is shown as %s', (format, mimeType) => {
  expect(mimeTypeOf(format)).toBe(mimeType)
})

it.each([
  ['GIF89a', 'gif'],
  ['RIFF\0\0\0\0WEBP', 'webp'],
  ['RIFF\0\0\0\0WAVE', undefined],
  ['BM but prose, and long enough to be one', undefined],
  ['P9 ', undefined],
  ['Plain text', undefined],
  ['', undefined],
])('%j is %s', (start, format) => {
  expect(sniffImage(Uint8Array.from(text(start)))).toBe(format)
})

/** A reader for the PNGs that are written here: 8 bits, gray or colour with or without alpha, any filter. */
function readPng(bytes: Uint8Array): Pixels {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const [w, h] = [view.getUint32(16), view.getUint32(20)]
  const channels = { 0: 1, 2: 3, 6: 4 }[bytes[25] ?? 0] ?? 0
  const raw = new Uint8Array(inflateSync(bytes.subarray(41, 41 + view.getUint32(33))))
  const rowBytes = w * channels
  const data = new Uint8Array(w * h * 4).fill(255)
  let above = new Uint8Array(rowBytes)
  for (let row = 0; row < h; row++) {
    const filter = raw[row * (rowBytes + 1)]
    const line = raw.slice(row * (rowBytes + 1) + 1, (row + 1) * (rowBytes + 1))
    for (let at = 0; at < rowBytes; at++) {
      const [a, b, c] = [line[at - channels] ?? 0, above[at] ?? 0, above[at - channels] ?? 0]
      const nearest = [a, b, c].sort((one, other) => Math.abs(a + b - c - one) - Math.abs(a + b - c - other))[0] ?? 0
      line[at] = ((line[at] ?? 0) + ([0, a, b, (a + b) >> 1, nearest][filter ?? 0] ?? 0)) & 255
    }
    for (let column = 0; column < w; column++) {
      const colour = line.subarray(column * channels, (column + 1) * channels)
      data.set(channels === 1 ? [...colour, ...colour, ...colour] : colour, (row * w + column) * 4)
    }
    above = line
  }
  return { width: w, height: h, data }
}
