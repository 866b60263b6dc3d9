// Numbers for new nodes of a follower, before the leader knows them. They come from a range that is reserved for this follower, so that
// numbers that a caller saw inside a batch are still valid after it.

import { VfsError } from '../../../vfs/error.ts'
import type { Stamps } from '../../../vfs/tree/stamps.ts'
import type { NumberLease } from '../log/open.ts'

export interface LeasedStamps extends Stamps {
  grant(lease: NumberLease): void
  /** More than half of the reserved numbers are used. */
  readonly isShort: boolean
  /** Records a number that the leader or another tab assigned. */
  sawIno(ino: number): void
}

export function leasedStamps(clock: () => number): LeasedStamps {
  return new LeasedNumbers(clock)
}

class LeasedNumbers implements LeasedStamps {
  lastIno = 0
  lastRev = 0
  readonly #clock: () => number
  #lease: NumberLease = { rev: 0, ino: 0, count: 0 }
  #usedRevs = 0
  #usedInos = 0

  constructor(clock: () => number) {
    this.#clock = clock
  }

  get isShort(): boolean {
    return Math.max(this.#usedRevs, this.#usedInos) * 2 >= this.#lease.count
  }

  nextRev(): number {
    this.lastRev = this.#lease.rev + this.#checked(++this.#usedRevs)
    return this.lastRev
  }

  nextIno(): number {
    const ino = this.#lease.ino + this.#checked(++this.#usedInos)
    this.lastIno = Math.max(this.lastIno, ino)
    return ino
  }

  nowMs(): number {
    return Math.trunc(this.#clock())
  }

  grant(lease: NumberLease): void {
    // A repeated message must not hand out the same numbers twice. Each lease is above the earlier ones.
    if (lease.rev <= this.#lease.rev && this.#lease.count > 0) return
    this.#lease = lease
    this.#usedRevs = this.#usedInos = 0
  }

  sawIno(ino: number): void {
    this.lastIno = Math.max(this.lastIno, ino)
  }

  #checked(used: number): number {
    const { count } = this.#lease
    if (used <= count) return used
    throw new VfsError('EAGAIN', 'write', {
      hint: `this tab can make about ${count} changes before it needs more numbers from the tab that has the files open; make fewer in one batch, or try again`,
    })
  }
}
