// One small picture in every format, written byte by byte, and the pixels that it must be decoded to.

import { linearTo8Bit } from '../../resources/image/light.ts'
import type { Pixels } from '../../resources/image/pixels.ts'
import type { ImageFormat } from '../../resources/image/sniff.ts'
import { be16, be32, type Bytes, exrFile, float32, le16, le32, text, tiffFile } from './write-files.ts'

export function times<T>(count: number, value: T): T[] {
  return Array.from({ length: count }, () => value)
}

const width = 5
const height = 3
const indices = Array.from({ length: width * height }, (_, index) => index)
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
export const colours = ({ data }: Pixels): number[][] =>
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

export const plain: Pixels = picture()
const clear = picture(true)
const greyed = gray(plain)
const bits: Pixels = { width, height, data: plain.data.map((_, at) => (at % 4 === 3 || (at >> 2) % 3 === 0 ? 255 : 0)) }
const isWhite = (index: number): boolean => index % 3 === 0

function tga(type: number, depth: number, descriptor: number, body: Bytes, map: Bytes = []): number[] {
  const [hasMap, mapBits] = map.length > 0 ? [1, 24] : [0, 0]
  return [
    2,
    hasMap,
    type,
    ...le16(0, map.length / 3),
    mapBits,
    ...le16(0, 0, width, height),
    depth,
    descriptor,
    9,
    9,
    ...map,
    ...body,
  ]
}
const bgrOf = (pixels: Pixels): number[] => colours(pixels).flatMap(([red = 0, green = 0, blue = 0]) => [blue, green, red])

export function dds(
  flags: number,
  code: string,
  bitCount: number,
  masks: Bytes,
  body: Bytes,
  w: number = width,
  h: number = height,
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

function icon(bitCount: number, palette: Bytes, rows: readonly Bytes[], mask: Bytes): number[] {
  const pad = (row: Bytes): number[] => [...row, ...times((4 - (row.length % 4)) % 4, 0)]
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
const rowsOf = (values: Bytes, perRow: number): number[][] =>
  Array.from({ length: height }, (_, row) => values.slice(row * perRow, (row + 1) * perRow))

const tiff = (photometric: number, sampleBits: number, samples: number, body: Bytes, more: readonly Bytes[] = []): number[] =>
  tiffFile({ width, height, photometric, bits: sampleBits, samples }, body, more)

/** Of 32-bit floats, channels in the order of their names. */
const exr = (channels: readonly string[], sample: (index: number) => number): number[] =>
  exrFile({ width, height, channels, kind: 2 }, row =>
    channels.flatMap(() => rowsOf(indices, width)[row]?.flatMap(index => float32(sample(index))) ?? []),
  )

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

export const samples: readonly (readonly [name: string, format: ImageFormat, bytes: Bytes, expected: Pixels])[] = [
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
