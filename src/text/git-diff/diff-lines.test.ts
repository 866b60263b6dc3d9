import { describe, expect, it } from 'vitest'

import { diffLines, type LineDiffOptions } from './diff-lines.ts'
import { renderHunks, type HunkOptions } from './hunks.ts'

const [encoder, decoder] = [new TextEncoder(), new TextDecoder()]

function patch(before: string, after: string, diff?: LineDiffOptions, hunks?: HunkOptions): string {
  return decoder.decode(renderHunks(diffLines(encoder.encode(before), encoder.encode(after), diff), hunks))
}

/** The output of `git diff` for these, from the first `@@`. */
const rows: readonly (readonly [rule: string, before: string, after: string, expected: string])[] = [
  ['nothing against nothing', '', '', ''],
  ['equal files have no hunks', 'a\nb\n', 'a\nb\n', ''],
  ['a new file', '', 'a\n', '@@ -0,0 +1 @@\n+a\n'],
  ['an emptied file', 'a\nb\n', '', '@@ -1,2 +0,0 @@\n-a\n-b\n'],
  [
    'a missing last line feed is told',
    'a',
    'b',
    '@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n',
  ],
  ['only the last line feed changed', 'a\n', 'a', '@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n'],
  ['a carriage return belongs to the line', 'a\r\n', 'a\n', '@@ -1 +1 @@\n-a\r\n+a\n'],
  ['a lone carriage return ends no line', 'a\rb\n', 'a\rc\n', '@@ -1 +1 @@\n-a\rb\n+a\rc\n'],
  [
    'the heading is the last line above that begins with a letter',
    'function f() {\n1\n2\n3\n4\n5\n}\n',
    'function f() {\n1\n2\n3\n4\n6\n}\n',
    '@@ -3,5 +3,5 @@ function f() {\n 2\n 3\n 4\n-5\n+6\n }\n',
  ],
  [
    'a repeated block is shown where its indent reads best',
    'a {\n  x\n}\n\nb {\n  x\n}\n',
    'a {\n  x\n}\n\nc {\n  x\n}\n\nb {\n  x\n}\n',
    '@@ -2,6 +2,10 @@ a {\n   x\n }\n \n+c {\n+  x\n+}\n+\n b {\n   x\n }\n',
  ],
]

describe('the line diff', () => {
  it.each(rows)('%s', (_rule, before, after, expected) => expect(patch(before, after)).toBe(expected))

  it('keeps bytes that are no UTF-8', () => {
    const hunks = renderHunks(diffLines(Uint8Array.of(0xe4, 0x0a), Uint8Array.of(0xfc, 0x0a)))
    expect([...hunks].filter(byte => byte > 0x7f)).toEqual([0xe4, 0xfc])
  })

  it.each(['all', 'change', 'at-end', 'cr-at-end'] as const)('ignores a carriage return by the rule %s', whitespace => {
    expect(patch('a\r\nb\n', 'a\nb\n', { whitespace })).toBe('')
  })

  it('ends for 100,000 equal lines against half of them', () => {
    const { edits } = diffLines(encoder.encode('x\n'.repeat(100_000)), encoder.encode('x\n'.repeat(50_000)))
    expect(edits).toEqual([{ beforeStart: 50_000, beforeEnd: 100_000, afterStart: 50_000, afterEnd: 50_000 }])
  })

  it('ends for a line of a megabyte and for files without a common order', () => {
    expect(diffLines(encoder.encode('x'.repeat(1e6)), encoder.encode('x'.repeat(1e6 - 1))).edits).toHaveLength(1)
    const lines = Array.from({ length: 20_000 }, (_, index) => `${index % 5000}\n`)
    const { edits } = diffLines(encoder.encode(lines.join('')), encoder.encode(lines.toReversed().join('')))
    expect(edits.length).toBeGreaterThan(0)
  })
})
