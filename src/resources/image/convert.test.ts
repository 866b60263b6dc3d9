// Images are written here by small encoders, byte by byte from the descriptions of the formats, and must be decoded to the same pixels.

import { inflateSync } from 'node:zlib'

import { describe, expect, it } from 'vitest'

import { seeds } from '../../testing/depth.ts'
import { forSeeds, type Random } from '../../testing/random.ts'
import { convertToPng, decodeImage } from './convert.ts'
import { encodePng, stored } from './encode-png.ts'
import { linearTo8Bit } from './light.ts'
import { ImageError, maxPixels, type Pixels } from './pixels.ts'
import { mimeTypeOf, sniffImage, type ImageFormat } from './sniff.ts'

const le16 = (...values: readonly number[]): number[] => values.flatMap(value => [value & 255, (value >> 8) & 255])
const le32 = (...values: readonly number[]): number[] =>
  values.flatMap(value => [value & 255, (value >>> 8) & 255, (value >>> 16) & 255, (value >>> 24) & 255])
const be16 = (...values: readonly number[]): number[] => values.flatMap(value => [(value >> 8) & 255, value & 255])
const be32 = (...values: readonly number[]): number[] => values.flatMap(value => le32(value).reverse())
const text = (value: string): number[] => Array.from(value, character => character.charCodeAt(0))
const float32 = (value: number): number[] => [...new Uint8Array(new Float32Array([value]).buffer)]

function times<T>(count: number, value: T): T[] {
  return Array.from({ length: count }, () => value)
}

const width = 5
const height = 3
/** Opaque unless `hasAlpha`. Every pixel differs, and the middle one is plain red. */
function picture(hasAlpha = false): Pixels {
  const data = new Uint8Array(width * height * 4)
  for (let index = 0; index < width * height; index++) {
    data.set([index * 17, 255 - index * 9, (index * 53) & 255, hasAlpha ? 255 - index * 17 : 255], index * 4)
  }
  return { width, height, data }
}
function gray({ data, ...size }: Pixels): Pixels {
  return { ...size, data: data.map((value, index) => (index % 4 === 3 ? value : (data[index - (index % 4)] ?? 0))) }
}
const colours = ({ data }: Pixels): number[][] =>
  Array.from({ length: data.length / 4 }, (_, index) => [...data.subarray(index * 4, index * 4 + 4)])
const rgbOf = (pixels: Pixels): number[] => colours(pixels).flatMap(colour => colour.slice(0, 3))
const redOf = (pixels: Pixels): number[] => colours(pixels).map(([red = 0]) => red)
const bgraOf = (pixels: Pixels): number[] =>
  colours(pixels).flatMap(([red = 0, green = 0, blue = 0, alpha = 0]) => [blue, green, red, alpha])
const flipped = (pixels: Pixels): Pixels => ({
  ...pixels,
  data: Uint8Array.from({ length: height }, (_, row) => row).reduce((out, row) => {
    out.set(pixels.data.subarray(row * width * 4, (row + 1) * width * 4), (height - 1 - row) * width * 4)
    return out
  }, new Uint8Array(pixels.data.length)),
})

const plain = picture()
const clear = picture(true)
const greyed = gray(plain)
const bits: Pixels = { width, height, data: plain.data.map((_, at) => (at % 4 === 3 || (at >> 2) % 3 === 0 ? 255 : 0)) }
const isWhite = (index: number): boolean => index % 3 === 0

function tga(type: number, depth: number, descriptor: number, body: readonly number[], map: readonly number[] = []): number[] {
  return [
    2,
    map.length > 0 ? 1 : 0,
    type,
    ...le16(0, map.length / 3),
    map.length > 0 ? 24 : 0,
    0,
    0,
    0,
    0,
    ...le16(width, height),
    depth,
    descriptor,
    9,
    9,
    ...map,
    ...body,
  ]
}
const bgrOf = (pixels: Pixels): number[] => colours(pixels).flatMap(([red = 0, green = 0, blue = 0]) => [blue, green, red])

