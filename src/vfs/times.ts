// The times that a filesystem takes.

export const wantedTimes = 'times are milliseconds since 1970'

/** An invalid `Date` gives NaN, which is not less than anything. */
export function areTimes(...times: readonly (number | undefined)[]): boolean {
  return times.every(ms => Math.abs(ms ?? 0) < 9e15)
}
