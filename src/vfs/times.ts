// The times that a filesystem takes.

import type { Attributes } from './backend.ts'

export const wantedTimes = 'times must be numbers of milliseconds since 1970'

/** An invalid `Date` gives NaN. */
export function areTimes({ atimeMs = 0, mtimeMs = 0 }: Pick<Attributes, 'atimeMs' | 'mtimeMs'>): boolean {
  return [atimeMs, mtimeMs].every(ms => Number.isSafeInteger(Math.trunc(ms)))
}
