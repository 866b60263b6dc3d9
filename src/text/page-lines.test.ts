import { expect, it } from 'vitest'

import { forSeeds } from '../testing/random.ts'
import { utf8SizeBytes } from '../core/size.ts'
import { pageLines, sliceCharacters, type PageRequest } from './page-lines.ts'

const whole: PageRequest = {
  startIndex: 0,
  maxLines: 100,
  maxBytes: 1000,
  maxLineCharacters: 100,
  skipCharacters: 0,
  prefix: lineIndex => `${lineIndex + 1}:`,
}

const rows: readonly (readonly [
  what: string,
  lines: readonly string[],
  request: Partial<PageRequest>,
  rows: string,
  next: number,
])[] = [
  ['everything', ['a', 'b'], {}, '1:a 2:b', 2],
  ['nothing', [], {}, '', 0],
  ['a part', ['a', 'b', 'c', 'd'], { startIndex: 1, maxLines: 2 }, '2:b 3:c', 3],
  ['behind the end', ['a'], { startIndex: 5 }, '', 5],
  ['no lines', ['a'], { maxLines: 0 }, '', 0],
  ['what fits to the byte', ['aa', 'bb', 'cc'], { maxBytes: 9 }, '1:aa 2:bb', 2],
  ['one byte less', ['aa', 'bb', 'cc'], { maxBytes: 8 }, '1:aa', 1],
  ['at least one line', ['aaaaaaaaaa'], { maxBytes: 3 }, '1:aaaaaaaaaa', 1],
  ['lines to the cap', ['abcdef', 'abc'], { maxLineCharacters: 3 }, '1:abc 2:abc', 2],
  ['the rest of a line', ['abcdef'], { maxLineCharacters: 3, skipCharacters: 3 }, '1:def', 1],
]
it.each(rows)('shows %s', (_what, lines, request, expected, nextIndex) => {
  const page = pageLines(lines, { ...whole, ...request })
  expect([page.rows.join(' '), page.nextIndex]).toEqual([expected, nextIndex])
})

it.each([
  ['😀😀😀', 0, 2, '😀😀', true],
  ['😀😀😀', 2, 2, '😀', false],
  ['a😀b', 1, 1, '😀', true],
  ['ab', 5, 1, '', false],
  ['ab', 0, 2, 'ab', false],
])('%s from %i, %i characters', (line, skip, count, text, isCut) => {
  expect(sliceCharacters(line, skip, count)).toEqual({ text, isCut })
})

it('whatever is cut can be put together again', () =>
  forSeeds(200, random => {
    const lines = Array.from({ length: random.below(20) }, () => random.pick(['', 'é', '😀', 'word ']).repeat(random.below(30)))
    const request = {
      ...whole,
      maxLines: 1 + random.below(5),
      maxBytes: 1 + random.below(60),
      maxLineCharacters: 1 + random.below(20),
    }
    const rebuilt: string[] = []
    for (let startIndex = 0; startIndex < lines.length;) {
      const page = pageLines(lines, { ...request, startIndex, prefix: () => '' })
      if (page.rows.length > 1) expect(utf8SizeBytes(page.rows.join('\n'))).toBeLessThanOrEqual(request.maxBytes)
      for (const [index, row] of page.rows.entries()) {
        let line = row
        let cut = page.cutLines.find(({ lineIndex }) => lineIndex === startIndex + index)
        while (cut !== undefined) {
          const rest = {
            ...request,
            startIndex: startIndex + index,
            maxLines: 1,
            skipCharacters: cut.nextCharacter,
            prefix: () => '',
          }
          const next = pageLines(lines, rest)
          line += next.rows[0] ?? ''
          cut = next.cutLines[0]
        }
        rebuilt.push(line)
      }
      startIndex = page.nextIndex
    }
    expect(rebuilt).toEqual(lines)
  }))
