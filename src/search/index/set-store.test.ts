// A store answers as if each of its sets were asked by itself, however sets come and go.

import { expect, test } from 'vitest'

import { seeds } from '../../testing/depth.ts'
import { forSeeds } from '../../testing/random.ts'
import { mayHold } from './grams.ts'
import { anyOf, createSetStore, rarestOf, type SetMarks } from './set-store.ts'

test('sets of several lengths, added and freed at random', async () => {
  await forSeeds(seeds({ quick: 20, deep: 500 }), random => {
    const store = random.chance(0.5) ? createSetStore() : createSetStore(false)
    const largest = random.chance(0.1) ? 11 : 6
    const kept = new Map<number, { readonly set: Uint32Array; readonly slot: number }>()
    for (let owner = 0; owner < 300; owner++) {
      if (random.chance(0.4)) {
        const gone = random.pick([...kept.keys(), owner])
        const entry = kept.get(gone)
        if (entry !== undefined) store.free(entry.set.length, entry.slot)
        kept.delete(gone)
      }
      const length = 1 << random.pick([4, 4, 4, 5, largest])
      const set = Uint32Array.from({ length }, () => random.below(2 ** 32) | random.below(2 ** 32))
      kept.set(owner, { set, slot: store.put(set, owner) })
    }
    const ask = (count: number): Uint32Array => Uint32Array.from({ length: count }, () => random.below(2 ** 18))
    const ownersOf = (marks: SetMarks): readonly number[] => store.ownersOf(marks).toSorted((one, other) => one - other)
    const expected = (...asked: readonly Uint32Array[]): readonly number[] =>
      [...kept].filter(([, { set }]) => asked.some(hashes => mayHold(set, hashes))).map(([owner]) => owner)
    for (let count = 0; count < 8; count++) {
      const [hashes, others] = [ask(count), ask(2)]
      expect(ownersOf(store.marksOf(hashes))).toEqual(expected(hashes))
      expect(ownersOf(anyOf([store.marksOf(hashes), store.marksOf(others)]))).toEqual(expected(hashes, others))
      const rarest = rarestOf([store.marksOf(ask(0)), store.marksOf(hashes)])
      expect(ownersOf(rarest)).toEqual(expected(hashes))
      for (const { set, slot } of kept.values()) expect(store.mayHold(set.length, slot, hashes)).toBe(mayHold(set, hashes))
    }
    for (const { set, slot } of kept.values()) {
      const copy = new Uint32Array(set.length + 1)
      store.copyTo(copy, 1, set.length, slot)
      expect(copy.subarray(1)).toEqual(set)
    }
    expect(store.usedWords()).toBe([...kept.values()].reduce((sum, { set }) => sum + set.length, 0))
  })
})
