import { describe, expect, it } from 'vitest'

import { fullHash } from '../../core/hash.ts'
import { forSeeds } from '../../testing/random.ts'
import { formatLineIndex, parseLineIndex } from './index-file.ts'
import { indexLines, reconcileLines } from '../../testing/line-index.ts'
import { carriedIds } from './line-index.ts'

describe('the first ID of a line', () => {
  // Recorded transcripts of the reference, and its own output.
  it.each([
    [1, 'test', '95800a'],
    [1, 'zen_gemini_start', '6732b8'],
    [1, 'import os', 'cd6268'],
    [3, '', 'd94a69'],
    [5, '    return 1', '9c857c'],
  ])('%i:%s', (lineNumber, line, id) => {
    const lines = Array.from({ length: lineNumber }, (_, index) => (index === lineNumber - 1 ? line : `other ${index}`))
    expect(indexLines(lines).at(-1)).toEqual({ id, contentHash: fullHash(line).slice(0, 18) })
  })

  it('is unique among thousands of equal lines', () => {
    const ids = indexLines(Array.from({ length: 20_000 }, () => '')).map(line => line.id)
    // Of 20,000 plain 24-bit hashes some are equal, so this shows that those were salted.
    expect(new Set(Array.from({ length: 20_000 }, (_, index) => fullHash(`${index + 1}:`).slice(0, 6))).size).toBeLessThan(20_000)
    expect(new Set(ids).size).toBe(20_000)
  })
})

describe('after a change', () => {
  /** Letters are lines; each line of the new text is followed by the place of the old line whose ID it has, or by `*`. */
  const rows: readonly (readonly [before: string, after: string])[] = [
    ['abc', 'a0 b1 c2'],
    ['abc', 'x* a0 b1 c2'],
    ['abc', 'a0 c2'],
    ['abc', 'a0 x* c2'],
    ['abc', 'c2 a0 b1'],
    ['aab', 'a0 a1 b2'],
    ['aab', 'x* a0 a1 b2'],
    ['aabb', 'a0 a1 a* b2 b3'],
    ['xay', 'a1'],
    ['', 'a*'],
    ['abc', ''],
    // Two equal lines that moved: it is unknown which is which.
    ['aaxyz', 'x2 y3 z4 a* a*'],
  ]
  it.each(rows)('%s → %s', (before, after) => {
    const index = indexLines([...before])
    const cells = after.split(' ').filter(cell => cell !== '')
    const lines = reconcileLines(
      index,
      cells.map(cell => cell.slice(0, 1)),
    )
    const places = lines.map(({ id }) => {
      const place = index.findIndex(line => line.id === id)
      return place === -1 ? '*' : String(place)
    })
    expect(places).toEqual(cells.map(cell => cell.slice(1)))
  })

  it('an ID never goes to a line of other content, and never to two', () =>
    forSeeds(300, random => {
      let lines = Array.from({ length: random.below(12) }, () => random.pick(['', '}', 'a', 'b']))
      let index = indexLines(lines)
      for (let step = 0; step < 6; step++) {
        const known = new Map(index.map(({ id }, lineIndex) => [id, lines[lineIndex]]))
        lines = lines.toSpliced(
          random.below(lines.length + 1),
          random.below(3),
          ...Array.from({ length: random.below(3) }, () => random.pick(['', '}', 'a', 'b'])),
        )
        const next = reconcileLines(index, lines)
        expect(new Set(next.map(line => line.id)).size).toBe(lines.length)
        for (const [lineIndex, { id }] of next.entries()) if (known.has(id)) expect(lines[lineIndex]).toBe(known.get(id))
        index = next
      }
    }))

  it('only IDs whose line is known to be the same are carried', () => {
    const before = indexLines(['a', '', 'b', ''])
    const anew = indexLines(['x', 'a', '', 'b', ''])
    // Lines 4 and 2 were empty and have changed; their new IDs are at other empty lines or nowhere.
    expect([...carriedIds(before, anew)]).toEqual([])
    expect([...carriedIds(before, reconcileLines(before, ['x', 'a', '', 'b', '']))]).toEqual(before.map(line => line.id))
    expect([...carriedIds(before, indexLines(['a', '', 'c', '']))]).toEqual([0, 1, 3].map(place => before[place]?.id))
  })
})

describe('the index file', () => {
  const index = { filePath: 'src/main.py', contentHash: fullHash('a\nb\n'), lines: indexLines(['a', 'b']) }
  const text = formatLineIndex(index)

  const base64 = (line: number): string =>
    Buffer.from(`${index.lines[line]?.id}${index.lines[line]?.contentHash}`, 'hex').toString('base64')

  it('has IDs and hashes of all lines, and comes back as it was', () => {
    expect(JSON.parse(text)).toEqual({
      file_path: 'src/main.py',
      version: 2,
      content_hash: fullHash('a\nb\n'),
      lines: base64(0) + base64(1),
    })
    expect(parseLineIndex(text, 'src/main.py')).toEqual(index)
  })

  it('has 16 characters for a line', () => {
    const lines = Array.from({ length: 300 }, (_, number) => `the line with the number ${number}`)
    const large = { ...index, lines: indexLines(lines) }
    expect(formatLineIndex(large).length).toBe(formatLineIndex({ ...index, lines: [] }).length + 300 * 16)
    expect(parseLineIndex(formatLineIndex(large), 'src/main.py')).toEqual(large)
  })

  const broken: readonly (readonly [what: string, text: string])[] = [
    ['nothing', ''],
    ['no JSON', text.slice(0, -10)],
    ['no object', '[]'],
    ['another version', text.replace('"version":2', '"version":1')],
    ['another file', text.replace('src/main.py', 'src/other.py')],
    ['an ID twice', text.replace(base64(1), base64(0))],
    ['half a line', text.replace(base64(1), base64(1).slice(0, 8))],
    ['another alphabet', text.replace(base64(1), '-'.repeat(16))],
    ['no lines', text.replace('"lines"', '"rows"')],
    ['a short hash', text.replace(fullHash('a\nb\n'), 'b')],
  ]
  it.each(broken)('with %s is no index', (_what, damaged) => {
    expect(damaged).not.toBe(text)
    expect(parseLineIndex(damaged, 'src/main.py')).toBeUndefined()
  })
})
