// Numbers that must never be handed out twice, not even to a transaction that is thrown away: a `rev` or `ino` that someone
// was given inside a transaction stays true after its commit, and is nobody else's if it never commits.

export interface Stamps {
  nextRev(): number
  nextIno(): number
  /** The numbers that were given last. */
  readonly lastIno: number
  readonly lastRev: number
  /** Whole milliseconds. */
  nowMs(): number
}

/** Numbers that somebody else may hand out: `count` of each kind after these. */
export interface NumberLease {
  readonly rev: number
  readonly ino: number
  readonly count: number
}

/** The stamps of who owns all numbers. */
export interface OwnStamps extends Stamps {
  lease(count: number): NumberLease
}

/**
 * `clock` gives milliseconds since 1970; it may stand still or go back, for times in the tree only ever grow per node. `last` are the
 * numbers that were given in an earlier life.
 */
export function createStamps(
  clock: () => number,
  last: { readonly rev: number; readonly ino: number } = { rev: 0, ino: 0 },
): OwnStamps {
  let { rev, ino } = last
  return {
    nextRev: () => ++rev,
    nextIno: () => ++ino,
    get lastIno() {
      return ino
    },
    get lastRev() {
      return rev
    },
    nowMs: () => Math.trunc(clock()),
    lease(count) {
      const lease = { rev, ino, count }
      rev += count
      ino += count
      return lease
    },
  }
}
