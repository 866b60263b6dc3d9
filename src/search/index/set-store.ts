// All bit sets of an index. Thirty-two sets of one length lie side by side in a tile: a word of it has one bit of each of them, so one
// operation asks all of them about a bit. A query takes so few steps that it is fast before the engine has compiled it.

import { maxTileWords, tileOffset } from '../simd/layout.ts'
import { type SimdFunctions, simdFunctions } from '../simd/module.ts'
import { bitCount, mayHold } from './grams.ts'

export interface SetStore {
  /** Copies a set, whose length is a power of two. Returns its slot among the sets of that length. */
  readonly put: (set: Uint32Array, owner: number) => number
  readonly free: (length: number, slot: number) => void
  readonly copyTo: (target: Uint32Array, at: number, length: number, slot: number) => void
  /** Whether the set in `slot` may contain all of `hashes`. */
  readonly mayHold: (length: number, slot: number, hashes: Uint32Array) => boolean
  /** The sets that may contain all of `hashes`. Valid until the next {@link SetStore.put}. */
  readonly marksOf: (hashes: Uint32Array) => SetMarks
  /** The owners of the marked sets. An owner of several marked sets is listed once for each. */
  readonly ownersOf: (marks: SetMarks) => readonly number[]
  readonly usedWords: () => number
}

/** For each length, one bit for each slot, which is 1 if the set there is marked. Free slots may be marked too. */
export type SetMarks = readonly Uint32Array[]

/** The sets of one length. */
interface Shelf {
  readonly length: number
  /** Thirty-two sets each. */
  readonly tiles: Uint32Array[]
  /** Room for thirty-two sets, each by itself. */
  readonly loose: Uint32Array
  /** The number of sets behind those in tiles. */
  looseCount: number
  /** By slot; {@link nobody} if it is free. */
  readonly owners: number[]
  readonly freeSlots: number[]
}

const setsInTile = 32
const nobody = -1

export function createSetStore(functions: SimdFunctions | false = simdFunctions() ?? false): SetStore {
  const tileOf = tileMaker(functions)
  /** By the logarithm of the length. */
  const shelves: Shelf[] = []
  let usedWords = 0

  function shelfFor(length: number): Shelf {
    const number = 31 - Math.clz32(length)
    while (shelves.length < number) shelves.push(shelfOf(1 << shelves.length, 0))
    const shelf = shelves[number]
    if (shelf !== undefined && shelf.loose.length > 0) return shelf
    return (shelves[number] = shelfOf(length, length * setsInTile))
  }

  return {
    put(set, owner) {
      const shelf = shelfFor(set.length)
      usedWords += set.length
      const slot = shelf.freeSlots.pop()
      if (slot === undefined) return append(shelf, set, owner, tileOf)
      shelf.owners[slot] = owner
      replace(shelf, slot, set)
      return slot
    },
    free(length, slot) {
      const { owners, freeSlots } = shelfFor(length)
      usedWords -= length
      owners[slot] = nobody
      freeSlots.push(slot)
    },
    copyTo(target, at, length, slot) {
      const { tiles, loose } = shelfFor(length)
      const tile = tiles[slot >>> 5]
      const from = (slot & 31) * length
      if (tile === undefined) target.set(loose.subarray(from, from + length), at)
      else for (let index = 0; index < length; index++) target[at + index] = columnOf(tile, index, slot & 31)
    },
    mayHold(length, slot, hashes) {
      const { tiles, loose } = shelfFor(length)
      const tile = tiles[slot >>> 5]
      if (tile === undefined) return mayHold(loose, hashes, (slot & 31) * length, length)
      return ((bitsOfAll(tile, hashes) >>> (slot & 31)) & 1) === 1
    },
    marksOf: hashes =>
      shelves.map(({ length, tiles, loose, looseCount, owners }) => {
        const marks = new Uint32Array(Math.ceil(owners.length / setsInTile))
        for (let index = 0; index < tiles.length; index++) marks[index] = bitsOfAll(tiles[index], hashes)
        let bits = 0
        for (let column = 0; column < looseCount; column++)
          if (mayHold(loose, hashes, column * length, length)) bits |= 1 << column
        if (looseCount > 0) marks[tiles.length] = bits
        return marks
      }),
    ownersOf(marks) {
      const found: number[] = []
      for (let index = 0; index < shelves.length; index++) addOwners(found, shelves[index]?.owners ?? [], marks[index] ?? nothing)
      return found
    },
    usedWords: () => usedWords,
  }
}

