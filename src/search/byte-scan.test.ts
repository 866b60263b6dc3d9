import { expect, test } from 'vitest'

import { forSeeds } from '../testing/random.ts'
import { countByte, foreignRunFrom, holdsByte, probeText, viewOf } from './byte-scan.ts'

test('answers as a look at each byte does, wherever the bytes lie in their buffer', async () => {
  let found = 0
  const probes = new Map<string, number>()
  await forSeeds(400, random => {
    const buffer = Uint8Array.from({ length: random.below(3000) + 8 }, () => random.pick([9, 10, 11, 138, 0, 1, 65, 127]))
    const few = random.chance(0.5) ? buffer : buffer.map(byte => (byte === 10 || byte > 127 ? 32 : byte))
    if (random.chance(0.5)) few[random.below(few.length)] = random.pick([10, 138])
    if (random.chance(0.7)) for (const [index, byte] of few.entries()) if (byte === 0) few[index] = 127
    if (random.chance(0.3)) for (const [index, byte] of few.entries()) if (byte > 127) few[index] = 1
    if (random.chance(0.3)) few[random.below(few.length)] = random.pick([0, 128])
    const bytes = few.subarray(random.below(5), few.length - random.below(4))
    const start = random.below(bytes.length)
    const end = start + random.below(bytes.length - start + 1)
    const within = bytes.subarray(start, end)
    expect(holdsByte(bytes, 10, end)).toBe(bytes.subarray(0, end).includes(10))
    expect(countByte(viewOf(bytes), 10, start, end)).toBe(within.filter(byte => byte === 10).length)
    const first = bytes.findIndex((byte, index) => index >= start && byte >= 0x80)
    const run = foreignRunFrom(bytes, start)
    if (first === -1) expect(run).toBe(-1)
    else expect(run <= first && first < run + 16).toBe(true)
    if (first !== -1) found++
    const probed = bytes.subarray(0, end)
    const expected = probed.includes(0) ? 'binary' : probed.some(byte => byte >= 0x80) ? 'text' : 'ascii'
    expect(probeText(bytes, end)).toBe(expected)
    probes.set(expected, (probes.get(expected) ?? 0) + 1)
  })
  expect(found).toBeGreaterThan(50)
  for (const probe of ['binary', 'text', 'ascii']) expect(probes.get(probe) ?? 0, probe).toBeGreaterThan(20)
})
