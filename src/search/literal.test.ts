import { describe, expect, test } from 'vitest'

import { seeds } from '../testing/depth.ts'
import { forSeeds } from '../testing/random.ts'
import { holdsForeignLetters, literalFinder } from './literal.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Where each occurrence ends, without those that begin before `begin`. */
function endsOf(
  texts: readonly string[],
  isFolded: boolean,
  haystack: string,
  begin = 0,
  from = 0,
  to?: number,
): readonly number[] {
  const bytes = encode(haystack)
  return literalFinder(texts, isFolded).findEnds(bytes, begin, from, to ?? bytes.length)
}

describe('finds where a text ends', () => {
  const rows: readonly (readonly [text: string, haystack: string, ends: readonly number[], begin: number])[] = [
    ['a', 'bca', [2], 0],
    ['a', 'aba', [2], 1],
    ['ab', 'aab', [2], 0],
    ['aab', 'aaab', [3], 0],
    ['aa', 'aaaa', [1, 2, 3], 0],
    ['abc', 'ab', [], 0],
    ['abc', '', [], 0],
    ['abc', 'abcabc', [5], 1],
    ['é', 'eé', [2], 0],
    ['x'.repeat(96), 'x'.repeat(97), [95, 96], 0],
    [`a${'x'.repeat(95)}`, `b${'x'.repeat(95)}a${'x'.repeat(95)}`, [191], 0],
  ]
  test.each(rows)('%s in %s', (text, haystack, ends, begin) => {
    expect(endsOf([text], false, haystack, begin)).toEqual(ends)
  })
})

test('of what is long only the end is looked for, and said to be', () => {
  const long = `a${'x'.repeat(96)}`
  expect([literalFinder(['a'.repeat(96)], false).isExact, literalFinder([long], false).isExact]).toEqual([true, false])
  expect(literalFinder(['foo', 'a'.repeat(49)], false).isExact).toBe(false)
  expect(endsOf([long], false, `b${long.slice(1)}`)).toEqual([96])
})

describe('without regard to case', () => {
  const rows: readonly (readonly [text: string, haystack: string, ends: readonly number[]])[] = [
    ['Web', 'wEb web wep', [2, 6]],
    ['ask', 'a\u017f\u212a ASK', [5, 9]],
    ['k', 'k K \u212a \u2126', [0, 2, 6]],
    ['ss', 's\u017f\u017fs', [2, 4, 5]],
    ['@[', '@[ `{', [1]],
  ]
  test.each(rows)('%s in %s', (text, haystack, ends) => {
    expect(endsOf([text], true, haystack)).toEqual(ends)
  })
})

test('finds what a look at each place finds, however many bytes are searched at once', async () => {
  let found = 0
  let foreign = 0
  await forSeeds(seeds({ quick: 200, deep: 5000 }), random => {
    const isFolded = random.chance(0.5)
    const letters = isFolded ? ['a', 'A', 'b', 'k', 'S', 's', '\u212a', '\u017f', ' '] : ['a', 'b', 'c', 'A', 'é', '日']
    const few = letters.filter(() => random.chance(0.6))
    const text = (size: number): string =>
      Array.from({ length: size }, () => random.pick(few.length === 0 ? letters : few)).join('')
    const plain = (given: string): string => given.replaceAll('\u212a', 'K').replaceAll('\u017f', 's')
    const texts = Array.from({ length: random.pick([1, 1, 2, 4]) }, () => plain(text(1 + random.below(5))))
    const haystack = text(random.pick([0, 3, 40, 400, 3000]))
    const size = encode(haystack).length
    const begin = random.below(Math.min(size, 5) + 1)
    const from = begin + random.below(Math.max(1, size - begin))
    const to = Math.max(from, size - random.below(4))
    // By character, because a letter may have more bytes in the text than in the needle.
    const fold = (given: string): string => (isFolded ? plain(given).toLowerCase() : given)
    const characters = [...haystack]
    const offsets = [0]
    for (const character of characters) offsets.push((offsets.at(-1) ?? 0) + encode(character).length)
    const expected = characters.flatMap((_, index) => {
      const end = (offsets[index + 1] ?? 0) - 1
      const isFound = texts.some(wanted => {
        const first = index + 1 - [...wanted].length
        const spelled = characters.slice(Math.max(0, first), index + 1).join('')
        if (first < 0 || (offsets[first] ?? 0) < begin || fold(spelled) !== fold(wanted)) return false
        if (spelled.length !== encode(spelled).length && isFolded) foreign++
        return true
      })
      return isFound && end >= from && end < to ? [end] : []
    })
    expect(
      endsOf(texts, isFolded, haystack, begin, from, to),
      `${texts.join('|')} in ${haystack} [${begin} ${from} ${to}]`,
    ).toEqual(expected)
    found += expected.length
  })
  expect(found).toBeGreaterThan(300)
  expect(foreign).toBeGreaterThan(30)
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
