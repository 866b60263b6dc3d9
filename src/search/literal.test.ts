import { describe, expect, test } from 'vitest'

import { forSeeds } from '../testing/random.ts'
import { holdsForeignLetters, literalFinder } from './literal.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('finds what String.indexOf finds', () => {
  const rows: readonly (readonly [needle: string, haystack: string, from: number, at: number])[] = [
    ['a', 'bca', 0, 2],
    ['a', 'aba', 1, 2],
    ['ab', 'aab', 0, 1],
    ['aab', 'aaab', 0, 1],
    ['abc', 'ab', 0, -1],
    ['abc', '', 0, -1],
    ['abc', 'abcabc', 1, 3],
    ['é', 'eé', 0, 1],
  ]
  test.each(rows)('%s in %s from %i', (needle, haystack, from, at) => {
    const bytes = encode(haystack)
    expect(literalFinder([needle], false).find(bytes, from, bytes.length)).toBe(at)
  })

  const seed = 20_260_801
  test(`on random texts, both cases (seed ${seed})`, () => {
    const next = random(seed)
    for (let round = 0; round < 2000; round++) {
      const isFolded = round % 2 === 1
      const haystack = randomText(next, isFolded ? 'aAbBkK' : 'abc', 40)
      const needle = randomText(next, isFolded ? 'aAbBkK' : 'abc', 4) + 'b'
      const from = Math.floor(next() * 5)
      const to = haystack.length - Math.floor(next() * 3)
      const fold = (text: string): string => (isFolded ? text.toLowerCase() : text)
      const expected = from > to ? -1 : fold(haystack.slice(0, Math.max(0, to))).indexOf(fold(needle), from)
      expect(
        literalFinder([needle], isFolded).find(encode(haystack), from, to),
        `${needle} in ${haystack} [${from}, ${to})`,
      ).toBe(expected)
    }
  })
})

test('several at once: the first that begins', async () => {
  let found = 0
  await forSeeds(1000, random => {
    const isFolded = random.chance(0.5)
    const text = (maxLength: number): string =>
      Array.from({ length: 1 + random.below(maxLength) }, () => random.pick(['a', 'A', 'b', 'k', 'é'])).join('')
    const haystack = text(60)
    const needles = Array.from({ length: 2 + random.below(4) }, () => (isFolded ? text(4).replaceAll('é', 'b') : text(4)))
    const bytes = encode(haystack)
    const from = random.below(4)
    const fold = (given: string): string => (isFolded ? given.replaceAll('A', 'a') : given)
    // In bytes, as Latin-1, so that offsets are those of bytes.
    const latin = (given: string): string => String.fromCharCode(...encode(fold(given)))
    const places = needles.map(needle => latin(haystack).indexOf(latin(needle), from)).filter(place => place !== -1)
    const expected = places.length === 0 ? -1 : Math.min(...places)
    expect(literalFinder(needles, isFolded).find(bytes, from, bytes.length), `${needles.join('|')} in ${haystack}`).toBe(expected)
    if (expected !== -1) found++
  })
  expect(found).toBeGreaterThan(100)
})

test.each([
  ['', false],
  ['K S Å —', false],
  ['tas\u212a', true],
  ['\u017fet', true],
  ['Ŀ ſ', true],
])('letters beyond ASCII that fold into it: %s', (text, expected) => {
  expect(holdsForeignLetters(encode(text))).toBe(expected)
})

function randomText(next: () => number, alphabet: string, maxLength: number): string {
  return Array.from({ length: Math.floor(next() * maxLength) }, () => alphabet[Math.floor(next() * alphabet.length)]).join('')
}

/** mulberry32 */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
