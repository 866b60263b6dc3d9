// Numbers that must never be assigned twice, not even after a transaction that is discarded. A `rev` or `ino` that was assigned inside a
// transaction stays valid after its commit, and is never reused if it is not committed.

import type { Facts } from './node.ts'

export interface Stamps {
  nextRev(): number
  nextIno(): number
  /** The numbers that were assigned last. */
  readonly lastIno: number
  readonly lastRev: number
  /** Whole milliseconds. */
  nowMs(): number
}

/** The numbers that were assigned last. */
export interface Given {
  rev: number
  ino: number
}

/**
 * `clock` returns milliseconds since 1970; it may stand still or go back, because times in the tree only increase per node. `given` is from
 * an earlier session; the object is kept and updated.
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

/** The attributes of a new node. */
export function newFacts(stamps: Stamps, mode: number): Facts {
  const atMs = stamps.nowMs()
  return { mode, mtimeMs: atMs, ctimeMs: atMs, ino: stamps.nextIno(), rev: stamps.nextRev() }
}
