import { describe, expect, it } from 'vitest'

import { explainMissing, findOccurrences, findPlaces, occurrenceLines, replaceOccurrences } from './replace.ts'

const replaced = (text: string, search: string, replacement: string, which: 'first' | 'all' = 'first'): string => {
  const found = findOccurrences(text, search)
  return replaceOccurrences(text, which === 'all' ? found : found.slice(0, 1), search, replacement)
}

it.each([
  ['', 'a', 0],
  ['aaa', 'aa', 1],
  ['aaaa', 'aa', 2],
  ['a b a', 'a', 2],
  ['a\r\nb\r\n', '\r\n', 2],
  ['a\r\nb\n', '\n', 2],
  ['ab', 'abc', 0],
])('%j has %j %d times, without overlaps', (text, search, count) => {
  expect(findOccurrences(text, search)).toHaveLength(count)
})

it.each([
  ['', 'a', []],
  ['aba', 'ab', [0]],
  ['aaa', 'aa', [0, 1]],
  ['aaaa', 'aa', [0, 2]],
  ['b\n\n\na', '\n\n', [1, 2]],
  ['b\r\n\r\n\r\na', '\n\n', [1, 3]],
])('%j may mean by %j the places %j', (text, search, starts) => {
  expect(findPlaces(text, search).map(({ start }) => start)).toEqual(starts)
})

describe('replacing is literal', () => {
  it.each([
    ['value = 100', '100', '50%', 'first', 'value = 50%'],
    ['a a', 'a', "$& $1 $' $$", 'first', "$& $1 $' $$ a"],
    ['a a', 'a', 'aa', 'all', 'aa aa'],
    ['a.c abc', 'a.c', 'x', 'all', 'x abc'],
    ['x', 'y', 'z', 'all', 'x'],
  ] as const)('%j: %j by %j, %s', (text, search, replacement, which, expected) => {
    expect(replaced(text, search, replacement, which)).toBe(expected)
  })
})

describe('line endings are those of the file', () => {
  it.each([
    ['a\r\nb\r\nc\r\n', 'a\nb', 'A\nB', 'A\r\nB\r\nc\r\n'],
    ['a\r\nb\r\n', 'b', 'b\nnew', 'a\r\nb\r\nnew\r\n'],
    ['a\r\nb\r\n', 'a\n', '', 'b\r\n'],
    ['a\r\nb\r\n', '\nb', '', 'a\r\n'],
    ['x\r\na\r\nb', 'a\nb', 'a\nn\nb', 'x\r\na\r\nn\r\nb'],
    // Each line of a mixed file keeps its ending.
    ['a\r\nb\nc\r\n', 'a\nb\nc', 'a\nB\nc', 'a\r\nB\nc\r\n'],
    ['a\r\nb\nc\r\n', 'b\nc', 'b\nnew\nc', 'a\r\nb\nnew\nc\r\n'],
    // A file with LF keeps LF, whatever the model writes.
    ['a\nb\n', 'a\r\nb', 'A\r\nB', 'A\nB\n'],
    // One line without an ending gives no information: the text is written as given.
    ['a', 'a', 'a\r\nb', 'a\r\nb'],
    // Only the endings change.
    ['a\r\nb\r\n', 'a\r\nb', 'a\nb', 'a\nb\r\n'],
    ['a\r\r\nb', 'a', 'x\ny', 'x\r\ny\r\r\nb'],
  ])('%j: %j by %j', (text, search, replacement, expected) => {
    expect(replaced(text, search, replacement)).toBe(expected)
  })

  it('every occurrence', () => {
    expect(replaced('a\r\nb\r\na\r\nb\r\n', 'a\nb', 'x\ny\nz', 'all')).toBe('x\r\ny\r\nz\r\nx\r\ny\r\nz\r\n')
  })
})

it.each([
  ['a\nb\na\n', 'a', 9, [1, 3]],
  ['aa\n\na', 'a', 9, [1, 1, 3]],
  ['a\na\na\na', 'a', 2, [1, 2]],
  ['\r\na', 'a', 9, [2]],
])('in %j, %j begins in lines', (text, search, limit, lines) => {
  expect(occurrenceLines(text, findOccurrences(text, search), limit)).toEqual(lines)
})

describe('what is almost there is explained', () => {
  it.each([
    ['const limit = 10\nrun(limit)\n', 'const limit = 12\nrun(limits)', '1: const limit = 10'],
    ['say("a")\nb\n', 'say("a")\\nb', 'escape'],
    ['one\ntwo\n', '1\tone\n2\ttwo', 'line numbers'],
    ['  one\n    two\n', 'one\ntwo', 'white space'],
    ['a', 'b', undefined],
    ['', '  ', undefined],
  ])('%j lacks %j: %s', (text, search, says) => {
    const why = explainMissing(text, search)
    if (says === undefined) expect(why).toBeUndefined()
    else expect(why).toContain(says)
  })
})
