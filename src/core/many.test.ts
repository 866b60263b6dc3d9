import { expect, it } from 'vitest'
import { largest, pushAll } from './many.ts'

const many = Array.from({ length: 300_000 }, (_, index) => index)

it('takes more items than a call takes arguments', () => {
  const list = [-1]
  pushAll(list, many)
  expect([list.length, list[0], list.at(-1)]).toEqual([300_001, -1, 299_999])
  expect(largest(many)).toBe(299_999)
})

it('takes the least of an empty list', () => {
  expect([largest([]), largest([], 7), largest([3], 7)]).toEqual([0, 7, 7])
})
