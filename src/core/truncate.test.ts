import { describe, expect, it } from 'vitest'
import { endWithin, startWithin, truncateHead, truncateTail, type Truncation } from './truncate.ts'

const wide = { maxLines: 100, maxBytes: 1000 }

// text, caps, shown text, by, shown lines, shown bytes, first line, oversized
type Row = [string, { maxLines: number; maxBytes: number }, string, 'lines' | 'bytes', number, number, number, number?]

const truncationOf = ([text, , shown, by, shownLines, shownBytes, firstLineNumber, oversizedLineBytes]: Row): Truncation => ({
  text: shown,
  truncated: true,
  by,
  totalLines: text.replace(/\n$/, '').split('\n').length,
  totalBytes: new TextEncoder().encode(text).length,
  shownLines,
  shownBytes,
  firstLineNumber,
  oversizedLineBytes,
})

describe('truncateHead', () => {
  it.each<Row>([
    ['a\nb\nc', { maxLines: 2, maxBytes: 99 }, 'a\nb', 'lines', 2, 3, 1],
    ['a\nb\nc\n', { maxLines: 2, maxBytes: 99 }, 'a\nb', 'lines', 2, 3, 1],
    ['aa\nbb\ncc', { maxLines: 9, maxBytes: 5 }, 'aa\nbb', 'bytes', 2, 5, 1],
    ['aa\nbb\ncc', { maxLines: 9, maxBytes: 4 }, 'aa', 'bytes', 1, 2, 1],
    ['éé\nb', { maxLines: 9, maxBytes: 3 }, '', 'bytes', 0, 0, 1, 4],
    ['long line', { maxLines: 9, maxBytes: 4 }, '', 'bytes', 0, 0, 1, 9],
    ['\n\nc', { maxLines: 2, maxBytes: 9 }, '\n', 'lines', 2, 1, 1],
    ['a\nb', { maxLines: 0, maxBytes: 9 }, '', 'lines', 0, 0, 1],
  ])('%j within %j', (...row) => {
    expect(truncateHead(row[0], row[1])).toEqual(truncationOf(row))
  })
})

describe('truncateTail', () => {
  it.each<Row>([
    ['a\nb\nc', { maxLines: 2, maxBytes: 99 }, 'b\nc', 'lines', 2, 3, 2],
    ['a\nb\nc\n', { maxLines: 2, maxBytes: 99 }, 'b\nc\n', 'lines', 2, 3, 2],
    ['aa\nbb\ncc\n', { maxLines: 9, maxBytes: 5 }, 'bb\ncc\n', 'bytes', 2, 5, 2],
    ['aa\nbb\ncc', { maxLines: 9, maxBytes: 4 }, 'cc', 'bytes', 1, 2, 3],
    ['a\n😀é', { maxLines: 9, maxBytes: 5 }, 'é', 'bytes', 1, 2, 2, 6],
    ['long line\n', { maxLines: 9, maxBytes: 4 }, 'line\n', 'bytes', 1, 4, 1, 9],
    ['a\n\n', { maxLines: 1, maxBytes: 9 }, '\n', 'lines', 1, 0, 2],
    ['a\nb', { maxLines: 0, maxBytes: 9 }, '', 'lines', 0, 0, 3],
  ])('%j within %j', (...row) => {
    expect(truncateTail(row[0], row[1])).toEqual(truncationOf(row))
  })
})

it.each(['', '\n', 'a', 'a\n', 'a\n\n'])('%j within wide caps is returned as it is', text => {
  for (const cut of [truncateHead, truncateTail]) expect(cut(text, wide)).toMatchObject({ text, truncated: false })
})

it('a final newline is not held against the cap', () => {
  expect(truncateHead('abcd\n', { maxLines: 1, maxBytes: 4 }).truncated).toBe(false)
  expect(truncateTail('abcd\n', { maxLines: 1, maxBytes: 4 }).truncated).toBe(false)
})

it('3001 lines and the byte cap cut where the reference does', () => {
  const lines = Array.from({ length: 3001 }, (_, index) => `l${index + 1}`).join('\n')
  expect(truncateHead(lines, { maxLines: 3000, maxBytes: 51_200 })).toMatchObject({ shownLines: 3000, by: 'lines' })
  const accents = Array.from({ length: 800 }, () => 'é'.repeat(60)).join('\n')
  expect(truncateHead(accents, { maxLines: 3000, maxBytes: 51_200 })).toMatchObject({ shownLines: 423, by: 'bytes' })
})

it.each([
  ['a😀b', 0, '', ''],
  ['a😀b', 1, 'a', 'b'],
  ['a😀b', 4, 'a', 'b'],
  ['a😀b', 5, 'a😀', '😀b'],
  ['a😀b', 6, 'a😀b', 'a😀b'],
  ['日本', 4, '日', '本'],
])('%j cut to %i bytes never splits a character', (text, maxBytes, start, end) => {
  expect(startWithin(text, maxBytes)).toBe(start)
  expect(endWithin(text, maxBytes)).toBe(end)
})