function dds(
  flags: number,
  code: string,
  bitCount: number,
  masks: readonly number[],
  body: readonly number[],
  w = width,
  h = height,
): number[] {
  return [
    ...text('DDS '),
    ...le32(124, 0, h, w, 0, 0, 0),
    ...times(44, 0),
    ...le32(32, flags),
    ...text(code),
    ...le32(bitCount, ...masks, 0, 0, 0, 0, 0),
    ...body,
  ]
}

function icon(
  bitCount: number,
  palette: readonly number[],
  rows: readonly (readonly number[])[],
  mask: readonly number[],
): number[] {
  const pad = (row: readonly number[]): number[] => [...row, ...times((4 - (row.length % 4)) % 4, 0)]
  const body = [
    ...le32(40, width, height * 2),
    ...le16(1, bitCount),
    ...le32(0, 0, 0, 0, palette.length / 4, 0),
    ...palette,
    ...[...rows].reverse().flatMap(pad),
    ...mask,
  ]
  return [...le16(0, 1, 1), width, height, 0, 0, ...le16(1, bitCount), ...le32(body.length, 22), ...body]
}
const rowsOf = (values: readonly number[], perRow: number): number[][] =>
  Array.from({ length: height }, (_, row) => values.slice(row * perRow, (row + 1) * perRow))

/** Uncompressed, one strip. */
function tiff(
  photometric: number,
  sampleBits: number,
  samples: number,
  body: readonly number[],
  more: readonly (readonly number[])[] = [],
  tail: readonly number[] = [],
): number[] {
  const entry = (tag: number, type: number, count: number, value: number): number[] => [
    ...le16(tag, type),
    ...le32(count),
    ...(type === 3 && count === 1 ? [...le16(value), 0, 0] : le32(value)),
  ]
  const bitsAt = 8 + body.length + (body.length % 2)
  const tailAt = bitsAt + samples * 2
  const directoryAt = tailAt + tail.length
  const entries = [
    entry(256, 3, 1, width),
    entry(257, 3, 1, height),
    samples === 1
      ? entry(258, 3, 1, sampleBits)
      : samples === 2
        ? [...le16(258, 3), ...le32(2), ...le16(sampleBits, sampleBits)]
        : entry(258, 3, samples, bitsAt),
    entry(259, 3, 1, 1),
    entry(262, 3, 1, photometric),
    entry(273, 4, 1, 8),
    entry(277, 3, 1, samples),
    entry(278, 3, 1, height),
    entry(279, 4, 1, body.length),
    ...more.map(([tag = 0, type = 0, count = 0, value = 0]) => entry(tag, type, count, value === -1 ? tailAt : value)),
  ]
  return [
    ...text('II'),
    ...le16(42),
    ...le32(directoryAt),
    ...body,
    ...times(body.length % 2, 0),
    ...le16(...times(samples, sampleBits)),
    ...tail,
    ...le16(entries.length),
    ...entries.flat(),
    ...le32(0),
  ]
}

