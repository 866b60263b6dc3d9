// Random names in a directory against a plain Map. Earlier copies of the entries must not change.
import { expect, test } from 'vitest'
import { forSeeds } from '../../testing/random.ts'
import { Entries } from './entries.ts'

interface Numbered {
  readonly kind: 'file' | 'directory' | 'symlink'
  readonly number: number
}

type Model = Map<string, Numbered>

function expectSame(entries: Entries<Numbered>, model: Model): void {
  const sorted = [...model].sort(([a], [b]) => (a < b ? -1 : 1))
  expect([...entries]).toEqual(sorted)
  expect(entries.list()).toEqual(sorted.map(([name, { kind }]) => ({ name, kind })))
  expect(entries.size).toBe(model.size)
  for (const [name, entry] of model) expect(entries.get(name)).toBe(entry)
  expect(entries.get('missing')).toBeUndefined()
  expect(entries.get('')).toBeUndefined()
}

test.each([
  ['a few names', 6, 60],
  ['some pieces', 300, 2_000],
  ['many pieces', 5_000, 6_000],
])('%s: the same as a map, and every version stays as it was', async (_what, names, steps) => {
  await forSeeds(names > 1_000 ? 3 : 20, random => {
    let entries = new Entries<Numbered>(Symbol('first'))
    const model: Model = new Map()
    const kept: { readonly entries: Entries<Numbered>; readonly model: Model }[] = []
    for (let step = 0; step < steps; step++) {
      const number = random.below(names)
      // Half of them are in order, because files are usually created in order.
      const name = number % 2 === 0 ? `n${String(number).padStart(5, '0')}` : `${number}é__proto__`
      if (random.chance(0.3)) {
        entries.delete(name)
        model.delete(name)
      } else {
        const entry = { kind: random.pick(['file', 'directory', 'symlink'] as const), number: step }
        entries.set(name, entry)
        model.set(name, entry)
      }
      if (random.chance(4 / steps)) {
        kept.push({ entries, model: new Map(model) })
        entries = new Entries(Symbol('next'), entries)
      }
    }
    for (const old of [...kept, { entries, model }]) expectSame(old.entries, old.model)
  })
})

test('one change in a directory of 50,000 entries leaves all but one piece shared', () => {
  const before = new Entries<Numbered>(Symbol('first'))
  for (let number = 0; number < 50_000; number++) before.set(`f${number}`, { kind: 'file', number })
  const after = new Entries(Symbol('next'), before)
  after.set('f777', { kind: 'file', number: -1 })
  expect(after.pieces.filter(piece => !before.pieces.includes(piece))).toHaveLength(1)
  expect(before.pieces.length).toBeGreaterThan(50_000 / 64)
  expect(before.pieces.length).toBeLessThan(50_000 / 16)
})

test('a listing is the caller’s, and what it lists cannot be changed', () => {
  const entries = new Entries<Numbered>(Symbol('owner'))
  entries.set('a', { kind: 'file', number: 1 })
  const listed = entries.list()
  listed.length = 0
  expect(entries.list()).toEqual([{ name: 'a', kind: 'file' }])
  expect(entries.list().every(Object.isFrozen)).toBe(true)
})
