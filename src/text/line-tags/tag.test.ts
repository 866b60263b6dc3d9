import { expect, it } from 'vitest'

import { formatLineTag, lineTagId, parseLineTag, withoutLineTags } from './tag.ts'

// Vectors of the reference.
it.each([
  [1, 'alpha', 'a269'],
  [2, 'beta', '4366'],
  [3, 'gamma', '502a'],
  [1, '', '3afc'],
  [1, 'a', '2c11'],
  [10, 'def my_function():', '74f3'],
  [5, 'héllo', '999a'],
])('line %i, %j, has %s', (lineNumber, line, id) => {
  expect(lineTagId(lineNumber, line)).toBe(id)
})

// str.rstrip removes these; U+FEFF and U+200B are not blanks for it.
it.each([' ', '\t', ' \t\v\f\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000'])(
  '%j at the end does not count',
  blanks => {
    expect(lineTagId(1, `a${blanks}`)).toBe('2c11')
    expect(lineTagId(1, `${blanks}a`)).not.toBe('2c11')
  },
)

it.each(['\uFEFF', '\u200b', '.'])('%j at the end counts', end => {
  expect(lineTagId(1, `a${end}`)).not.toBe('2c11')
})

it('the line is shown as it is, blanks included', () => {
  expect(`${formatLineTag(1, 'a  ')}a  `).toBe('1#2c11|a  ')
})

it.each([
  ['10#a1b2', 10, 'a1b2'],
  ['10#A1B2', 10, 'a1b2'],
  [' 10#a1b2 ', 10, 'a1b2'],
  ['10#a1b2|def f(): # x', 10, 'a1b2'],
])('%j is a tag', (text, lineNumber, id) => {
  expect(parseLineTag(text)).toEqual({ kind: 'tag', tag: { lineNumber, id } })
})

it.each([
  ['', 'Invalid LINE#ID format'],
  ['10', 'Invalid LINE#ID format'],
  ['10#', 'Invalid LINE#ID format'],
  ['10#a1b', 'Invalid LINE#ID format'],
  ['10#a1b2c', 'Invalid LINE#ID format'],
  ['10#zzzz', 'Invalid LINE#ID format'],
  ['x#a1b2', 'Invalid line number'],
  ['-1#a1b2', 'Invalid line number'],
  ['1.5#a1b2', 'Invalid line number'],
  ['#a1b2', 'Invalid line number'],
  ['0#abcd', 'Line numbers are 1-based'],
])('%j is none', (text, message) => {
  expect(parseLineTag(text)).toEqual({ kind: 'refused', message: expect.stringContaining(message) })
})

it('copied tags are taken off where they are of that very line', () => {
  const document = ['alpha', 'beta']
  // The third was copied and then changed; the fourth matches no line; the last only looks similar.
  const given = ['1#a269|alpha', '2#4366|beta', '1#a269|ALPHA', '7#ffff|x', 'x 1#a269|alpha']
  expect(withoutLineTags(given, document)).toEqual({
    lines: ['alpha', 'beta', 'ALPHA', '7#ffff|x', 'x 1#a269|alpha'],
    removed: 3,
    suspicious: 1,
  })
})
