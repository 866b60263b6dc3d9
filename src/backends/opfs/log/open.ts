// A tree and its log, put together: what the storage holds, ready to be worked on.

import { createStamps } from '../../../vfs/tree/stamps.ts'
import { journaledStore, type TreeStore } from '../../../vfs/tree/store.ts'
import { ContentCache } from './content.ts'
import { Log, type LogOptions, type TreeState } from './log.ts'
import { mount, type OnDamage } from './mount.ts'
import type { LogStorage } from './storage.ts'

// Revisions that an earlier life gave out and did not keep (to a transaction that was rolled back, or that a loss of power took) must
// not come to mean something else for whoever still holds them.
const revisionGap = 2 ** 20

export interface OpenLogOptions extends LogOptions {
  readonly clock?: () => number
  readonly onDamage?: OnDamage
  readonly cacheBytes?: number
}

export interface OpenLog {
  readonly store: TreeStore
  readonly log: Log
  /** What a checkpoint is made of now. */
  readonly state: () => TreeState
  readonly isNew: boolean
}

/** Throws `AnchorageError` `store-damaged` or `store-newer`, and `VfsError` ENOSPC or EIO. */
export function openLog(storage: LogStorage, options: OpenLogOptions = {}): OpenLog {
  const clock = options.clock ?? Date.now
  const cache = new ContentCache(options.cacheBytes)
  const mounted = mount(storage, cache, clock, options.onDamage)
  const log = new Log(mounted, cache, options)
  const stamps = createStamps(clock, { rev: mounted.lastRev + (mounted.isNew ? 0 : revisionGap), ino: mounted.lastIno })
  const store = journaledStore(mounted.tree, stamps, mounted.lastSeq, log)
  const { tree, feed } = store
  const state = (): TreeState => ({ tree, lastRev: stamps.lastRev, lastIno: stamps.lastIno, lastSeq: feed.seq })
  return { store, log, state, isNew: mounted.isNew }
}
