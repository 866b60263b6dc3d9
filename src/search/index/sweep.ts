// Excludes most files of a list at the speed of memory. Separate queries wait for each set to arrive before they know whether to read the
// next one. Here, three hashes are looked up in every block regardless of the results, so that many sets are loaded in parallel. The
// remaining files get a full query.

import type { Ask } from './ask.ts'
import { blockFields, traits } from './records.ts'

/** Where each file's blocks begin and end, and its traits: three numbers per file. */
export const placeFields = 3
/** Limits a chunk, because the first page of a search should not wait for the end of the list. */
const chunkFiles = 256
const sampleBlocks = 32

export interface SweptSets {
  readonly words: Uint32Array
  readonly blocks: Uint32Array
  readonly places: Int32Array
}

/**
 * The number of files in a row from a position on that `ask` excludes: no block of theirs can contain one of the texts that it requires.
 * It is 0 for a file that may match, and never counts files with one of `openTraits` or unknown files. `undefined` if no text is required
 * by all of `ask`.
 */
export function createSweep(ask: Ask, sets: SweptSets, openTraits: number): ((position: number) => number) | undefined {
  const hashes = gramsOf(ask)
  if (hashes === undefined) return undefined
  const { words, blocks, places } = sets
  const fileCount = places.length / placeFields
  const [first, second, third] = threeOf(hashes, sets)
  /** 1: may contain it, or is in a chunk that was not swept, where the count of a row before it ends. */
  const mayMatch = new Uint8Array(fileCount).fill(1)
  const isSwept = new Uint8Array(Math.ceil(fileCount / chunkFiles))

  function sweepChunk(chunk: number): void {
    isSwept[chunk] = 1
    const start = chunk * chunkFiles
    for (let position = start; position < Math.min(start + chunkFiles, fileCount); position++) {
      const place = position * placeFields
      let mayHold = ((places[place + 2] ?? 0) & (openTraits | traits.known)) === traits.known ? 0 : 1
      for (let at = places[place] ?? 0, to = places[place + 1] ?? 0; at < to; at += blockFields) {
        const offset = blocks[at] ?? 0
        const mask = ((blocks[at + 1] ?? 0) << 5) - 1
        // Three variables, because an array would be allocated for every block.
        const one = first & mask
        const two = second & mask
        const three = third & mask
        mayHold |=
          ((words[offset + (one >>> 5)] ?? 0) >>> (one & 31)) &
          ((words[offset + (two >>> 5)] ?? 0) >>> (two & 31)) &
          ((words[offset + (three >>> 5)] ?? 0) >>> (three & 31))
      }
      mayMatch[position] = mayHold & 1
    }
  }

  return position => {
    const chunk = Math.floor(position / chunkFiles)
    if (isSwept[chunk] === 0) sweepChunk(chunk)
    const next = mayMatch.indexOf(1, position)
    return (next === -1 ? fileCount : next) - position
  }
}

/** The grams of one required text: the longest, because it excludes the most. */
function gramsOf(ask: Ask): Uint32Array | undefined {
  if (ask.kind === 'grams') return ask.hashes
  if (ask.kind === 'any') return undefined
  let best: Uint32Array | undefined
  for (const part of ask.of) {
    const hashes = gramsOf(part)
    if (hashes !== undefined && hashes.length > (best?.length ?? 0)) best = hashes
  }
  return best
}

/** The three that together are in the fewest of some blocks. Grams of one word usually occur together, so one of them is as good as all. */
function threeOf(hashes: Uint32Array, { words, blocks, places }: SweptSets): readonly [number, number, number] {
  const held = [...hashes].map(hash => ({ hash, sample: 0 }))
  const fileCount = places.length / placeFields
  for (let number = 0; number < sampleBlocks; number++) {
    const place = Math.floor((number * fileCount) / sampleBlocks) * placeFields
    const at = places[place] ?? 0
    if (at === (places[place + 1] ?? 0)) continue
    const offset = blocks[at] ?? 0
    const mask = ((blocks[at + 1] ?? 0) << 5) - 1
    for (const each of held) {
      const bit = each.hash & mask
      each.sample |= (((words[offset + (bit >>> 5)] ?? 0) >>> (bit & 31)) & 1) << number
    }
  }
  const chosen: number[] = []
  let together = -1
  while (chosen.length < 3) {
    let [best, bestCount] = [hashes[0] ?? 0, Infinity]
    for (const { hash, sample } of held) {
      const count = bitCount(together & sample) * 64 + bitCount(sample)
      if (count < bestCount && !chosen.includes(hash)) [best, bestCount] = [hash, count]
    }
    chosen.push(best)
    together &= held.find(({ hash }) => hash === best)?.sample ?? -1
  }
  const [first = 0, second = 0, third = 0] = chosen
  return [first, second, third]
}

function bitCount(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++
  return count
}
