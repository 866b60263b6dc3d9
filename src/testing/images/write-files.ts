// Small writers of image files, byte by byte from the descriptions of the formats.

export type Bytes = readonly number[]

export const le16 = (...values: Bytes): number[] => values.flatMap(value => [value & 255, (value >> 8) & 255])
export const le32 = (...values: Bytes): number[] =>
  values.flatMap(value => [value & 255, (value >>> 8) & 255, (value >>> 16) & 255, (value >>> 24) & 255])
export const be16 = (...values: Bytes): number[] => values.flatMap(value => [(value >> 8) & 255, value & 255])
export const be32 = (...values: Bytes): number[] => values.flatMap(value => le32(value).reverse())
export const text = (value: string): number[] => Array.from(value, character => character.charCodeAt(0))
export const float32 = (value: number): number[] => [...new Uint8Array(new Float32Array([value]).buffer)]

export interface Size {
  readonly width: number
  readonly height: number
}

export interface ExrShape extends Size {
  readonly left?: number
  readonly top?: number
  readonly channels: readonly string[]
  /** 1 for 16-bit floats, 2 for 32-bit floats. */
  readonly kind: 1 | 2
}

/** OpenEXR, not compressed. `line` has the samples of one line, channel by channel. */
export function exrFile(shape: ExrShape, line: (row: number) => Bytes): number[] {
  const { left = 0, top = 0, width, height, channels, kind } = shape
  const attribute = (name: string, type: string, value: Bytes): number[] => [
    ...text(`${name}\0${type}\0`),
    ...le32(value.length),
    ...value,
  ]
  const window = le32(left, top, left + width - 1, top + height - 1)
  const header = [
    ...le32(0x01312f76, 2),
    ...attribute('channels', 'chlist', [...channels.flatMap(name => [...text(`${name}\0`), ...le32(kind, 0, 1, 1)]), 0]),
    ...attribute('compression', 'compression', [0]),
    ...attribute('dataWindow', 'box2i', window),
    ...attribute('displayWindow', 'box2i', window),
    ...attribute('lineOrder', 'lineOrder', [0]),
    ...attribute('pixelAspectRatio', 'float', float32(1)),
    ...attribute('screenWindowCenter', 'v2f', [...float32(0), ...float32(0)]),
    ...attribute('screenWindowWidth', 'float', float32(1)),
    0,
  ]
  const lineBytes = width * channels.length * kind * 2
  const first = header.length + height * 8
  const rows = Array.from({ length: height }, (_, row) => row)
  const offsets = rows.flatMap(row => le32(first + row * (lineBytes + 8), 0))
  return [...header, ...offsets, ...rows.flatMap(row => [...le32(top + row, lineBytes), ...line(row)])]
}

export interface TiffShape extends Size {
  readonly isLittle?: boolean
  readonly photometric: number
  readonly bits: number
  readonly samples: number
}

/** TIFF, not compressed, in one strip. `more` are entries of the directory; a value of -1 is the place of `tail`. */
export function tiffFile(shape: TiffShape, body: Bytes, more: readonly Bytes[] = [], tail: Bytes = []): number[] {
  const { isLittle = true, width, height, photometric, bits, samples } = shape
  const [short, long] = isLittle ? [le16, le32] : [be16, be32]
  const entry = (tag: number, type: number, count: number, value: Bytes): number[] => [
    ...short(tag, type),
    ...long(count),
    ...value,
  ]
  const one = (tag: number, value: number): number[] => entry(tag, 3, 1, [...short(value), 0, 0])
  const bitsAt = 8 + body.length + (body.length % 2)
  const tailAt = bitsAt + samples * 2
  const entries = [
    one(256, width),
    one(257, height),
    samples === 1 ? one(258, bits) : entry(258, 3, samples, samples === 2 ? short(bits, bits) : long(bitsAt)),
    one(259, 1),
    one(262, photometric),
    entry(273, 4, 1, long(8)),
    one(277, samples),
    one(278, height),
    entry(279, 4, 1, long(body.length)),
    ...more.map(([tag = 0, type = 0, count = 0, value = 0]) =>
      type === 3 && count === 1 ? one(tag, value) : entry(tag, type, count, long(value === -1 ? tailAt : value)),
    ),
  ]
  return [
    ...text(isLittle ? 'II' : 'MM'),
    ...short(42),
    ...long(tailAt + tail.length),
    ...body,
    ...(body.length % 2 === 0 ? [] : [0]),
    ...short(...Array.from({ length: samples }, () => bits)),
    ...tail,
    ...short(entries.length),
    ...entries.flat(),
    ...long(0),
  ]
}