/** The union of `all`, which belong to one store. */
export function anyOf(all: readonly SetMarks[]): SetMarks {
  const [first = [], ...others] = all
  return first.map((marks, number) =>
    marks.map((bits, index) => others.reduce((sum, other) => sum | (other[number]?.[index] ?? 0), bits)),
  )
}

/** The one of `all` that marks the fewest sets. */
export function rarestOf(all: readonly SetMarks[]): SetMarks {
  let rarest: SetMarks = []
  let fewest = Infinity
  for (const marks of all) {
    let count = 0
    for (const words of marks) for (let index = 0; index < words.length; index++) count += bitCount(words[index] ?? 0)
    if (count < fewest) [rarest, fewest] = [marks, count]
  }
  return rarest
}

function shelfOf(length: number, looseWords: number): Shelf {
  return { length, tiles: [], loose: new Uint32Array(looseWords), looseCount: 0, owners: [], freeSlots: [] }
}

function append(shelf: Shelf, set: Uint32Array, owner: number, tileOf: TileMaker): number {
  shelf.loose.set(set, shelf.looseCount * shelf.length)
  if (++shelf.looseCount === setsInTile) {
    shelf.tiles.push(tileOf(shelf.loose, shelf.length))
    shelf.looseCount = 0
  }
  return shelf.owners.push(owner) - 1
}

function replace({ length, tiles, loose }: Shelf, slot: number, set: Uint32Array): void {
  const column = slot & 31
  const tile = tiles[slot >>> 5]
  if (tile === undefined) {
    loose.set(set, column * length)
    return
  }
  for (let bit = 0; bit < tile.length; bit++) {
    const isSet = ((set[bit >>> 5] ?? 0) >>> (bit & 31)) & 1
    tile[bit] = ((tile[bit] ?? 0) & ~(1 << column)) | (isSet << column)
  }
}

// Small and without an iterator, because the engine compiles it during a first search.
function addOwners(found: number[], owners: readonly number[], marks: Uint32Array): void {
  for (let index = 0; index < marks.length; index++) {
    for (let bits = marks[index] ?? 0; bits !== 0; bits &= bits - 1) {
      const owner = owners[index * setsInTile + 31 - Math.clz32(bits & -bits)] ?? nobody
      if (owner !== nobody) found.push(owner)
    }
  }
}

/** For each set of the tile, whether it has all of `hashes`. */
function bitsOfAll(tile: Uint32Array = nothing, hashes: Uint32Array): number {
  const mask = tile.length - 1
  let bits = -1
  for (let index = 0; bits !== 0 && index < hashes.length; index++) bits &= tile[(hashes[index] ?? 0) & mask] ?? 0
  return bits
}

const nothing = new Uint32Array()

/** Word `index` of the set in a column. */
function columnOf(tile: Uint32Array, index: number, column: number): number {
  let word = 0
  for (let bit = 0; bit < 32; bit++) word |= (((tile[index * 32 + bit] ?? 0) >>> column) & 1) << bit
  return word
}

type TileMaker = (sets: Uint32Array, length: number) => Uint32Array

function tileMaker(functions: SimdFunctions | false): TileMaker {
  if (functions === false) return tileInJavaScript
  const { memory, layTile } = functions
  const words = new Uint32Array(memory.buffer)
  return (sets, length) => {
    if (length > maxTileWords) return tileInJavaScript(sets, length)
    words.set(sets)
    layTile(length)
    return words.slice(tileOffset >> 2, (tileOffset >> 2) + length * setsInTile)
  }
}

/** Exchanges rows and columns of each 32 words of 32 bits: the halves, then their quarters, and so on. */
function tileInJavaScript(sets: Uint32Array, length: number): Uint32Array {
  const tile = new Uint32Array(length * setsInTile)
  for (let word = 0; word < length; word++)
    for (let column = 0; column < setsInTile; column++) tile[word * setsInTile + column] = sets[column * length + word] ?? 0
  for (let width = 16, mask = 0xffff; width > 0; width >>= 1, mask ^= mask << width) {
    for (let row = 0; row < tile.length; row = ((row | width) + 1) & ~width) {
      const upper = tile[row] ?? 0
      const lower = tile[row | width] ?? 0
      const changed = ((upper >>> width) ^ lower) & mask
      tile[row] = upper ^ (changed << width)
      tile[row | width] = lower ^ changed
    }
  }
  return tile
}
