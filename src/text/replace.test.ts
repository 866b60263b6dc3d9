import { describe, expect, it } from 'vitest'

import { countOccurrences, explainMissing, occurrenceLines, replaceOccurrences } from './replace.ts'

describe('occurrences do not overlap', () => {
  it.each([
    ['', 'a', 0],
    ['aaa', 'aa', 1],
    ['aaaa', 'aa', 2],
    ['a b a', 'a', 2],
    ['a\r\nb\r\n', '\r\n', 2],
    ['ab', 'abc', 0],
  ])('%j has %j %d times', (text, search, count) => {
    expect(countOccurrences(text, search)).toBe(count)
    expect(replaceOccurrences(text, search, '', 'all').count).toBe(count)
  })
})

describe('replacing is literal', () => {
  it.each([
    ['value = 100', '100', '50%', 'first', 'value = 50%'],
    ['a a', 'a', "$& $1 $' $$", 'first', "$& $1 $' $$ a"],
    ['a a', 'a', 'aa', 'all', 'aa aa'],
    ['a.c abc', 'a.c', 'x', 'all', 'x abc'],
    ['x', 'y', 'z', 'all', 'x'],
  ] as const)('%j: %j by %j, %s', (text, search, replacement, which, expected) => {
    expect(replaceOccurrences(text, search, replacement, which).text).toBe(expected)
  })
})

it.each([
  ['a\nb\na\n', 'a', 9, [1, 3]],
  ['aa\n\na', 'a', 9, [1, 1, 3]],
  ['a\na\na\na', 'a', 2, [1, 2]],
  ['\r\na', 'a', 9, [2]],
])('in %j, %j begins in lines', (text, search, limit, lines) => {
  expect(occurrenceLines(text, search, limit)).toEqual(lines)
})

describe('what is almost there is explained', () => {
  it.each([
    ['a\r\nb\r\n', 'a\nb', 'CRLF'],
    ['a\nb\n', 'a\r\nb', 'LF'],
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
