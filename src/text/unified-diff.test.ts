import { applyPatch } from 'diff'
import { expect, it } from 'vitest'

import { forSeeds } from '../testing/random.ts'
import { unifiedDiff } from './unified-diff.ts'

// Output of Python's difflib.unified_diff, except where that joins a line without a newline to the next.
const rows: readonly (readonly [before: string, after: string, hunks: string])[] = [
  ['a\n', 'a\n', ''],
  ['', '', ''],
  ['hi\n', 'hello\nworld\n', '@@ -1 +1,2 @@\n-hi\n+hello\n+world\n'],
  ['', 'a\n', '@@ -0,0 +1 @@\n+a\n'],
  ['a\nb\n', '', '@@ -1,2 +0,0 @@\n-a\n-b\n'],
  ['a\nb', 'a\nB\nC', '@@ -1,2 +1,3 @@\n a\n-b\n+B\n+C\n'],
  ['a\nb\n', 'b\n', '@@ -1,2 +1 @@\n-a\n b\n'],
  ['1\n2\n3\n4\n5\n', '1\n2\n3\n4\n5\n6\n', '@@ -3,3 +3,4 @@\n 3\n 4\n 5\n+6\n'],
  ['a', 'a\n', '@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n'],
  ['x\na\n', 'x\nb', '@@ -1,2 +1,2 @@\n x\n-a\n+b\n\\ No newline at end of file\n'],
  ['a\r\nb\r\n', 'a\nb\r\n', '@@ -1,2 +1,2 @@\n-a\r\n+a\n b\r\n'],
  ['\uFEFFa\n', 'a\n', '@@ -1 +1 @@\n-\uFEFFa\n+a\n'],
]
it.each(rows)('%j → %j', (before, after, hunks) => {
  expect(unifiedDiff(before, after, 'f.txt')).toBe(hunks === '' ? '' : `--- a/f.txt\n+++ b/f.txt\n${hunks}`)
})

it('hunks are joined when six lines or fewer lie between them', () => {
  const lines = Array.from({ length: 30 }, (_, index) => `${index}\n`)
  const changed = (...places: readonly number[]): string =>
    lines.map((line, index) => (places.includes(index) ? 'x\n' : line)).join('')
  const hunks = (text: string): number => text.split('\n').filter(line => line.startsWith('@@')).length
  expect(hunks(unifiedDiff(lines.join(''), changed(5, 12), 'f'))).toBe(1)
  expect(hunks(unifiedDiff(lines.join(''), changed(5, 13), 'f'))).toBe(2)
})

it('what it says turns the one text into the other', () =>
  forSeeds(300, random => {
    const lines = Array.from({ length: random.below(40) }, () => random.pick(['a', 'b', '}', '', 'long line']))
    const other = lines.flatMap(line => (random.chance(0.15) ? [] : random.chance(0.15) ? [line, 'new'] : [line]))
    const text = (list: readonly string[]): string => list.map(line => `${line}\n`).join('')
    const patch = unifiedDiff(text(lines), text(other), 'f')
    if (patch !== '') expect(applyPatch(text(lines), patch)).toBe(text(other))
    else expect(other).toEqual(lines)
  }))
