// Numbers that must never be handed out twice, not even to a transaction that is thrown away: a `rev` or `ino` that someone
// was given inside a transaction stays true after its commit, and is nobody else's if it never commits.

import type { Facts } from './node.ts'

export interface Stamps {
  nextRev(): number
  nextIno(): number
  /** The numbers that were given last. */
  readonly lastIno: number
  readonly lastRev: number
  /** Whole milliseconds. */
  nowMs(): number
}

/** The numbers that were given last. */
export interface Given {
  rev: number
  ino: number
}

/**
 * `clock` gives milliseconds since 1970; it may stand still or go back, for times in the tree only ever grow per node. `given` is from
 * an earlier life; it is kept and goes on with the numbers.
 */
export function createStamps(clock: () => number, given: Given = { rev: 0, ino: 0 }): Stamps {
  return {
    nextRev: () => ++given.rev,
    nextIno: () => ++given.ino,
    get lastIno() {
      return given.ino
    },
    get lastRev() {
      return given.rev
    },
    nowMs: () => Math.trunc(clock()),
  }
}

/** What a node that is made now knows about itself. */
export function newFacts(stamps: Stamps, mode: number): Facts {
  const atMs = stamps.nowMs()
  return { mode, mtimeMs: atMs, ctimeMs: atMs, ino: stamps.nextIno(), rev: stamps.nextRev() }
}