/** Not compressed, 32-bit floats, channels in the order of their names. */
function exr(channels: readonly string[], sample: (index: number, channel: string) => number): number[] {
  const attribute = (name: string, type: string, value: readonly number[]): number[] => [
    ...text(`${name}\0${type}\0`),
    ...le32(value.length),
    ...value,
  ]
  const list = [...channels.flatMap(name => [...text(`${name}\0`), ...le32(2, 0, 1, 1)]), 0]
  const window = le32(0, 0, width - 1, height - 1)
  const header = [
    ...le32(0x01312f76, 2),
    ...attribute('channels', 'chlist', list),
    ...attribute('compression', 'compression', [0]),
    ...attribute('dataWindow', 'box2i', window),
    ...attribute('displayWindow', 'box2i', window),
    ...attribute('lineOrder', 'lineOrder', [0]),
    ...attribute('pixelAspectRatio', 'float', float32(1)),
    ...attribute('screenWindowCenter', 'v2f', [...float32(0), ...float32(0)]),
    ...attribute('screenWindowWidth', 'float', float32(1)),
    0,
  ]
  const rowBytes = width * channels.length * 4
  const first = header.length + height * 8
  const offsets = Array.from({ length: height }, (_, row) => le32(first + row * (rowBytes + 8), 0)).flat()
  const rows = Array.from({ length: height }, (_, row) => [
    ...le32(row, rowBytes),
    ...channels.flatMap(channel =>
      Array.from({ length: width }, (__, column) => float32(sample(row * width + column, channel))).flat(),
    ),
  ]).flat()
  return [...header, ...offsets, ...rows]
}

const linear = (index: number): number => index / 14
const linearPicture: Pixels = {
  width,
  height,
  data: Uint8Array.from({ length: 60 }, (_, at) => (at % 4 === 3 ? 255 : linearTo8Bit((at >> 2) / 14))),
}

function qoi(pixels: Pixels): number[] {
  // Two of its simplest forms are enough to write any image; runs are the third.
  const body: number[] = []
  let last = [0, 0, 0, 255]
  for (const colour of colours(pixels)) {
    if (colour.every((value, channel) => value === last[channel])) body.push(0xc0)
    else if (colour[3] === last[3]) body.push(0xfe, ...colour.slice(0, 3))
    else body.push(0xff, ...colour)
    last = colour
  }
  return [...text('qoif'), ...be32(width, height), 4, 0, ...body, 0, 0, 0, 0, 0, 0, 0, 1]
}

const hdrHeader = text(`#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y ${height} +X ${width}\n`)
/** A grey of n/256 is represented exactly with the exponent of 1. */
const hdrPixel = (index: number): number[] => [index * 17, index * 17, index * 17, 128]
const hdrPicture: Pixels = {
  width,
  height,
  data: Uint8Array.from({ length: 60 }, (_, at) => (at % 4 === 3 ? 255 : linearTo8Bit(((at >> 2) * 17) / 256))),
}

