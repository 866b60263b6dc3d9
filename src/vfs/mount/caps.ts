// The capabilities of several filesystems together are those that all of them have.

import type { VfsCaps } from '../backend.ts'

const symlinkRank = ['none', 'emulated', 'native'] as const
const mtimeRank = ['none', 'approximate', 'exact'] as const
const watchRank = ['none', 'hint', 'exact'] as const

export function combinedCaps(all: readonly VfsCaps[]): VfsCaps {
  const every = (has: (caps: VfsCaps) => boolean): boolean => all.every(has)
  // Each may have a notice for the user; identical notices are shown once.
  const notices = new Set(all.flatMap(({ notice }) => notice ?? []))
  return {
    ...(notices.size === 0 ? {} : { notice: [...notices].join(' ') }),
    sync: every(caps => caps.sync),
    persistent: every(caps => caps.persistent),
    readonly: every(caps => caps.readonly),
    symlinks: weakest(
      symlinkRank,
      all.map(caps => caps.symlinks),
    ),
    hardlinks: every(caps => caps.hardlinks),
    mode: every(caps => caps.mode),
    mtime: weakest(
      mtimeRank,
      all.map(caps => caps.mtime),
    ),
    atomicWrite: every(caps => caps.atomicWrite),
    atomicRename: every(caps => caps.atomicRename),
    transactions: every(caps => caps.transactions),
    snapshots: every(caps => caps.snapshots && caps.sync),
    watch: weakest(
      watchRank,
      all.map(caps => caps.watch),
    ),
    ranges: every(caps => caps.ranges),
    caseSensitive: every(caps => caps.caseSensitive),
    maxNameBytes: Math.min(...all.map(caps => caps.maxNameBytes)),
    maxFileBytes: Math.min(...all.map(caps => caps.maxFileBytes)),
  }
}

/** `rank` starts with the weakest. */
function weakest<T>(rank: readonly [T, ...T[]], values: readonly T[]): T {
  return rank.find(value => values.includes(value)) ?? rank[0]
}
