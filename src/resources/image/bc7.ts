// Blocks of BC7: one to three pairs of colours, in eight modes that differ in how many bits each part has.
// Source: Microsoft, "BC7 format" and "BC7 format mode reference".

import { between, BlockBits, missingBits, subsetOf } from './bptc-partitions.ts'

interface Mode {
  readonly subsets: number
  readonly partitionBits: number
  readonly rotationBits: number
  readonly selectionBits: number
  readonly colourBits: number
  readonly alphaBits: number
  /** Lowest bits of the ends: none, one for each end, or one for both ends of a pair. */
  readonly lowBits: 'none' | 'end' | 'pair'
  readonly indexBits: number
  /** 0 where colours and alpha share their indices. */
  readonly otherIndexBits: number
}

function mode(
  [subsets, partitionBits, rotationBits, selectionBits]: readonly [number, number, number, number],
  [colourBits, alphaBits]: readonly [number, number],
  lowBits: Mode['lowBits'],
  [indexBits, otherIndexBits]: readonly [number, number],
): Mode {
  return { subsets, partitionBits, rotationBits, selectionBits, colourBits, alphaBits, lowBits, indexBits, otherIndexBits }
}

const modes: readonly Mode[] = [
  mode([3, 4, 0, 0], [4, 0], 'end', [3, 0]),
  mode([2, 6, 0, 0], [6, 0], 'pair', [3, 0]),
  mode([3, 6, 0, 0], [5, 0], 'none', [2, 0]),
  mode([2, 6, 0, 0], [7, 0], 'end', [2, 0]),
  mode([1, 0, 2, 1], [5, 6], 'none', [2, 3]),
  mode([1, 0, 2, 0], [7, 8], 'none', [2, 2]),
  mode([1, 0, 0, 0], [7, 7], 'end', [4, 0]),
  mode([2, 6, 0, 0], [5, 5], 'end', [2, 0]),
]

/** Fills `block` with 16 pixels of RGBA. A block without a mode is empty. */
export function decodeBc7(view: DataView, at: number, block: Uint8Array): void {
  const bits = new BlockBits(view, at)
  let number = 0
  while (number < modes.length && bits.take(1) === 0) number++
  const found = modes[number]
  if (found === undefined) {
    block.fill(0)
    return
  }
  const partition = bits.take(found.partitionBits)
  const rotation = bits.take(found.rotationBits)
  const isSwapped = bits.take(found.selectionBits) === 1
  const ends = readEnds(bits, found)
  const first = readIndices(bits, found, partition, found.indexBits)
  const other = found.otherIndexBits === 0 ? first : readIndices(bits, { subsets: 1 }, 0, found.otherIndexBits)
  const [firstBits, otherBits] = [found.indexBits, found.otherIndexBits || found.indexBits]
  for (let index = 0; index < 16; index++) {
    const subset = subsetOf(found.subsets, partition, index)
    for (let channel = 0; channel < 4; channel++) {
      const [one = 255, two = 255] = [ends[channel]?.[subset * 2], ends[channel]?.[subset * 2 + 1]]
      const isOther = (channel === 3) !== isSwapped
      block[index * 4 + channel] = between(one, two, (isOther ? other : first)[index] ?? 0, isOther ? otherBits : firstBits)
    }
    if (rotation > 0) {
      const alpha = block[index * 4 + 3] ?? 0
      block[index * 4 + 3] = block[index * 4 + rotation - 1] ?? 0
      block[index * 4 + rotation - 1] = alpha
    }
  }
}

/** By channel, the two ends of each subset, as 8 bits. Without alpha all is opaque. */
function readEnds(bits: BlockBits, { subsets, colourBits, alphaBits, lowBits }: Mode): readonly (readonly number[])[] {
  const channels = [colourBits, colourBits, colourBits, alphaBits].filter(count => count > 0)
  const raw = channels.map(count => Array.from({ length: subsets * 2 }, () => bits.take(count)))
  const low = { none: 0, pair: subsets, end: subsets * 2 }[lowBits]
  const lowest = Array.from({ length: low }, () => bits.take(1))
  return raw.map((ends, channel) =>
    ends.map((end, index) => {
      const count = (channels[channel] ?? 0) + (low === 0 ? 0 : 1)
      const value = low === 0 ? end : end * 2 + (lowest[lowBits === 'pair' ? index >> 1 : index] ?? 0)
      return ((value << (8 - count)) | (value >> (2 * count - 8))) & 255
    }),
  )
}

function readIndices(
  bits: BlockBits,
  { subsets }: { readonly subsets: number },
  partition: number,
  count: number,
): readonly number[] {
  return Array.from({ length: 16 }, (_, index) => bits.take(count - missingBits(subsets, partition, index)))
}
