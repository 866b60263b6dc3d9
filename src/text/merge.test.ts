import { describe, expect, test } from 'vitest'
import { forSeeds } from '../testing/random.ts'
import { mergeTexts } from './merge.ts'

/** Lines as one word each: `a b c`. */
const text = (words: string): string => (words === '' ? '' : `${words.split(' ').join('\n')}\n`)

describe('three texts into one', () => {
  const rows: readonly (readonly [rule: string, base: string, ours: string, theirs: string, merged: string])[] = [
    ['nothing changed', 'a b c', 'a b c', 'a b c', 'a b c'],
    ['one side', 'a b c', 'a X c', 'a b c', 'a X c'],
    ['the other side', 'a b c', 'a b c', 'a X c', 'a X c'],
    ['both, with a line between', 'a b c', 'X b c', 'a b Y', 'X b Y'],
    ['both the same', 'a b c', 'a X c', 'a X c', 'a X c'],
    ['both the same, and more', 'a b c d e', 'a X c d Y', 'a X c d e', 'a X c d Y'],
    ['neighbours', 'a b c', 'X b c', 'a Y c', 'conflict'],
    ['the same line', 'a b c', 'a X c', 'a Y c', 'conflict'],
    ['added in the same place', 'a b', 'a X b', 'a Y b', 'conflict'],
    ['added beside what is removed', 'a b c', 'a X b c', 'a c', 'conflict'],
    ['removed and changed', 'a b c d e', 'a c d e', 'a b c d X', 'a c d X'],
    ['an addition that could lie before or after an equal line', 'a x b', 'a x x b', 'a x Y b', 'conflict'],
    ['a removal that could be either of two equal lines', 'a x x b c d', 'a x b c d', 'a x x Y b c d', 'conflict'],
    ['equal lines far away from the other change', 'a x x b c d', 'a x b c d', 'a x x b c Y', 'a x b c Y'],
    ['everything removed, and nothing else', 'a b', '', 'a b', ''],
    ['everything removed, and something else', 'a b', '', 'a X', 'conflict'],
    ['an empty base', '', 'a', 'b', 'conflict'],
  ]
  test.each(rows)('%s', (_rule, base, ours, theirs, merged) => {
    const result = mergeTexts(text(base), text(ours), text(theirs))
    expect(result.kind === 'merged' ? result.text : 'conflict').toBe(merged === 'conflict' ? merged : text(merged))
    const turned = mergeTexts(text(base), text(theirs), text(ours))
    expect(turned.kind === 'merged' ? turned.text : 'conflict').toBe(merged === 'conflict' ? merged : text(merged))
  })

  test('line endings, a byte order mark and a missing last one stay as they are', () => {
    expect(mergeTexts('\uFEFFa\r\nb\nc', '\uFEFFX\r\nb\nc', '\uFEFFa\r\nb\nY')).toEqual({
      kind: 'merged',
      text: '\uFEFFX\r\nb\nY',
    })
    expect(mergeTexts('a\nb\nc\nd', 'X\nb\nc\nd', 'a\nb\nc\nd\n')).toEqual({ kind: 'merged', text: 'X\nb\nc\nd\n' })
  })
})

test('random edits of two sides: each added line is there and each removed one is not, or it is a conflict', async () => {
  let mergedCount = 0
  await forSeeds(2_000, random => {
    const base = Array.from({ length: random.below(12) }, (_, index) => (random.chance(0.3) ? 'same' : `line ${index}`))
    const edit = (side: string): string[] => {
      const lines = [...base]
      for (let count = random.below(3); count > 0; count--) {
        const at = random.below(lines.length + 1)
        if (random.chance(0.5)) lines.splice(at, 0, `${side} ${random.below(1e9)}`)
        else lines.splice(at, 1)
      }
      return lines
    }
    const [ours, theirs] = [edit('ours'), edit('theirs')]
    const join = (lines: readonly string[]): string => lines.map(line => `${line}\n`).join('')
    const result = mergeTexts(join(base), join(ours), join(theirs))
    if (result.kind === 'conflict') return
    mergedCount++
    const merged = result.text.split('\n').slice(0, -1)
    const count = (lines: readonly string[], line: string): number => lines.filter(each => each === line).length
    for (const line of new Set([...base, ...ours, ...theirs])) {
      const expected = count(ours, line) + count(theirs, line) - count(base, line)
      const isSameOnBoth = join(ours) === join(theirs)
      // A line that both sides removed is removed once.
      expect([line, count(merged, line)]).toSatisfy(
        ([, found]: [string, number]) => found === expected || isSameOnBoth || found >= expected,
      )
    }
  })
  expect(mergedCount).toBeGreaterThan(500)
})
