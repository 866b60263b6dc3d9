import { expect, it } from 'vitest'

import { documentOf, textOf } from '../core/text.ts'
import { spliceLines, type LineSplice } from './splice-lines.ts'

/** `1-2=X|Y`: from line index 1, 2 lines removed, two inserted. */
function splice(text: string): LineSplice {
  const match = /^(\d+)-(\d+)=(.*)$/.exec(text)
  const content = match?.[3] ?? ''
  return { startIndex: Number(match?.[1]), removed: Number(match?.[2]), lines: content === '' ? [] : content.split('|') }
}

const rows: readonly (readonly [before: string, splices: string, after: string])[] = [
  ['a\nb\n', '0-1=X', 'X\nb\n'],
  ['a\nb', '1-1=X', 'a\nX'],
  ['a\nb', '1-1=X|Y', 'a\nX\nY'],
  ['a\nb', '1-1=', 'a'],
  ['a\nb\n', '1-1=', 'a\n'],
  ['a\nb\n', '0-2=', ''],
  ['a', '1-0=b', 'a\nb'],
  ['a\n', '1-0=b', 'a\nb\n'],
  ['', '0-0=a|b', 'a\nb\n'],
  ['a\r\nb\r\n', '0-1=X|Y', 'X\r\nY\r\nb\r\n'],
  ['a\r\nb', '2-0=c', 'a\r\nb\r\nc'],
  ['a\rb\r', '1-0=X', 'a\rX\rb\r'],
  // Each line keeps its ending; new ones take those that they replace, and the rest use the last of them.
  ['a\nb\r\nc\nd\n', '1-2=X|Y', 'a\nX\r\nY\nd\n'],
  ['a\nb\r\nc\n', '1-1=X|Y|Z', 'a\nX\r\nY\r\nZ\r\nc\n'],
  ['a\r\nb\n', '1-0=X', 'a\r\nX\r\nb\n'],
  ['\uFEFFa\nb\n', '0-1=X', '\uFEFFX\nb\n'],
  ['\uFEFFa\n', '0-1=', '\uFEFF'],
  ['a\nb\nc\n', '0-1=X 1-0=I 1-1=Y 3-0=Z', 'X\nI\nY\nc\nZ\n'],
  ['a\nb\nc\n', '0-0=1 0-0=2 0-1=3', '1\n2\n3\nb\nc\n'],
]
it.each(rows)('%j with %s is %j', (before, splices, after) => {
  expect(textOf(spliceLines(documentOf(before), splices.split(' ').map(splice)))).toBe(after)
})

it.each(['0-2=X 1-1=Y', '1-1=X 0-1=Y', '3-1=X'])('%s is a bug of the caller', splices => {
  expect(() => spliceLines(documentOf('a\nb\nc\n'), splices.split(' ').map(splice))).toThrow('overlap or leave')
})
