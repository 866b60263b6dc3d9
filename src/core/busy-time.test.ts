import { describe, expect, it } from 'vitest'

import { busyTimeMs, type BusyTime } from './busy-time.ts'

const inSeconds: BusyTime = { defaultMs: 300_000, argument: { name: 'timeout', unitMs: 1000, maxMs: 3_600_000 }, minMs: 30_000 }
const inMilliseconds: BusyTime = { ...inSeconds, defaultMs: 120_000, argument: { name: 'timeout', unitMs: 1, maxMs: 3_600_000 } }
const fixed: BusyTime = { defaultMs: 30_000, minMs: 30_000 }

describe('busyTimeMs', () => {
  it.each([
    [inSeconds, {}, 300_000],
    [inSeconds, undefined, 300_000],
    [inSeconds, { timeout: 60 }, 60_000],
    [inSeconds, { timeout: '60' }, 60_000],
    [inSeconds, { timeout: 1 }, 30_000],
    [inSeconds, { timeout: 1e9 }, 3_600_000],
    [inSeconds, { timeout: Number.POSITIVE_INFINITY }, 3_600_000],
    [inSeconds, { timeout: -5 }, 300_000],
    [inSeconds, { timeout: 'soon' }, 300_000],
    [inMilliseconds, { timeout: 60_000 }, 60_000],
    [inMilliseconds, {}, 120_000],
    [fixed, { timeout: 600 }, 30_000],
  ])('%j with %j', (busy, args, expected) => expect(busyTimeMs(busy, args)).toBe(expected))
})
