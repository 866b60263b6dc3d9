// Rows of a strip or a tile as numbers, for any depth, byte order and predictor. Source: TIFF 6.0, section 14, and Adobe's technical note 3
// for floats.

import { halfToNumber } from './half.ts'
import { viewOf } from './pixels.ts'

export interface SampleLayout {
  readonly bits: number
  readonly isFloat: boolean
  readonly isLittleEndian: boolean
  /** 1: none. 2: difference to the sample on the left. 3: the same by bytes, for floats. */
  readonly predictor: number
  /** How many samples of one pixel are stored together. */
  readonly channels: number
  readonly width: number
}

export function rowBytesOf({ width, channels, bits }: SampleLayout): number {
  return Math.ceil((width * channels * bits) / 8)
}

/** Writes the samples of one row to `out`. May change `row`. */
export function readRow(row: Uint8Array, layout: SampleLayout, out: Float64Array): void {
  const { predictor, channels, bits, width } = layout
  const isByBytes = predictor === 3
  const bytes = isByBytes ? joinedPlanes(row, layout) : row
  const read = reader(bytes, isByBytes ? { ...layout, isLittleEndian: false } : layout)
  const count = width * channels
  for (let index = 0; index < count; index++) out[index] = read(index)
  if (predictor !== 2) return
  const modulus = 2 ** bits
  for (let index = channels; index < count; index++) out[index] = ((out[index] ?? 0) + (out[index - channels] ?? 0)) % modulus
}

function joinedPlanes(row: Uint8Array, { channels, bits }: SampleLayout): Uint8Array {
  for (let at = channels; at < row.length; at++) row[at] = (row[at] ?? 0) + (row[at - channels] ?? 0)
  const sampleBytes = bits / 8
  const count = row.length / sampleBytes
  return row.map((_, at) => row[(at % sampleBytes) * count + Math.floor(at / sampleBytes)] ?? 0)
}

function reader(bytes: Uint8Array, { bits, isFloat, isLittleEndian }: SampleLayout): (index: number) => number {
  const view = viewOf(bytes)
  if (isFloat) {
    if (bits === 16) return index => halfToNumber(view.getUint16(index * 2, isLittleEndian))
    return bits === 32 ? index => view.getFloat32(index * 4, isLittleEndian) : index => view.getFloat64(index * 8, isLittleEndian)
  }
  if (bits === 8) return index => bytes[index] ?? 0
  if (bits === 16) return index => view.getUint16(index * 2, isLittleEndian)
  if (bits === 32) return index => view.getUint32(index * 4, isLittleEndian)
  // Packed across byte borders, the first sample in the highest bits.
  return index => {
    const first = index * bits
    const byte = first >> 3
    const word = ((bytes[byte] ?? 0) << 16) | ((bytes[byte + 1] ?? 0) << 8) | (bytes[byte + 2] ?? 0)
    return (word >> (24 - (first & 7) - bits)) & ((1 << bits) - 1)
  }
}
