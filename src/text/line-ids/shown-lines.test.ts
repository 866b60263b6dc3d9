import { expect, it } from 'vitest'

import { indexLines, reconcileLines } from '../../testing/line-index.ts'
import { ShownLines } from './shown-lines.ts'

const text = ['a', '}', 'b', '}', 'c']

it('an index that was carried on keeps all that was shown', () => {
  const shown = new ShownLines()
  const before = indexLines(text)
  shown.show(before, 0, 5)
  const after = reconcileLines(before, ['new', ...text])
  expect(
    shown.outdated(
      after,
      before.map(line => line.id),
    ),
  ).toEqual([])
})

it('an ID of an index that was made anew is outdated until it is shown again', () => {
  const shown = new ShownLines()
  const before = indexLines(text)
  shown.show(before, 0, 5)
  // Everything moved down by two lines: line 4 was a bracket and is another bracket now.
  const after = indexLines(['x', 'y', ...text])
  const bracket = before[3]?.id ?? ''
  expect(after[3]?.id).toBe(bracket)
  expect(shown.outdated(after, [bracket])).toEqual([bracket])
  shown.show(after, 3, 4)
  expect(shown.outdated(after, [bracket])).toEqual([])
})

it('a range that holds what was not shown is changed', () => {
  const shown = new ShownLines()
  const before = indexLines(text)
  shown.show(before, 0, 3)
  expect(shown.isRangeChanged(before, 0, 4)).toBe(false)
  const inserted = reconcileLines(before, ['a', '}', 'new', 'b', '}', 'c'])
  expect(shown.isRangeChanged(inserted, 0, 1)).toBe(false)
  expect(shown.isRangeChanged(inserted, 1, 3)).toBe(true)
  // Lines after those that were shown are unknown; only their IDs can decide.
  expect(shown.isRangeChanged(inserted, 3, 5)).toBe(false)
  const removed = reconcileLines(before, ['a', 'b', '}', 'c'])
  expect(shown.isRangeChanged(removed, 0, 1)).toBe(true)
})

it('a line found alone takes back nothing that a page told', () => {
  const shown = new ShownLines()
  const before = indexLines(text)
  shown.show(before, 0, 3)
  shown.show(before, 1, 2)
  expect(shown.isRangeChanged(reconcileLines(before, ['a', '}', 'new', 'b', '}', 'c']), 1, 2)).toBe(true)
})
