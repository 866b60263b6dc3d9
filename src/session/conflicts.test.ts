import { describe, expect, it } from 'vitest'

import { parsePath } from '../core/path.ts'
import { ConflictRegistry } from './conflicts.ts'

const a = parsePath('/w/a')
const b = parsePath('/w/b')

describe('numbers', () => {
  it('count through the session, file by file', () => {
    const registry = new ConflictRegistry()
    expect([registry.register(a, 'a', ['x', 'y']), registry.register(b, 'b', ['x'])]).toEqual([[1, 2], [3]])
    expect([...registry.all().values()].flat().map(({ id, display }) => `${display}${id}`)).toEqual(['a1', 'a2', 'b3'])
  })

  it('stay with their conflict while others come and go', () => {
    const registry = new ConflictRegistry()
    registry.register(a, 'a', ['x', 'y'])
    registry.forget(new Set([1]))
    expect(registry.register(a, 'a', ['new', 'y', 'x'])).toEqual([3, 2, 4])
    expect([registry.isPast(1), registry.isPast(2), registry.isPast(5)]).toEqual([true, false, false])
  })
})

describe('locate', () => {
  const rows: readonly (readonly [name: string, registered: string, id: number, live: string, index: number | undefined])[] = [
    ['the same file', 'x y z', 2, 'x y z', 1],
    ['moved', 'x y z', 3, 'z x', 0],
    ['gone', 'x y', 1, 'y', undefined],
    ['changed', 'x y', 1, 'X y', undefined],
    ['a number never given', 'x', 7, 'x', undefined],
    ['one of twins', 'x y x', 3, 'x y x', 2],
    ['a twin is gone, nobody knows which', 'x y x', 3, 'x y', undefined],
    ['a twin came', 'x y', 1, 'x y x', undefined],
    ['a neighbour of twins', 'x y x', 2, 'y x', 0],
  ]
  it.each(rows)('%s', (_name, registered, id, live, index) => {
    const registry = new ConflictRegistry()
    registry.register(a, 'a', registered.split(' '))
    expect(registry.locate(a, live.split(' ')).get(id)).toBe(index)
  })

  it('knows which twin is left when it resolved the other itself', () => {
    const registry = new ConflictRegistry()
    registry.register(a, 'a', ['x', 'x'])
    registry.forget(new Set([1]))
    expect([...registry.locate(a, ['x'])]).toEqual([[2, 0]])
  })
})

it('forgets the file looked at first when there are too many', () => {
  const registry = new ConflictRegistry()
  registry.register(a, 'a', ['x'])
  registry.register(
    b,
    'b',
    Array.from({ length: 10_000 }, (_, index) => `y${index}`),
  )
  expect([registry.get(1), [...registry.all().values()].flat().length]).toEqual([undefined, 10_000])
})
