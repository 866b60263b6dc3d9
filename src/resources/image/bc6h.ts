// Blocks of BC6H: halves without alpha, in fourteen modes that differ in how the bits of the ends are strewn.
// Source: Microsoft, "BC6H format"; Khronos Data Format Specification, BPTC.

import { between, BlockBits, missingBits, subsetOf } from './bptc-partitions.ts'
import { halvesTo8Bit } from './light.ts'

interface Mode {
  /** How the bits follow the mode's own: a channel, an end and its bits from the first that is read to the last. */
  readonly layout: string
  /** Of the first end. */
  readonly bits: number
  /** Of the others by channel; differences to the first where they have fewer. */
  readonly deltaBits: readonly [number, number, number]
  readonly isDelta: boolean
}

function mode(layout: string, bits: number, deltaBits: readonly [number, number, number], isDelta = true): Mode {
  return { layout, bits, deltaBits, isDelta }
}

/** By the mode's own bits: two, or five where the lower two are 2 or 3. */
const modes: Readonly<Record<number, Mode>> = {
  0: mode(
    'g2:4 b2:4 b3:4 r0:0-9 g0:0-9 b0:0-9 r1:0-4 g3:4 g2:0-3 g1:0-4 b3:0 g3:0-3 b1:0-4 b3:1 b2:0-3 r2:0-4 b3:2 r3:0-4 b3:3',
    10,
    [5, 5, 5],
  ),
  1: mode(
    'g2:5 g3:4 g3:5 r0:0-6 b3:0 b3:1 b2:4 g0:0-6 b2:5 b3:2 g2:4 b0:0-6 b3:3 b3:5 b3:4 r1:0-5 g2:0-3 g1:0-5 g3:0-3 b1:0-5 b2:0-3 r2:0-5 r3:0-5',
    7,
    [6, 6, 6],
  ),
  2: mode(
    'r0:0-9 g0:0-9 b0:0-9 r1:0-4 r0:10 g2:0-3 g1:0-3 g0:10 b3:0 g3:0-3 b1:0-3 b0:10 b3:1 b2:0-3 r2:0-4 b3:2 r3:0-4 b3:3',
    11,
    [5, 4, 4],
  ),
  6: mode(
    'r0:0-9 g0:0-9 b0:0-9 r1:0-3 r0:10 g3:4 g2:0-3 g1:0-4 g0:10 g3:0-3 b1:0-3 b0:10 b3:1 b2:0-3 r2:0-3 b3:0 b3:2 r3:0-3 g2:4 b3:3',
    11,
    [4, 5, 4],
  ),
  10: mode(
    'r0:0-9 g0:0-9 b0:0-9 r1:0-3 r0:10 b2:4 g2:0-3 g1:0-3 g0:10 b3:0 g3:0-3 b1:0-4 b0:10 b2:0-3 r2:0-3 b3:1 b3:2 r3:0-3 b3:4 b3:3',
    11,
    [4, 4, 5],
  ),
  14: mode(
    'r0:0-8 b2:4 g0:0-8 g2:4 b0:0-8 b3:4 r1:0-4 g3:4 g2:0-3 g1:0-4 b3:0 g3:0-3 b1:0-4 b3:1 b2:0-3 r2:0-4 b3:2 r3:0-4 b3:3',
    9,
    [5, 5, 5],
  ),
  18: mode(
    'r0:0-7 g3:4 b2:4 g0:0-7 b3:2 g2:4 b0:0-7 b3:3 b3:4 r1:0-5 g2:0-3 g1:0-4 b3:0 g3:0-3 b1:0-4 b3:1 b2:0-3 r2:0-5 r3:0-5',
    8,
    [6, 5, 5],
  ),
  22: mode(
    'r0:0-7 b3:0 b2:4 g0:0-7 g2:5 g2:4 b0:0-7 g3:5 b3:4 r1:0-4 g3:4 g2:0-3 g1:0-5 g3:0-3 b1:0-4 b3:1 b2:0-3 r2:0-4 b3:2 r3:0-4 b3:3',
    8,
    [5, 6, 5],
  ),
  26: mode(
    'r0:0-7 b3:1 b2:4 g0:0-7 b2:5 g2:4 b0:0-7 b3:5 b3:4 r1:0-4 g3:4 g2:0-3 g1:0-4 b3:0 g3:0-3 b1:0-5 b2:0-3 r2:0-4 b3:2 r3:0-4 b3:3',
    8,
    [5, 5, 6],
  ),
  30: mode(
    'r0:0-5 g3:4 b3:0 b3:1 b2:4 g0:0-5 g2:5 b2:5 b3:2 g2:4 b0:0-5 g3:5 b3:3 b3:5 b3:4 r1:0-5 g2:0-3 g1:0-5 g3:0-3 b1:0-5 b2:0-3 r2:0-5 r3:0-5',
    6,
    [6, 6, 6],
    false,
  ),
  3: mode('r0:0-9 g0:0-9 b0:0-9 r1:0-9 g1:0-9 b1:0-9', 10, [10, 10, 10], false),
  7: mode('r0:0-9 g0:0-9 b0:0-9 r1:0-8 r0:10 g1:0-8 g0:10 b1:0-8 b0:10', 11, [9, 9, 9]),
  11: mode('r0:0-9 g0:0-9 b0:0-9 r1:0-7 r0:11-10 g1:0-7 g0:11-10 b1:0-7 b0:11-10', 12, [8, 8, 8]),
  15: mode('r0:0-9 g0:0-9 b0:0-9 r1:0-3 r0:15-10 g1:0-3 g0:15-10 b1:0-3 b0:15-10', 16, [4, 4, 4]),
}

