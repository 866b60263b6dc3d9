import { expect, it } from 'vitest'

import { parseLineId, withoutLineIds } from './display.ts'
import { indexLines } from '../../testing/line-index.ts'
import { placeChanges, type LineIdChange } from './place-changes.ts'

const lines = indexLines([...'abcde'])
const id = (letter: string): string => lines['abcde'.indexOf(letter)]?.id ?? letter

/** `b=X|Y` replaces line b with two; `b-d=` deletes three; `?` is an unknown ID. */
function change(text: string): LineIdChange {
  const [ends = '', content = ''] = text.split('=')
  const [start = '', end] = ends.split('-')
  const newContent = content.replaceAll('|', '\n')
  if (end === undefined) return { line_id: id(start), new_content: newContent }
  return { start_line_id: id(start), end_line_id: id(end), new_content: newContent }
}

const rows: readonly (readonly [changes: string, placed: string])[] = [
  ['a=X', '0-1:X'],
  ['e=X|Y', '4-5:X,Y'],
  ['b-d=X', '1-4:X'],
  ['b=', '1-2:'],
  ['b=|', '1-2:<empty>'],
  ['b=X|', '1-2:X'],
  ['b=X||', '1-2:X,<empty>'],
  ['d=X b=Y', '1-2:Y 3-4:X'],
  ['a-b=X c=Y', '0-2:X 2-3:Y'],
  ['b-a=X', 'Change 1 ends at line 1, before its start at line 2.'],
  ['b=X b=Y', 'Change 2 changes line 2, which change 1 changes too.'],
  ['a-c=X b=Y', 'Change 2 changes line 2, which change 1 changes too.'],
  ['c=Y a-c=X', 'Change 1 changes line 3, which change 2 changes too.'],
  ['?=X a=Y q=Z', 'unknown: ? q'],
  ['a-?=X', 'unknown: ?'],
]
it.each(rows)('%s → %s', (text, expected) => {
  const placed = placeChanges(text.split(' ').map(change), lines)
  const shown =
    placed.kind === 'placed'
      ? placed.changes
          .map(({ startIndex, removed, lines: added }) => {
            return `${startIndex}-${startIndex + removed}:${added.map(line => line || '<empty>').join(',')}`
          })
          .join(' ')
      : placed.kind === 'unknown-ids'
        ? `unknown: ${placed.ids.join(' ')}`
        : placed.message
  expect(shown).toBe(expected)
})

it.each([
  [{ new_content: 'x' }],
  [{ start_line_id: id('a'), new_content: 'x' }],
  [{ end_line_id: id('a'), new_content: 'x' }],
  [{ line_id: id('a'), end_line_id: id('b'), new_content: 'x' }],
])('%j does not say which lines', given => {
  expect(placeChanges([given], lines)).toMatchObject({ kind: 'refused', message: expect.stringContaining('needs either') })
})

it('a lone carriage return is no line break and no text', () => {
  expect(placeChanges([change('a=X\rY')], lines)).toMatchObject({ kind: 'refused' })
  expect(placeChanges([change('a=X\r\nY')], lines)).toMatchObject({ changes: [{ lines: ['X', 'Y'] }] })
})

it.each([
  ['a3f2c1', 'a3f2c1'],
  ['[LID:a3f2c1]', 'a3f2c1'],
  ['LID:A3F2C1', 'a3f2c1'],
  [' a3f2c1 ', 'a3f2c1'],
  ['a3f2c', undefined],
  ['a3f2c1x', undefined],
  ['', undefined],
])('%j names %s', (text, expected) => {
  expect(parseLineId(text)).toBe(expected)
})

it('copied IDs are taken off where they are known', () => {
  const given = ['[LID:aaaaaa] one', '[LID:aaaaaa] ', '[LID:bbbbbb] two', 'x [LID:aaaaaa] three']
  expect(withoutLineIds(given, known => known === 'aaaaaa')).toEqual({
    lines: ['one', '', '[LID:bbbbbb] two', 'x [LID:aaaaaa] three'],
    removed: 2,
    suspicious: 1,
  })
})
