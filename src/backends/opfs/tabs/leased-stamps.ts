// Numbers for what a follower makes before the leader has heard of it. They come from a range that the leader gave to it alone, so that
// what a caller was told inside a batch is still true after it.

import { VfsError } from '../../../vfs/error.ts'
import type { Stamps } from '../../../vfs/tree/stamps.ts'
import type { NumberLease } from '../log/open.ts'

export interface LeasedStamps extends Stamps {
  grant(lease: NumberLease): void
  /** More than half of what was given is used. */
  readonly isShort: boolean
  /** A number that the leader or another tab gave. */
  sawIno(ino: number): void
}

export function leasedStamps(clock: () => number): LeasedStamps {
  let lease: NumberLease = { rev: 0, ino: 0, count: 0 }
  let [revs, inos] = [0, 0]
  let [lastIno, lastRev] = [0, 0]
  const take = (used: number): number => {
    if (used <= lease.count) return used
    throw new VfsError('EAGAIN', 'write', {
      hint: `this tab may make about ${lease.count} changes before the tab that has the files open gives it more; make fewer in one batch, or try again`,
    })
  }
  return {
    nextRev: () => (lastRev = lease.rev + take(++revs)),
    nextIno() {
      const ino = lease.ino + take(++inos)
      lastIno = Math.max(lastIno, ino)
      return ino
    },
    get lastIno() {
      return lastIno
    },
    get lastRev() {
      return lastRev
    },
    nowMs: () => Math.trunc(clock()),
    grant(given) {
      // A message that comes twice must not give the same numbers twice. Each lease is above the ones before.
      if (given.rev <= lease.rev && lease.count > 0) return
      lease = given
      revs = inos = 0
    },
    get isShort() {
      return Math.max(revs, inos) * 2 >= lease.count
    },
    sawIno(ino) {
      lastIno = Math.max(lastIno, ino)
    },
  }
}
