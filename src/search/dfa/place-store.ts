// Sets of places by number, each stored once: a growing array and a hash table.

export interface PlaceStore {
  readonly size: () => number
  /** Places in all sets together. */
  readonly placeCount: () => number
  /** Valid until the next change. */
  readonly places: (index: number) => Int32Array
  /** The number of the set that equals `places`, or -1. */
  readonly find: (places: Int32Array) => number
  readonly add: (places: Int32Array) => number
  /** A number without a set; `find` never returns it. */
  readonly reserve: () => number
}

export function createPlaceStore(): PlaceStore {
  let arena = new Int32Array(1024)
  let used = 0
  const starts: number[] = []
  const ends: number[] = []
  const hashes: number[] = []
  let slots = new Int32Array(256).fill(-1)

  const places = (index: number): Int32Array => arena.subarray(starts[index] ?? 0, ends[index] ?? 0)

  function isEqual(index: number, wanted: Int32Array): boolean {
    const start = starts[index] ?? 0
    if ((ends[index] ?? 0) - start !== wanted.length) return false
    for (let offset = 0; offset < wanted.length; offset++) if (arena[start + offset] !== wanted[offset]) return false
    return true
  }

  function insert(index: number, hash: number): void {
    let slot = hash & (slots.length - 1)
    while ((slots[slot] ?? -1) !== -1) slot = (slot + 1) & (slots.length - 1)
    slots[slot] = index
  }

  return {
    size: () => starts.length,
    placeCount: () => used,
    places,
    find(wanted) {
      const hash = hashOf(wanted)
      for (let slot = hash & (slots.length - 1); ; slot = (slot + 1) & (slots.length - 1)) {
        const index = slots[slot] ?? -1
        if (index === -1) return -1
        if (hashes[index] === hash && isEqual(index, wanted)) return index
      }
    },
    add(added) {
      if (used + added.length > arena.length) {
        const grown = new Int32Array(Math.max(arena.length * 2, used + added.length))
        grown.set(arena)
        arena = grown
      }
      arena.set(added, used)
      const index = starts.push(used) - 1
      used += added.length
      ends.push(used)
      const hash = hashOf(added)
      hashes.push(hash)
      if (starts.length * 2 > slots.length) {
        const old = slots
        slots = new Int32Array(old.length * 2).fill(-1)
        for (const earlier of old) if (earlier !== -1) insert(earlier, hashes[earlier] ?? 0)
      }
      insert(index, hash)
      return index
    },
    reserve() {
      ends.push(used)
      hashes.push(0)
      return starts.push(used) - 1
    },
  }
}

function hashOf(places: Int32Array): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < places.length; index++) hash = Math.imul(hash ^ (places[index] ?? 0), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}
