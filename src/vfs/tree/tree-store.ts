// A tree in use: its current state, its number counters and its watchers. Separate from store.ts, which creates stores, because that needs
// transactions, and those work on a store.

import type { VfsSync } from '../backend.ts'
import type { Feed } from '../feed.ts'
import type { Journal } from './journal.ts'
import type { Stamps } from './stamps.ts'
import type { Tree } from './tree.ts'

export interface TreeStore {
  readonly tree: Tree
  readonly stamps: Stamps
  readonly feed: Feed
  /** The primitives on the current state. Each call is one commit. */
  readonly fs: VfsSync
  /** Stores every commit before it is visible. */
  readonly journal?: Journal
  /** The same store for another user: see `VfsBackend.as`. */
  as(origin: string): TreeStore
  readonly origin?: string | undefined
}
