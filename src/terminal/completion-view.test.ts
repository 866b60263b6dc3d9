import { expect, it } from 'vitest'
import { applyCompletion, inColumns } from './completion-view.ts'

/** The line before the cursor, where its word starts, the words, then the line after Tab and what is shown below it. */
const rows: readonly (readonly [before: string, start: number, words: readonly string[], after: string, choices: string])[] = [
  ['cat a', 4, ['a.ts '], 'cat a.ts ', ''],
  ['cat ', 4, ['src/a.ts ', 'src/b.ts '], 'cat src/', ''],
  ['cat src/', 4, ['src/a.ts ', 'src/b/'], 'cat src/', 'a.ts b/'],
  ['nothing', 0, [], 'nothing', ''],
  ['echo', 0, ['echo '], 'echo ', ''],
  ['cat x', 4, ['x😀 ', 'x😁 '], 'cat x', 'x😀 x😁'],
]

it.each(rows)('%s', (before, start, words, after, choices) => {
  const { before: completed, choices: shown } = applyCompletion(before, { start, words, isCut: false })
  expect([completed, shown.join(' ')]).toEqual([after, choices])
})

it('fills columns downwards, and says that there are more', () => {
  expect(inColumns(['a', 'bb', 'c', 'd', 'e'], 12, false)).toBe('a   c   e\nbb  d')
  expect(inColumns(['wide-word'], 3, true)).toBe('wide-word\n… more')
  const many = Array.from({ length: 250 }, (_, index) => `n${index}`)
  expect(inColumns(many, 80, false)).toMatch(/… 50 more$/)
})
