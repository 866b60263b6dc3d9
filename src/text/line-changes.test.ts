import { describe, expect, it } from 'vitest'
import { lineChanges } from './line-changes.ts'
import { createRandom } from '../testing/random.ts'

/** `beforeIndex-removed/afterIndex+added` for each change. */
const changes = (before: string, after: string): string =>
  lineChanges([...before], [...after])
    .changes.map(change => `${change.beforeIndex}-${change.removed}/${change.afterIndex}+${change.added}`)
    .join(' ')

describe('changes are the least there is', () => {
  it.each([
    ['', '', ''],
    ['abc', 'abc', ''],
    ['', 'ab', '0-0/0+2'],
    ['ab', '', '0-2/0+0'],
    ['abc', 'aXc', '1-1/1+1'],
    ['abc', 'ac', '1-1/1+0'],
    ['aaa', 'aaaa', '3-0/3+1'],
    ['abcdef', 'aXcdYf', '1-1/1+1 4-1/4+1'],
    ['abc', 'xyz', '0-3/0+3'],
  ])('%j to %j', (before, after, expected) => {
    expect(changes(before, after)).toBe(expected)
  })
})

it.each(Array.from({ length: 100 }, (_, seed) => seed + 1))('replaying the changes gives the new text: seed %i', seed => {
  const { below: next } = createRandom(seed)
  const text = (): string[] => Array.from({ length: next(20) }, () => 'abc'[next(3)] ?? '')
  const before = text()
  const after = text()
  const replayed = [...before]
  for (const change of lineChanges(before, after).changes.toReversed()) {
    replayed.splice(change.beforeIndex, change.removed, ...after.slice(change.afterIndex, change.afterIndex + change.added))
  }
  expect(replayed).toEqual(after)
})