/** Where the next bit goes: a channel and an end as `channel * 4 + end`, and the bit's place. */
type Step = readonly [place: number, bit: number]

const steps = new Map<number, readonly Step[]>(
  Object.entries(modes).map(([number, { layout }]) => [Number(number), stepsOf(layout)]),
)

function stepsOf(layout: string): readonly Step[] {
  return layout.split(' ').flatMap(word => {
    const [name = '', range = ''] = word.split(':')
    const [first = 0, last = first] = range.split('-').map(Number)
    const place = 'rgb'.indexOf(name.charAt(0)) * 4 + Number(name.charAt(1))
    const count = Math.abs(last - first) + 1
    return Array.from({ length: count }, (_, index): Step => [place, first <= last ? first + index : first - index])
  })
}

/** Fills `block` with 16 pixels of RGBA; light is clamped to 0…1 and goes through the sRGB curve. A reserved mode is black. */
export function decodeBc6h(view: DataView, at: number, block: Uint8Array, hasSigns: boolean): void {
  const bits = new BlockBits(view, at)
  const low = bits.take(2)
  const number = low < 2 ? low : low + bits.take(3) * 4
  const found = modes[number]
  if (found === undefined) {
    for (let index = 0; index < 16; index++) block.set([0, 0, 0, 255], index * 4)
    return
  }
  const ends = new Int32Array(12)
  for (const [place, bit] of steps.get(number) ?? []) ends[place] = (ends[place] ?? 0) | (bits.take(1) << bit)
  const hasTwo = found.layout.includes('r2')
  const partition = hasTwo ? bits.take(5) : 0
  const subsets = hasTwo ? 2 : 1
  const indexBits = hasTwo ? 3 : 4
  const wide = Array.from(ends, (_, place) => unquantized(wholeEnd(ends, place, found, hasSigns), found.bits, hasSigns))
  const shown = halvesTo8Bit()
  for (let index = 0; index < 16; index++) {
    const choice = bits.take(indexBits - missingBits(subsets, partition, index))
    const pair = subsetOf(subsets, partition, index) * 2
    for (let channel = 0; channel < 3; channel++) {
      const value = between(wide[channel * 4 + pair] ?? 0, wide[channel * 4 + pair + 1] ?? 0, choice, indexBits)
      block[index * 4 + channel] = shown[asHalf(value, hasSigns)] ?? 0
    }
    block[index * 4 + 3] = 255
  }
}

/** With its difference added, within the mode's bits. */
function wholeEnd(ends: Int32Array, place: number, { bits, deltaBits, isDelta }: Mode, hasSigns: boolean): number {
  const isFirst = (place & 3) === 0
  const stored = ends[place] ?? 0
  if (isFirst || !isDelta) return hasSigns ? extended(stored, bits) : stored
  const delta = extended(stored, deltaBits[place >> 2] ?? bits)
  const sum = ((ends[place & ~3] ?? 0) + delta) & (2 ** bits - 1)
  return hasSigns ? extended(sum, bits) : sum
}

function extended(value: number, bits: number): number {
  return (value << (32 - bits)) >> (32 - bits)
}

/** Spread over 16 bits, so that the largest stays the largest. */
function unquantized(value: number, bits: number, hasSigns: boolean): number {
  if (!hasSigns) {
    if (bits >= 15 || value === 0) return value
    return value === 2 ** bits - 1 ? 0xffff : ((value << 16) + 0x8000) >> bits
  }
  if (bits >= 16 || value === 0) return value
  const size = Math.abs(value)
  const wide = size >= 2 ** (bits - 1) - 1 ? 0x7fff : ((size << 15) + 0x4000) >> (bits - 1)
  return value < 0 ? -wide : wide
}

/** Scaled so that it ends below infinity. */
function asHalf(value: number, hasSigns: boolean): number {
  if (!hasSigns) return (value * 31) >> 6
  return value < 0 ? 0x8000 | ((-value * 31) >> 5) : (value * 31) >> 5
}
