// A line is written with `|` for the cursor; keys are named.

import { describe, expect, it } from 'vitest'
import { emptyLine, insertText, maxLineCharacters, pressKey, ranLine, type Line } from './line-editor.ts'

function lineOf(shown: string): Line {
  const [before = '', after = ''] = shown.split('|')
  return { ...emptyLine, before, after }
}
const shownOf = ({ before, after }: Line): string => `${before}|${after}`

describe('a key', () => {
  const rows: readonly (readonly [key: string, before: string, after: string])[] = [
    ['backspace', 'ab|c', 'a|c'],
    ['backspace', '|c', '|c'],
    ['backspace', 'a|', '|'],
    ['backspace', 'x👩‍👩‍👧|', 'x|'],
    ['backspace', 'e\u0301|', '|'],
    ['delete', 'a|bc', 'a|c'],
    ['delete', 'a|', 'a|'],
    ['ctrl-d', '|漢字', '|字'],
    ['left', 'a漢|b', 'a|漢b'],
    ['left', '|b', '|b'],
    ['right', 'a|👩‍👩‍👧b', 'a👩‍👩‍👧|b'],
    ['right', 'a|', 'a|'],
    ['word-left', 'git commit  |-m', 'git |commit  -m'],
    ['word-right', 'git| commit -m', 'git commit| -m'],
    ['ctrl-a', 'a b|c', '|a bc'],
    ['home', '|', '|'],
    ['ctrl-e', 'a|bc', 'abc|'],
    ['end', 'a|bc', 'abc|'],
    ['ctrl-k', 'a|bc', 'a|'],
    ['ctrl-u', 'ab|c', '|c'],
    ['ctrl-w', 'ls src/ |x', 'ls |x'],
    ['ctrl-c', 'a|b', '|'],
    ['ctrl-t', 'a|b', 'a|b'],
  ]
  it.each(rows)('%s: %s → %s', (key, before, after) => {
    expect(shownOf(pressKey(lineOf(before), key).line)).toBe(after)
  })

  it.each([
    ['enter', 'run'],
    ['ctrl-c', 'interrupt'],
    ['ctrl-l', 'clear-screen'],
    ['left', 'none'],
  ])('%s asks for %s', (key, request) => {
    expect(pressKey(lineOf('a|b'), key).request).toBe(request)
  })
})

describe('text', () => {
  it.each([
    ['plain', 'a|b', 'x', 'ax|b'],
    ['line breaks stay, of every kind', '|', 'a\r\nb\rc\nd', 'a\nb\nc\nd|'],
    ['tabs become spaces, other controls go', '|', 'a\tb\x1b[31m\x07', 'a  b[31m|'],
  ])('%s', (_name, before, text, after) => {
    expect(shownOf(insertText(lineOf(before), text).line)).toBe(after)
  })

  it('is cut where a line is full, which is said', () => {
    const { line, isCut } = insertText(lineOf('ab|c'), 'x'.repeat(maxLineCharacters))
    expect(isCut).toBe(true)
    expect(line.before.length + line.after.length).toBe(maxLineCharacters)
    expect(insertText(lineOf('|'), 'x'.repeat(maxLineCharacters)).isCut).toBe(false)
  })
})

describe('the history', () => {
  const ran = ['one', 'two', 'two', '  ', 'three'].reduce<Line>((line, text) => ranLine(line, text), emptyLine)
  const after = (keys: string, line = ran): string =>
    shownOf(
      keys
        .split(' ')
        .reduce((at, key) => (key.startsWith("'") ? insertText(at, key.slice(1)).line : pressKey(at, key).line), line),
    )

  it.each([
    ['up', 'three|'],
    ['up up up', 'one|'],
    ['up up up up', 'one|'],
    ["'draft up down", 'draft|'],
    ["'draft down", 'draft|'],
    ["'draft up up ctrl-n down", 'draft|'],
    ["up 'X up down", 'three|'],
    ['up ctrl-c up', 'three|'],
  ])('%s: %s', (keys, shown) => {
    expect(after(keys)).toBe(shown)
  })

  it('remembers neither blank lines nor repetitions, and at most 500 lines', () => {
    expect(ran.history).toEqual(['one', 'two', 'three'])
    const long = Array.from({ length: 510 }, (_, index) => String(index)).reduce<Line>(
      (line, text) => ranLine(line, text),
      emptyLine,
    )
    expect([long.history.length, long.history[0]]).toEqual([500, '10'])
  })
})
