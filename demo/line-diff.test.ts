import { expect, test } from 'vitest'
import { diffLines, type DiffRow } from './line-diff.ts'

/** `-a` removed, `+a` added, ` a` same, `~3` a gap of three lines. */
function draw(rows: readonly DiffRow[]): string {
  return rows
    .map(row => {
      switch (row.kind) {
        case 'removed':
          return `-${row.text}`
        case 'added':
          return `+${row.text}`
        case 'same':
          return ` ${row.text}`
        case 'gap':
          return `~${row.lineCount}`
      }
    })
    .join('|')
}

const lines = (text: string): string => text.split('|').join('\n')

test.each([
  ['nothing changed', 'a|b|', 'a|b|', ''],
  ['empty to empty', '', '', ''],
  ['a line replaced', 'a|b|c|', 'a|B|c|', ' a|-b|+B| c'],
  ['a line added at the end', 'a|', 'a|b|', ' a|+b'],
  ['a line taken from the start', 'a|b|', 'b|', '-a| b'],
  ['only the final newline', 'a|b', 'a|b|', ' a|-b ⏎̸|+b'],
  ['two changes apart', '1|2|3|4|5|6|7|', 'x|2|3|4|5|6|y|', '-1|+x| 2|~3| 6|-7|+y'],
  ['a line moved', 'a|b|c|', 'b|c|a|', '-a| b| c|+a'],
  ['CRLF where LF was', 'a|', 'a\r|', '-a|+a\r'],
])('%s', (_name, before, after, expected) => {
  expect(draw(diffLines(lines(before), lines(after), 1).rows)).toBe(expected)
})

test('a file that is new or gone is shown whole', () => {
  expect(draw(diffLines(undefined, 'a\nb\n').rows)).toBe('+a|+b')
  expect(draw(diffLines('a\nb\n', undefined).rows)).toBe('-a|-b')
})

test('what is too large to compare is shown as replaced, and says so', () => {
  const numbered = (from: number): string => Array.from({ length: 2100 }, (_, index) => `${from + index}\n`).join('')
  const diff = diffLines(numbered(0), numbered(10_000))
  expect(diff).toMatchObject({ isCoarse: true, addedCount: 2100, removedCount: 2100 })
})

test('the rows rebuild both texts, for random texts', () => {
  const seed = 20261121
  const random = mulberry32(seed)
  for (let round = 0; round < 300; round++) {
    const [before, after] = [randomText(random), randomText(random)]
    const { rows } = diffLines(before, after, Infinity)
    const side = (...kinds: DiffRow['kind'][]): string[] =>
      rows.flatMap(row => (row.kind !== 'gap' && kinds.includes(row.kind) ? [row.text] : []))
    expect(side('same', 'removed').join('\n'), `seed ${seed}, round ${round}`).toBe(before.slice(0, -1))
    expect(side('same', 'added').join('\n'), `seed ${seed}, round ${round}`).toBe(after.slice(0, -1))
  }
})

function randomText(random: () => number): string {
  return Array.from({ length: 1 + Math.floor(random() * 12) }, () => `${'abc'[Math.floor(random() * 3)]}\n`).join('')
}

function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