const indices = Array.from({ length: width * height }, (_, index) => index)
const samples: readonly (readonly [name: string, format: ImageFormat, bytes: readonly number[], expected: Pixels])[] = [
  ['qoi', 'qoi', qoi(clear), clear],
  ['qoi with runs', 'qoi', qoi(bits), bits],
  [
    'farbfeld',
    'farbfeld',
    [...text('farbfeld'), ...be32(width, height), ...Array.from(clear.data, value => be16(value * 257)).flat()],
    clear,
  ],
  ['P1', 'pnm', text(`P1 # a comment\n${width} ${height}\n${indices.map(index => (isWhite(index) ? '0' : '1')).join('')}`), bits],
  ['P2', 'pnm', text(`P2\n${width}\n# 9 9\n${height} 255\n${redOf(greyed).join(' ')}\n`), greyed],
  ['P3', 'pnm', text(`P3 ${width} ${height} 255 ${rgbOf(plain).join('\n')}`), plain],
  [
    'P4',
    'pnm',
    [
      ...text(`P4\n${width} ${height}\n`),
      ...rowsOf(indices, width).map(row => row.reduce((byte, index, column) => byte | (isWhite(index) ? 0 : 128 >> column), 0)),
    ],
    bits,
  ],
  ['P5', 'pnm', [...text(`P5 ${width} ${height} 255\n`), ...redOf(greyed)], greyed],
  [
    'P5 of 16 bits',
    'pnm',
    [...text(`P5 ${width} ${height} 65535\n`), ...be16(...redOf(greyed).map(value => value * 257))],
    greyed,
  ],
  ['P6', 'pnm', [...text(`P6 ${width} ${height} 255\n`), ...rgbOf(plain)], plain],
  [
    'PAM with alpha',
    'pnm',
    [...text(`P7\nWIDTH ${width}\nHEIGHT ${height}\n# x\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n`), ...clear.data],
    clear,
  ],
  ['TGA from the top', 'tga', tga(2, 24, 32, bgrOf(plain)), plain],
  ['TGA from the bottom', 'tga', tga(2, 24, 0, bgrOf(flipped(plain))), plain],
  ['TGA with alpha', 'tga', tga(2, 32, 32 + 8, bgraOf(clear)), clear],
  [
    'TGA with an empty fourth byte',
    'tga',
    tga(2, 32, 32, bgraOf({ ...plain, data: plain.data.map((value, at) => (at % 4 === 3 ? 0 : value)) })),
    plain,
  ],
  ['TGA of gray', 'tga', tga(3, 8, 32, redOf(greyed)), greyed],
  ['TGA with a map', 'tga', tga(1, 8, 32, indices, bgrOf(plain)), plain],
  [
    'TGA in runs',
    'tga',
    tga(10, 24, 32, [
      ...colours(plain)
        .slice(0, 4)
        .flatMap(([r = 0, g = 0, b = 0], at) => (at === 0 ? [3, b, g, r] : [b, g, r])),
      ...colours(plain)
        .slice(4)
        .flatMap(([r = 0, g = 0, b = 0]) => [128, b, g, r]),
    ]),
    plain,
  ],
  ['DDS by masks', 'dds', dds(0x41, '\0\0\0\0', 32, [0xff0000, 0xff00, 0xff, 0xff000000], bgraOf(clear)), clear],
  ['DDS of 24 bits', 'dds', dds(0x40, '\0\0\0\0', 24, [0xff0000, 0xff00, 0xff, 0], bgrOf(plain)), plain],
  ['ICO of 32 bits', 'ico', icon(32, [], rowsOf(bgraOf(clear), width * 4), times(12, 0)), clear],
  ['ICO of 24 bits', 'ico', icon(24, [], rowsOf(bgrOf(plain), width * 3), times(12, 0)), plain],
  [
    'ICO with a palette',
    'ico',
    icon(
      8,
      colours(plain).flatMap(([r = 0, g = 0, b = 0]) => [b, g, r, 0]),
      rowsOf(indices, width),
      times(12, 0),
    ),
    plain,
  ],
  ['HDR', 'hdr', [...hdrHeader, ...indices.flatMap(hdrPixel)], hdrPicture],
  ['EXR', 'exr', exr(['B', 'G', 'R'], linear), linearPicture],
  ['EXR of gray', 'exr', exr(['Y'], linear), linearPicture],
  ['TIFF', 'tiff', tiff(2, 8, 3, rgbOf(plain)), plain],
  ['TIFF of 16 bits', 'tiff', tiff(2, 16, 3, le16(...rgbOf(plain).map(value => value * 257))), plain],
  ['TIFF with alpha', 'tiff', tiff(2, 8, 4, [...clear.data], [[338, 3, 1, 2]]), clear],
  ['TIFF of gray', 'tiff', tiff(1, 8, 1, redOf(greyed)), greyed],
  [
    'TIFF where white is zero',
    'tiff',
    tiff(
      0,
      8,
      1,
      redOf(greyed).map(value => 255 - value),
    ),
    greyed,
  ],
  [
    'TIFF of floats',
    'tiff',
    tiff(
      1,
      32,
      1,
      indices.flatMap(index => float32(linear(index))),
      [[339, 3, 1, 3]],
    ),
    linearPicture,
  ],
  [
    'TIFF of 1 bit',
    'tiff',
    tiff(
      1,
      1,
      1,
      rowsOf(indices, width).map(row => row.reduce((byte, index, column) => byte | (isWhite(index) ? 128 >> column : 0), 0)),
    ),
    bits,
  ],
]

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
