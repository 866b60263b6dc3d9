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

/** Its holder may raise the last numbers, which reserves those in between. */
export interface CountingStamps extends Stamps {
  lastIno: number
  lastRev: number
}

/**
 * `clock` returns milliseconds since 1970; it may stand still or go back, because times in the tree only increase per node. The last numbers
 * are from an earlier session.
 */
export function createStamps(clock: () => number, lastRev = 0, lastIno = 0): CountingStamps {
  const stamps: CountingStamps = {
    lastRev,
    lastIno,
    nextRev: () => ++stamps.lastRev,
    nextIno: () => ++stamps.lastIno,
    nowMs: () => Math.trunc(clock()),
  }
  return stamps
}

/** The attributes of a new node. */
export function newFacts(stamps: Stamps, mode: number): Facts {
  const atMs = stamps.nowMs()
  return { mode, mtimeMs: atMs, ctimeMs: atMs, ino: stamps.nextIno(), rev: stamps.nextRev() }
}
