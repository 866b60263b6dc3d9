// Gives the stand-in the problems of the service. Each quirk was seen with the service, or reported, and is on unless a test turns it off;
// a driver that only works without one would fail there. No live run has confirmed them yet; the first recorded one
// (e2e/observations/webcontainer.json) overrides the table. Merged streams, lost error codes and missing times are not quirks, because the
// client itself causes them with any server. See docs/webcontainer.md, "Testing without the service".

import { createRandom, type Random } from '../random.ts'
import { learnedQuirks } from './learned-quirks.ts'
import type { Observations } from './observe.ts'
import { allQuirks, isOnByDefault, type QuirkId } from './quirk-table.ts'

export interface QuirkSettings {
  readonly seed?: number
  readonly on?: readonly QuirkId[]
  readonly off?: readonly QuirkId[]
  /** The answers of a live run. They override the table; `on` and `off` override both. */
  readonly observed?: Observations | undefined
}

export interface Quirks {
  readonly random: Random
  readonly has: (quirk: QuirkId) => boolean
  /** Waits as long as this call takes. */
  readonly pause: () => Promise<void>
}

export function createQuirks({ seed = 1, on = [], off = [], observed = {} }: QuirkSettings = {}): Quirks {
  const random = createRandom(seed)
  const active = new Set<QuirkId>(allQuirks.filter(isOnByDefault))
  for (const { quirk, isThere } of learnedQuirks(observed)) {
    if (isThere) active.add(quirk)
    else active.delete(quirk)
  }
  for (const quirk of off) active.delete(quirk)
  for (const quirk of on) active.add(quirk)
  const has = (quirk: QuirkId): boolean => active.has(quirk)
  return {
    random,
    has,
    async pause() {
      if (has('latency') && random.chance(1 / 16)) await delay(random.below(21))
    },
  }
}

export function delay(durationMs: number): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, durationMs)
  })
}
