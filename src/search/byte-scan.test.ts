import { expect, test } from 'vitest'

import { forSeeds } from '../testing/random.ts'
import { countByte, countLineFeeds, foreignRunFrom, holdsByte, lineEndFrom, viewOf } from './byte-scan.ts'

test('answers as a look at each byte does, wherever the bytes lie in their buffer', async () => {
  let found = 0
  let counted = 0
  await forSeeds(400, random => {
    const buffer = Uint8Array.from({ length: random.below(3000) + 8 }, () => random.pick([9, 10, 11, 13, 138, 0, 1, 65, 127]))
    const few = random.chance(0.5) ? buffer : buffer.map(byte => (byte === 10 || byte > 127 ? 32 : byte))
    if (random.chance(0.5)) few[random.below(few.length)] = random.pick([10, 138])
    if (random.chance(0.7)) for (const [index, byte] of few.entries()) if (byte === 13) few[index] = 12
    if (random.chance(0.3)) for (const [index, byte] of few.entries()) if (byte > 127) few[index] = 1
    if (random.chance(0.3)) few[random.below(few.length)] = random.pick([13, 128])
    const bytes = few.subarray(random.below(5), few.length - random.below(4))
    const start = random.below(bytes.length)
    const end = start + random.below(bytes.length - start + 1)
    const within = bytes.subarray(start, end)
    expect(holdsByte(viewOf(bytes), 10, start, end)).toBe(within.includes(10))
    expect(countByte(viewOf(bytes), 10, start, end)).toBe(within.filter(byte => byte === 10).length)
    const lineEnd = bytes.findIndex((byte, index) => index >= start && (byte === 10 || byte === 13))
    expect(lineEndFrom(viewOf(bytes), start)).toBe(lineEnd === -1 ? bytes.length : lineEnd)
    const first = bytes.findIndex((byte, index) => index >= start && byte >= 0x80)
    const run = foreignRunFrom(viewOf(bytes), start)
    if (first === -1) expect(run).toBe(-1)
    else expect(run <= first && first < run + 16).toBe(true)
    if (first !== -1) found++
    const lineFeeds = within.includes(13) ? -1 : within.filter(byte => byte === 10).length
    expect(countLineFeeds(viewOf(bytes), start, end)).toBe(lineFeeds)
    if (lineFeeds > 0) counted++
  })
  expect(found).toBeGreaterThan(50)
  expect(counted).toBeGreaterThan(20)
})
