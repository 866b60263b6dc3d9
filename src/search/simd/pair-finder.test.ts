import { describe, expect, it } from 'vitest'

import { seeds } from '../../testing/depth.ts'
import { forSeeds } from '../../testing/random.ts'
import { literalFinder } from '../literal.ts'
import { maxFound, maxTextBytes } from './layout.ts'
import { pairFinder, rarestPair } from './pair-finder.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Finds the ends by checking every position. */
function endsOf(haystack: Uint8Array, needle: string, isFolded: boolean, begin: number, from: number, to: number): number[] {
  const fold = (text: string): string =>
    isFolded ? text.toLowerCase().replaceAll('\u017f', 's').replaceAll('\u212a', 'k') : text
  const wanted = fold(needle)
  const ends: number[] = []
  for (let last = from; last < to; last++) {
    for (let start = begin; start <= last; start++) {
      const part = haystack.subarray(start, last + 1)
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(part)
      if (text.length <= wanted.length && fold(text) === wanted) {
        ends.push(last)
        break
      }
    }
  }
  return ends
}

it('this platform compiles the scan, so these tests are about it', () => {
  expect(pairFinder()).toBeDefined()
})

it('finds what looking at every place finds', async () => {
  await forSeeds(seeds({ quick: 25, deep: 3000 }), (random, seed) => {
    const letters = random.chance(0.5) ? ['a', 'b', 'A', 'é'] : ['s', 'k', 'S', 'x', '\u017f', '\u212a', '_']
    const word = (length: number): string => Array.from({ length }, () => random.pick(letters)).join('')
    const isFolded = random.chance(0.5)
    const needle = word(1 + random.below(4)).replaceAll(/[^\x20-\x7e]/g, isFolded ? 'x' : '$&')
    const haystack = encode(word(130 + random.below(120)))
    const begin = random.below(3)
    const from = begin + random.below(10)
    const to = haystack.length - random.below(10)
    const found = literalFinder([needle], isFolded).findEnds(haystack, begin, from, to)
    expect({ seed, needle, found }).toEqual({ seed, needle, found: endsOf(haystack, needle, isFolded, begin, from, to) })
  })
})

describe('at its limits', () => {
  const finder = literalFinder(['needle'], false)
  it.each([128, 129, 143, 144, 145, 4096, maxTextBytes - 1, maxTextBytes, maxTextBytes + 1, maxTextBytes + 500])(
    'of %i bytes the first and the last are looked at',
    length => {
      const bytes = encode(`needle${'-'.repeat(length - 12)}needle`)
      expect(finder.findEnds(bytes, 0, 0, length)).toEqual([5, length - 1])
      expect(finder.findEnds(bytes, 1, 1, length - 1)).toEqual([])
    },
  )

  it.each([maxFound - 1, maxFound, maxFound + 1])('%i places are found', count => {
    const bytes = encode('ab'.repeat(count))
    expect(literalFinder(['ab'], false).findEnds(bytes, 0, 0, Math.min(bytes.length, maxTextBytes))).toHaveLength(count)
  })

  it('takes the two rarest bytes that differ', () => {
    expect(rarestPair(encode('eeqeez'), false)).toMatchObject({ first: { distance: 2 }, second: { distance: 5 } })
    expect(rarestPair(encode('aa'), true)).toMatchObject({ first: { mask: 0x20 }, second: { mask: 0x20 } })
    expect(rarestPair(encode('_'), true)).toMatchObject({ sizeBytes: 1, first: { mask: 0 } })
  })
})
