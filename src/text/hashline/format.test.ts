import { expect, it } from 'vitest'
import { formatContextRow, formatHeader, formatMatchRow, formatRow, parseHeader } from './format.ts'

it('rows and headers have their contract form', () => {
  expect(formatHeader('src/a.ts', 'A1B2')).toBe('[src/a.ts#A1B2]')
  expect([formatRow(1, ''), formatMatchRow(2, 'x'), formatContextRow(30, ' y')]).toEqual(['1:', '*2:x', ' 30: y'])
})

it.each(['a.txt', 'app/[id]/page.tsx', 'c#/x#y.cs', '/abs/my file.md', 'weird]'])('the header of %j reads back', path => {
  expect(parseHeader(formatHeader(path, '00FF'))).toEqual({ path, tag: '00FF' })
})

it.each([
  ['[a#1a2b]  ', { path: 'a', tag: '1A2B' }],
  [' [a#1A2B]', undefined],
  ['[a#1A2]', undefined],
  ['[a#1A2BC]', undefined],
  ['[a#XYZ1]', undefined],
  ['[#1A2B]', undefined],
  ['[ #1A2B]', undefined],
  ['[a#1A2B] x', undefined],
  ['[a]', undefined],
  ['[', undefined],
  ['', undefined],
])('parseHeader(%j)', (line, header) => {
  expect(parseHeader(line)).toEqual(header)
})
