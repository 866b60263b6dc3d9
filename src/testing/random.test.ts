import { expect, test } from 'vitest'
import { createRandom, forSeeds } from './random.ts'

test('the same seed gives the same choices, another seed others', () => {
  const draw = (seed: number): number[] => {
    const random = createRandom(seed)
    return Array.from({ length: 20 }, () => random.below(1_000_000))
  }
  expect(draw(7)).toEqual(draw(7))
  expect(draw(7)).not.toEqual(draw(8))
})

test('every number below the end comes up, and none else', () => {
  const random = createRandom(1)
  const counts = new Map<number, number>()
  for (let draw = 0; draw < 3_000; draw++) {
    const number = random.below(10)
    counts.set(number, (counts.get(number) ?? 0) + 1)
  }
  expect([...counts.keys()].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  for (const count of counts.values()) expect(count).toBeGreaterThan(200)
})

test('a failure names its seed, which can be run alone', async () => {
  const seen: number[] = []
  const failAt3 = (_random: unknown, seed: number): void => {
    seen.push(seed)
    if (seed === 3) throw new Error('broken')
  }
  await expect(forSeeds(9, failAt3)).rejects.toThrow('seed 3: broken')
  await expect(forSeeds(9, failAt3, 3)).rejects.toThrow('seed 3: broken')
  expect(seen).toEqual([1, 2, 3, 3])
})
