import { expect, it } from 'vitest'

import { forSeeds } from '../../testing/random.ts'
import { countLineFeeds, viewOf } from '../byte-scan.ts'
import { countLines } from './line-counter.ts'
import { maxTextBytes } from './layout.ts'
import { simdFunctions } from './module.ts'

it('counts what the loop in JavaScript counts', async () => {
  expect(simdFunctions(), 'this platform compiles it').toBeDefined()
  await forSeeds(200, random => {
    const hasReturns = random.chance(0.2)
    const bytes = Uint8Array.from({ length: 1024 + random.below(4000) }, () => random.pick([10, 11, 12, 138, 0, 65, 139]))
    if (hasReturns) bytes[random.below(bytes.length)] = 13
    const start = random.below(40)
    const end = bytes.length - random.below(40)
    expect(countLines(bytes, viewOf(bytes), start, end)).toBe(countLineFeeds(viewOf(bytes), start, end))
  })
})

it.each([1023, 1024, maxTextBytes - 1, maxTextBytes, maxTextBytes + 1, 2 * maxTextBytes + 17])(
  'of %i line feeds none is missed, and none behind them counts',
  length => {
    const bytes = new Uint8Array(length + 40).fill(10)
    expect(countLines(bytes, viewOf(bytes), 0, length)).toBe(length)
    expect(countLines(bytes, viewOf(bytes), 40, length + 40)).toBe(length)
  },
)

it.each([0, 1024, maxTextBytes - 1, maxTextBytes])('a carriage return at %i is seen', at => {
  const bytes = new Uint8Array(maxTextBytes + 100).fill(10)
  bytes[at] = 13
  expect(countLines(bytes, viewOf(bytes), 0, bytes.length)).toBe(-1)
  expect(countLines(bytes, viewOf(bytes), at + 1, bytes.length)).toBe(bytes.length - at - 1)
})
