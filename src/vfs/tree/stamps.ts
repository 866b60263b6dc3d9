// Numbers that must never be handed out twice, not even to a transaction that is thrown away: a `rev` or `ino` that someone
// was given inside a transaction stays true after its commit, and is nobody else's if it never commits.

export interface Stamps {
  nextRev(): number
  nextIno(): number
  /** The number that was given last. */
  readonly lastIno: number
  /** Whole milliseconds. */
  nowMs(): number
}

/** `clock` gives milliseconds since 1970; it may stand still or go back, for times in the tree only ever grow per node. */
export function createStamps(clock: () => number): Stamps {
  let rev = 0
  let ino = 0
  return {
    nextRev: () => ++rev,
    nextIno: () => ++ino,
    get lastIno() {
      return ino
    },
    nowMs: () => Math.trunc(clock()),
  }
}
