// A tree that is in use: its present state, the numbers it hands out and those who watch it. Apart from what makes one (store.ts),
// because that needs transactions, which work on one.

import type { VfsSync } from '../backend.ts'
import type { Feed } from '../feed.ts'
import type { Journal } from './journal.ts'
import type { Stamps } from './stamps.ts'
import type { Tree } from './tree.ts'

export interface TreeStore {
  readonly tree: Tree
  readonly stamps: Stamps
  readonly feed: Feed
  /** The primitives on the present state. Each is a commit of its own. */
  readonly fs: VfsSync
  /** Where every commit is made to last before it shows. */
  readonly journal?: Journal
  /** The same, for someone else: see `VfsBackend.as`. */
  as(origin: string): TreeStore
  readonly origin?: string | undefined
}
