// How the blocks of BC6H and BC7 are shared between two or three pairs of colours. Each subset has a pixel whose index is a bit shorter.
// Source: Microsoft, "BC7 format" and Khronos Data Format Specification, BPTC.

/** A bit for each pixel. */
const two =
  'cccc8888eeeeecc8c880feecfec8ec80c800ffecfe80e800ffe8ff00fff0f000f710008e710008ce008c731031008cce088c31106666366c17e80ff0' +
  '718e399caaaaf0f05a5a33cc3c3c55aa9696a55a73ce13c8324c3bdc6996c33c99660660027204e44e402720c936936c39c6639c93369cc6817ee718' +
  'ccf00fcc7744ee22'
/** Two bits for each pixel. */
const three =
  'aa6850506a5a50405a5a42005450a0a8a5a50000a0a050505555a0a05a5a5050aa550000aa555500aaaa55009090909094949494a4a4a4a4a9a59450' +
  '2a0a4250a59450400a425054a5a5a50055a0a0a0a8a854546a6a4040a4a450001a1a05000050a4a4aaa590901469691469691400a08585a0aa821414' +
  '50a4a4506a5a0200a9a580005090a0a8a8a090502424242400aa5500249249242449922450a50a50500aa550aaaa444466660000a5a0a5a050a050a0' +
  '6928692844aaaa4466666600aa44444454a854a89580958096969600a85454a880959580aa14141496960000aaaa1414a05050a0a0a5a5a096000000' +
  '40804080a9a8a9a8aaaaaa442a4a5254'
const anchorOfTwo = 'fffffffffffffffff282288f28228822ff6828ff28222ff66268ff22fffff22f'
const anchorsOfThree = [
  '33ff83ff88666533338f336a588685ff8f356a8ff3f5ffff3f55585a5a8dfc33',
  'f883ff38fffffff8f8f3f8f83f6affa8f3faa89a6f8f3668f3ffffffffff3ff8',
] as const

/** By number of subsets and partition: 16 times the subset of a pixel, then 16 times whether its index is shorter. */
const tables: Readonly<Record<number, readonly Uint8Array[]>> = { 1: [tableOf(1, 0)], 2: allOf(2), 3: allOf(3) }

function allOf(subsets: number): readonly Uint8Array[] {
  return Array.from({ length: 64 }, (_, partition) => tableOf(subsets, partition))
}

function tableOf(subsets: number, partition: number): Uint8Array {
  const bits = subsets === 1 ? 0 : subsets === 2 ? hex(two, partition, 4) : hex(three, partition, 8)
  const anchors = subsets === 1 ? [] : subsets === 2 ? [anchorOfTwo] : anchorsOfThree
  const table = new Uint8Array(32)
  for (let index = 0; index < 16; index++) {
    table[index] = subsets === 3 ? (bits >>> (index * 2)) & 3 : (bits >>> index) & 1
    table[16 + index] = index === 0 || anchors.some(each => hex(each, partition, 1) === index) ? 1 : 0
  }
  return table
}

function hex(text: string, index: number, digits: number): number {
  return Number.parseInt(text.slice(index * digits, (index + 1) * digits), 16)
}

/** Of which subset pixel `index`, 0 to 15, is. */
export function subsetOf(subsets: number, partition: number, index: number): number {
  return tables[subsets]?.[partition]?.[index] ?? 0
}

/** 1 where the index of a pixel has a bit less. */
export function missingBits(subsets: number, partition: number, index: number): number {
  return tables[subsets]?.[partition]?.[16 + index] ?? 0
}

const weights: Readonly<Record<number, readonly number[]>> = {
  2: [0, 21, 43, 64],
  3: [0, 9, 18, 27, 37, 46, 55, 64],
  4: [0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64],
}

/** Between two ends, by an index of `bits` bits. */
export function between(one: number, other: number, index: number, bits: number): number {
  const weight = weights[bits]?.[index] ?? 0
  return (one * (64 - weight) + other * weight + 32) >> 6
}

/** The bits of a block of 16 bytes, lowest first. */
export class BlockBits {
  readonly #view: DataView
  readonly #start: number
  #at = 0

  constructor(view: DataView, start: number) {
    this.#view = view
    this.#start = start
  }

  /** At most 16 bits. */
  take(count: number): number {
    const shift = this.#at & 7
    // Never past the block, which the last bytes of a file may end.
    const byte = Math.min(this.#at >> 3, 12)
    const skipped = (this.#at >> 3) - byte
    this.#at += count
    return (this.#view.getUint32(this.#start + byte, true) >>> (skipped * 8 + shift)) & ((1 << count) - 1)
  }
}
