import { expect, test } from 'vitest'

import { forSeeds } from '../testing/random.ts'
import { windowFinder } from './class-window.ts'
import { firstPlacesOf } from './dfa/first-places.ts'
import { requiredPlacesOf } from './dfa/required-places.ts'
import { parsePattern } from './regex/parse.ts'

const placesOf = (source: string): readonly string[] =>
  firstPlacesOf(parsePattern(source, { ignoreCase: false }).node).map(letters)

const letters = (place: Uint8Array): string => String.fromCharCode(...[...place.keys()].filter(byte => place[byte] === 1))

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

test.each<readonly [pattern: string, runs: readonly (readonly string[])[]]>([
  ['a[bc]', [['a', 'bc']]],
  [
    '[ab]{2,}_[01]+x',
    [
      ['ab', 'ab'],
      ['ab', 'ab', '_', '01'],
      ['01', 'x'],
    ],
  ],
  ['a.b?c', [['a'], ['c']]],
  ['a(bc){2}d', [['a', 'b', 'c', 'b', 'c', 'd']]],
  ['a(b|c)d', [['a'], ['d']]],
  ['aéb', [['a'], ['b']]],
  ['(?i:as)b', [['Aa'], ['b']]],
  ['^a\\bb$', [['a', 'b']]],
  ['a*', []],
])('the required places of %s', (pattern, runs) => {
  const node = parsePattern(pattern, { ignoreCase: false }).node
  expect(requiredPlacesOf(node).map(run => run.map(letters))).toEqual(runs)
})

test('tells which of several texts hold a window', async () => {
  await forSeeds(200, random => {
    const texts = Array.from({ length: random.below(6) }, () =>
      Array.from({ length: random.below(60) }, () => random.pick(['A', 'Q', '7', '_'])).join(''),
    )
    const places = ['A', '_', '7Q'].map(set =>
      Uint8Array.from({ length: 256 }, (_, byte) => (set.includes(String.fromCharCode(byte)) ? 1 : 0)),
    )
    const { holdsText } = windowFinder(places)
    if (holdsText !== undefined)
      expect(holdsText(texts.map(text => new TextEncoder().encode(text)))).toEqual(texts.map(text => /A_[7Q]/.test(text)))
  })
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
