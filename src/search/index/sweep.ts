// Rules out most files of a list at the speed of memory. Asking one file after the other waits for each set to arrive before it knows
// whether to ask for the next; here three questions are asked of every block whatever the answers are, so that many sets are under way at
// once. What is left is asked in full.

import type { Ask } from './ask.ts'
import { blockFields, traits } from './records.ts'

/** Where each file's blocks begin and end, and its traits: three numbers a file. */
export const placeFields = 3
/** The first page of a search should not wait for the end of the list. */
const chunkFiles = 256
const sampleBlocks = 32

export interface SweptSets {
  readonly words: Uint32Array
  readonly blocks: Uint32Array
  readonly places: Int32Array
}

/**
 * By place in the list: false when no block of the file can hold one of the texts that `ask` asks for. True of files that have one of
 * `openTraits`, or that nothing is known of. `undefined` when there is no text that all that is asked for needs.
 */
export function createSweep(ask: Ask, sets: SweptSets, openTraits: number): ((position: number) => boolean) | undefined {
  const hashes = gramsOf(ask)
  if (hashes === undefined) return undefined
  const { words, blocks, places } = sets
  const fileCount = places.length / placeFields
  const [first, second, third] = threeOf(hashes, sets)
  /** 0: not looked at. 1: ruled out. 2: may hold it. */
  const answers = new Uint8Array(fileCount)

  function sweepFrom(start: number): void {
    for (let position = start; position < Math.min(start + chunkFiles, fileCount); position++) {
      const place = position * placeFields
      let mayHold = ((places[place + 2] ?? 0) & (openTraits | traits.known)) === traits.known ? 0 : 1
      for (let at = places[place] ?? 0, to = places[place + 1] ?? 0; at < to; at += blockFields) {
        const offset = blocks[at] ?? 0
        const mask = ((blocks[at + 1] ?? 0) << 5) - 1
        // Each by itself: an array of them would be made for every block.
        const one = first & mask
        const two = second & mask
        const three = third & mask
        mayHold |=
          ((words[offset + (one >>> 5)] ?? 0) >>> (one & 31)) &
          ((words[offset + (two >>> 5)] ?? 0) >>> (two & 31)) &
          ((words[offset + (three >>> 5)] ?? 0) >>> (three & 31))
      }
      answers[position] = 1 + (mayHold & 1)
    }
  }

  return position => {
    if (answers[position] === 0) sweepFrom(position)
    return answers[position] !== 1
  }
}

/** Of one text that must be there: the one of most runs, as the longest rules out most. */
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

/** The three that together are in the fewest of some blocks: runs of one word mostly come together, and say little more than one. */
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
