// Reproducible random tests: the same seed gives the same choices everywhere, and a failure names its seed.

import { checkArguments } from '../core/argument.ts'

/** A source of random numbers that a seed repeats. */
export interface Random {
  /** An integer from 0 to `end` (exclusive). */
  readonly below: (end: number) => number
  /** Throws for an empty list. */
  readonly pick: <T>(values: readonly T[]) => T
  readonly chance: (probability: number) => boolean
}

/** Mulberry32: 32 bits of state, enough for tests only. */
export function createRandom(seed: number): Random {
  checkArguments('createRandom', [seed], ['number'])
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number): number => Math.floor(next() * end)
  return {
    below,
    pick(values) {
      for (const value of values.slice(below(values.length))) return value
      throw new Error('there is nothing to pick from')
    },
    chance: probability => next() < probability,
  }
}

/** Runs `test` once for each seed from 1 to `count`; a failure names its seed, which `only` can run alone. */
export async function forSeeds(
  count: number,
  test: (random: Random, seed: number) => void | Promise<void>,
  only?: number,
): Promise<void> {
  checkArguments('forSeeds', [count, test, only], ['number', 'function', 'number?'])
  const first = only ?? 1
  const last = only ?? count
  for (let seed = first; seed <= last; seed++) {
    try {
      await test(createRandom(seed), seed)
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    }
  }
}
