import { expect, test } from 'vitest'

import { forSeeds } from '../testing/random.ts'
import { windowFinder } from './class-window.ts'
import { firstPlacesOf } from './dfa/first-places.ts'
import { parsePattern } from './regex/parse.ts'

const placesOf = (source: string): readonly string[] =>
  firstPlacesOf(parsePattern(source, { ignoreCase: false }).node).map(place =>
    String.fromCharCode(...[...place.keys()].filter(byte => place[byte] === 1)),
  )

test.each<readonly [pattern: string, places: readonly string[]]>([
  ['a[bc]', ['a', 'bc']],
  ['ab|c', ['ac']],
  ['a{2,3}b', ['a', 'a', 'ab']],
  ['^a\\bb', ['a', 'b']],
  ['a?b', ['ab']],
  ['a.b', ['a']],
  ['(?i:at)', ['Aa', 'Tt']],
  ['(?i:as)', ['Aa']],
  ['[[:digit:]]\\d', ['0123456789']],
  ['é', []],
  ['a*', []],
  ['x{40}', Array.from({ length: 16 }, () => 'x')],
])('the first places of %s', (pattern, places) => {
  expect(placesOf(pattern)).toEqual(places)
})

test('finds all places where all may stand', async () => {
  let found = 0
  await forSeeds(500, random => {
    const letters = ['a', 'b', 'c', 'd']
    const classes = Array.from({ length: 1 + random.below(5) }, () => letters.filter(() => random.chance(0.5)).join('') || 'a')
    const text = Array.from({ length: random.below(600) }, () => random.pick(letters)).join('')
    const from = random.below(4)
    const isAllowed = (end: number): boolean =>
      classes.every((set, index) => set.includes(text[end - classes.length + 1 + index] ?? ' '))
    const expected = Array.from({ length: text.length }, (_, end) => end).filter(
      end => end - classes.length + 1 >= from && isAllowed(end),
    )
    const places = classes.map(set =>
      Uint8Array.from({ length: 256 }, (_, byte) => (set.includes(String.fromCharCode(byte)) ? 1 : 0)),
    )
    expect(
      windowFinder(places).findEnds(new TextEncoder().encode(text), from, from, text.length),
      `${classes.join(' ')} in ${text}`,
    ).toEqual(expected)
    if (expected.length > 0) found++
  })
  expect(found).toBeGreaterThan(100)
})
