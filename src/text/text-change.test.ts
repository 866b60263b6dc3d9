// The laws of changes, on random texts and changes.

import { expect, test } from 'vitest'
import { seeds } from '../testing/depth.ts'
import { forSeeds, type Random } from '../testing/random.ts'
import {
  applyChange,
  changeLengths,
  changeOf,
  composeChanges,
  editsOf,
  invertChange,
  mapChange,
  mapPosition,
  type TextChange,
  type TextEdit,
  type TextReplacement,
} from './text-change.ts'
import { textDifference } from './text-difference.ts'

const pieces = ['a', 'b\n', '', 'long text', '\n', '😀', 'x']

function randomText(random: Random): string {
  return Array.from({ length: random.below(12) }, () => random.pick(pieces)).join('')
}

function randomChange(random: Random, text: string): TextChange {
  const edits: TextEdit[] = []
  let at = 0
  for (let count = random.below(4); count > 0; count--) {
    const from = at + random.below(text.length - at + 1)
    const to = from + random.below(Math.min(5, text.length - from) + 1)
    edits.push({ from, to, insert: random.pick(pieces) })
    at = to
  }
  return changeOf(edits, text.length)
}

test('changes compose, converge and map positions', async () => {
  await forSeeds(seeds({ quick: 500, deep: 50_000 }), random => {
    const text = randomText(random)
    const [a, b] = [randomChange(random, text), randomChange(random, text)]
    const [afterA, afterB] = [applyChange(text, a), applyChange(text, b)]
    expect(changeLengths(a)).toEqual({ before: text.length, after: afterA.length })
    expect(changeOf(editsOf(a), text.length)).toEqual(a)
    const next = randomChange(random, afterA)
    expect(applyChange(text, composeChanges(a, next))).toBe(applyChange(afterA, next))
    expect(applyChange(afterA, mapChange(b, a, 'after'))).toBe(applyChange(afterB, mapChange(a, b, 'before')))
    expect(
      applyChange(
        afterA,
        invertChange(a, () => text),
      ),
    ).toBe(text)
    const position = random.below(text.length + 1)
    const [early, late] = [mapPosition(position, a, 'before'), mapPosition(position, a, 'after')]
    expect(early <= late && late <= afterA.length).toBe(true)
  })
})

test('the difference of two texts leads from one to the other', async () => {
  await forSeeds(seeds({ quick: 300, deep: 20_000 }), random => {
    const before = randomText(random)
    const after = random.chance(0.5) ? randomText(random) : applyChange(before, randomChange(random, before))
    expect(applyChange(before, textDifference(before, after))).toBe(after)
  })
})

test.each<[string, string, readonly TextReplacement[]]>([
  ['one\ntwo\nthree\n', 'one\ntwo!\nthree\n', [{ from: 7, to: 7, insert: '!' }]],
  [
    'one\ntwo\nthree\n',
    'One\ntwo\nthrEe\n',
    [
      { from: 0, to: 1, insert: 'O' },
      { from: 11, to: 12, insert: 'E' },
    ],
  ],
  // The pieces of a pair belong together.
  ['a😀b', 'a😁b', [{ from: 1, to: 3, insert: '😁' }]],
  [
    'ab\ncd\n',
    'aXb\ncYd\n',
    [
      { from: 1, to: 1, insert: 'X' },
      { from: 4, to: 4, insert: 'Y' },
    ],
  ],
])('%j becomes %j by as little as possible', (before, after, edits) => {
  expect(editsOf(textDifference(before, after))).toEqual(edits)
})

test.each<[string, readonly TextEdit[]]>([
  [
    'overlapping',
    [
      { from: 0, to: 3 },
      { from: 2, insert: 'x' },
    ],
  ],
  ['outside', [{ from: 4, to: 6 }]],
  ['backwards', [{ from: 3, to: 2 }]],
  ['between two units', [{ from: 0.5, insert: 'x' }]],
])('%s edits are refused', (_name, edits) => {
  expect(() => changeOf(edits, 5)).toThrow(expect.objectContaining({ code: 'buffer-change' }))
})
