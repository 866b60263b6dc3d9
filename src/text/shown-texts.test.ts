import { expect, it } from 'vitest'

import { ShownTexts, type ShownLine } from './shown-texts.ts'

/**
 * `=` the shown line, `~` perhaps another that looks the same, its new number if it moved, `-` if it is gone, `?` if it was never shown.
 */
function compare(shown: ShownTexts, now: string): string {
  const lineNow = shown.against([...now])
  const mark = (line: ShownLine): string =>
    line.kind === 'same'
      ? '='
      : line.kind === 'never-shown'
        ? '?'
        : line.kind === 'uncertain'
          ? '~'
          : line.nowAt === undefined
            ? '-'
            : String(line.nowAt)
  return [...now].map((_, lineIndex) => mark(lineNow(lineIndex))).join('')
}

const rows: readonly (readonly [shown: string, now: string, marks: string])[] = [
  ['abc', 'abc', '==='],
  ['abc', 'xabc', '234?'],
  ['abc', 'abXc', '==4?'],
  ['abc', 'aXc', '=-='],
  ['abc', 'bc', '-1'],
  ['a}}b', 'aX}}b', '=345?'],
  // The block was copied above or below: it is unknown which is the original.
  ['xaby', 'xababy', '=~~6??'],
  ['', 'a', '?'],
]
it.each(rows)('%s shown, %s now: %s', (before, now, marks) => {
  const shown = new ShownTexts()
  shown.show([...before], 0, before.length)
  expect(compare(shown, now)).toBe(marks)
})

it('blanks at the end of a line are no change, as they are none to its tag', () => {
  const shown = new ShownTexts()
  shown.show(['a', 'b'], 0, 2)
  expect(shown.against(['a  ', 'b'])(0)).toEqual({ kind: 'same' })
})

it('each line is held against the newest text that it was shown in', () => {
  const shown = new ShownTexts()
  shown.show([...'abcd'], 0, 4)
  shown.show([...'Xabcd'], 0, 2)
  // Lines 1 and 2 are known as they are; 3 and 4 were shown before they moved.
  expect(compare(shown, 'Xabcd')).toBe('==45?')
  shown.show([...'Xabcd'], 0, 5)
  expect(compare(shown, 'Xabcd')).toBe('=====')
})

// One letter is a line.
const judged: readonly (readonly [shown: string, now: string, search: string, verdict: ReturnType<ShownTexts['judge']>])[] = [
  ['abc', 'abc', 'b', 'same'],
  ['abc', 'xabc', 'b', 'same'],
  ['}b}', 'x}b}', 'b}', 'same'],
  ['abab', 'xab', 'ab', 'changed'],
  ['abc', 'abc', 'z', 'unknown'],
  // The line after the two brackets is gone, and two other brackets stand before an equal line.
  ['>}}x}xxx', '>}}}xxx', '}}x', 'changed'],
  ['b}c}', '}b}c', '}c', 'same'],
]
it.each(judged)('%s shown, %s now: the lines of %s are %s', (before, now, search, verdict) => {
  const text = (lines: string): string => [...lines].map(line => `${line}\n`).join('')
  const shown = new ShownTexts()
  shown.show(text(before).split('\n'), 0, before.length + 1)
  expect(shown.judge(text(now), text(search))).toBe(verdict)
})
