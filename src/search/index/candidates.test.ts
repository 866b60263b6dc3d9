// The candidates of a list are exactly those of separate queries.

import { expect, test } from 'vitest'

import { forSeeds } from '../../testing/random.ts'
import { BlockIndex } from './block-index.ts'
import { compiled } from '../../testing/compiled.ts'

const patterns = [
  'alp',
  'alpha',
  'alpha beta gamma',
  'absent from all of them',
  'alpha|absent',
  'alpha.*gamma',
  'alpha.*(?:beta|absent).*gamma',
  '(?i)TASK|ALPHA',
  'alpha\\nbeta',
  'a.b',
].map(source => compiled(source))

test('a list of several chunks, asked in any order', async () => {
  const kinds = new Map<string, number>()
  let rows = 0
  await forSeeds(6, random => {
    const index = new BlockIndex()
    const list = Array.from({ length: 700 }, (_, number) => ({ path: `f${number}` }))
    const word = (): string => random.pick(['alpha', 'beta', 'gamma', 'tas\u212a', 'straw', String(random.below(1e6))])
    const line = (words: number): string => Array.from({ length: words }, word).join(' ')
    for (const { path } of list) {
      if (random.chance(0.05)) continue
      const isLong = random.chance(0.01)
      const lines = Array.from({ length: random.below(isLong ? 4 : 12) }, () => line(isLong ? 20_000 : random.below(6)))
      index.addFile(path, '1', new TextEncoder().encode((random.chance(0.03) ? '\0' : '') + lines.join('\n')))
    }
    for (const pattern of patterns) {
      const query = index.query(pattern)
      const candidates = query.candidateIn(list)
      for (let count = 0; count < 400; count++) {
        const position = count < 200 ? random.below(list.length) : list.length - 1 - (count - 200)
        const expected = query.candidate(`f${position}`)
        expect(candidates.at(position), `f${position}`).toEqual(expected)
        const noneCount = candidates.noneFrom(position)
        for (let none = position; none < position + noneCount; none++)
          expect(query.candidate(`f${none}`).kind, `f${none} from f${position}`).toBe('none')
        if (noneCount > 0) rows++
        kinds.set(expected.kind, (kinds.get(expected.kind) ?? 0) + 1)
      }
    }
  })
  for (const kind of ['unknown', 'binary', 'none', 'regions']) expect(kinds.get(kind) ?? 0, kind).toBeGreaterThan(300)
  expect(rows).toBeGreaterThan(300)
})

test('lists of nothing, and files of nothing', () => {
  const index = new BlockIndex()
  index.addFile('empty', '1', new Uint8Array())
  for (const pattern of patterns) {
    const query = index.query(pattern)
    const nothing = query.candidateIn([])
    expect([nothing.at(0), nothing.noneFrom(0)]).toEqual([{ kind: 'unknown' }, 0])
    const { at } = query.candidateIn([{ path: 'empty' }, { path: 'absent' }])
    expect([at(0), at(1)]).toEqual([query.candidate('empty'), query.candidate('absent')])
  }
})

test('a file that is in the list several times is a candidate at each place', () => {
  const index = new BlockIndex()
  for (const name of ['a', 'b']) index.addFile(name, '1', new TextEncoder().encode(name === 'a' ? 'needle' : 'hay'))
  const { at, noneFrom } = index.query(compiled('needle')).candidateIn(['a', 'b', 'a', 'b', 'a'].map(path => ({ path })))
  expect(Array.from({ length: 5 }, (_, position) => (noneFrom(position) > 0 ? 'none' : at(position).kind))).toEqual([
    'regions',
    'none',
    'regions',
    'none',
    'regions',
  ])
})
