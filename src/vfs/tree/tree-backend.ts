// Implements the port over a tree. Synchronous and asynchronous calls run the same code, so they cannot differ.

import { childPath, rootPath, type VfsPath } from '../../core/path.ts'
import type { BackendRecipe, FullSyncBackend, Snapshot, VfsSync } from '../backend.ts'
import { asynchronous } from '../asynchronous.ts'
import { lend } from '../borrow.ts'
import { treeCaps } from './caps.ts'
import { VfsError } from '../error.ts'
import type { Moment } from './diff.ts'
import { callPrimitive, mapPrimitives, primitiveNames } from '../port.ts'
import { readingPrimitives } from '../reading.ts'
import { watchedPath } from '../watched-path.ts'
import { Slot } from './entries.ts'
import { fileAt, treePrimitives } from './primitives.ts'
import { forkedStore, type TreeStore } from './store.ts'
import { transact } from './transaction.ts'
import { nodeOf, Tree } from './tree.ts'

export interface TreeBackendOptions {
  readonly recipe?: BackendRecipe
  readonly placeFiles?: (root: VfsPath) => void
}

/** `store` is called for each operation and not before the first one, so that a backend that is only passed on is never created. */
export function treeBackend(store: () => TreeStore, options: TreeBackendOptions = {}): FullSyncBackend {
  const sync: VfsSync = {
    ...mapPrimitives(primitiveNames, (name, args) => callPrimitive(store().fs, name, args)),
    // Written by hand, because it is called for each of thousands of files: through the table a lookup takes 110 ns instead of 70.
    lookup: (path, lookupOptions) => store().fs.lookup(path, lookupOptions),
    read: (path, range) => store().fs.read(path, range),
  }
  lend(sync, path => fileAt(store().tree, path).bytes)
  return {
    ...asynchronous(sync),
    ...options,
    caps: treeCaps,
    sync,
    flush: async () => {},
    close: async () => {},
    batch: (work, batchOptions) => transact(store(), work, batchOptions),
    snapshot() {
      const { tree, stamps, feed } = store()
      const moment = { ...tree.freeze(), lastIno: stamps.lastIno }
      const held = new Tree(moment)
      const snapshot = { seq: feed.seq, fs: readingPrimitives(treePrimitives(held, stamps, () => {})) }
      lend(snapshot.fs, path => fileAt(held, path).bytes)
      moments.set(snapshot, moment)
      return snapshot
    },
    fork(snapshot) {
      const forked = forkedStore(momentOf(snapshot), store().stamps, snapshot.seq)
      return treeBackend(() => forked)
    },
    async diff(from, to) {
      const [before, after] = [momentOf(from), to === 'now' ? store().tree.freeze() : momentOf(to)]
      const { differences } = await import('./diff.ts')
      return differences(before, after, { rootPath, childPath, nodeOf, entryOf: Slot.entryOf })
    },
    watch(path, listener, watchOptions) {
      const { fs, feed } = store()
      return feed.watch(watchedPath(fs, path), listener, watchOptions)
    },
    async usage() {
      const { tree } = store()
      return { bytes: tree.contentBytes, nodes: tree.nodeCount }
    },
    as(origin) {
      let made: TreeStore | undefined
      return treeBackend(() => (made ??= store().as(origin)))
    },
  }
}

/** The state behind each snapshot. Not a property of the snapshot, because its holder may only read it. */
const moments = new WeakMap<Snapshot, Moment>()

function momentOf(snapshot: Snapshot): Moment {
  const moment = moments.get(snapshot)
  if (moment === undefined) throw new VfsError('EINVAL', 'snapshot', { hint: 'wrong filesystem' })
  return moment
}
