// The times that a filesystem takes.

import type { Attributes } from './backend.ts'

export const wantedTimes = 'times are milliseconds since 1970'

/** An invalid `Date` gives NaN, which is not less than anything. */
export function areTimes({ atimeMs = 0, mtimeMs = 0 }: Pick<Attributes, 'atimeMs' | 'mtimeMs'>): boolean {
  return Math.abs(atimeMs) + Math.abs(mtimeMs) < 9e15
}
