// Implements the port over a tree. Synchronous and asynchronous calls run the same code, so they cannot differ.

import { childPath, rootPath, type VfsPath } from '../../core/path.ts'
import type { BackendRecipe, Dirent, FullSyncBackend, Snapshot, VfsSync } from '../backend.ts'
import { asynchronous } from '../asynchronous.ts'
import { lend } from '../lend.ts'
import { treeCaps } from './caps.ts'
import { VfsError } from '../error.ts'
import type { Moment } from './diff.ts'
import { forwarded, primitiveNames } from '../port.ts'
import { readingPrimitives } from '../reading.ts'
import { watchedPath } from '../watched-path.ts'
import { Slot } from './entries.ts'
import { fileAt, treePrimitives } from './primitives.ts'
import { offerPatch } from '../patch-offer.ts'
import { resolve } from './resolve.ts'
import type { Stamps } from './stamps.ts'
import { forkedStore, type TreeStore } from './store.ts'
import { transact } from './transaction.ts'
import { fileSize, nodeOf, Tree } from './tree.ts'
import type { Entry, FileContent } from './node.ts'

export interface TreeBackendOptions {
  /** What the host gave. `checkBackend` looks at the names, which keeps the check out of the smallest download. */
  readonly memoryOptions?: object
  readonly recipe?: BackendRecipe
  readonly placeFiles?: (root: VfsPath) => void
}

/** `store` is called for each operation and not before the first one, so that a backend that is only passed on is never created. */
export function treeBackend(store: () => TreeStore, options: TreeBackendOptions = {}): FullSyncBackend {
  const sync: VfsSync = forwarded(primitiveNames, () => store().fs)
  lend(sync, path => fileAt(store().tree, path).bytes)
  offerPatch(sync)
  // Every tool call makes one. A literal that begins with a spread takes nine times as long, and is slow to use.
  return Object.assign(asynchronous(sync), options, {
    caps: treeCaps,
    sync,
    flush: async () => {},
    close: async () => {},
    batch: (work, batchOptions) => transact(store(), work, batchOptions),
    snapshot: () => new TreeSnapshot(store()),
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
  } satisfies Partial<FullSyncBackend>)
}

/** A history keeps one for each change and reads few of them, so its operations are made when they are first used. */
class TreeSnapshot implements Snapshot {
  readonly seq: number
  /** Private, because the holder of a snapshot may only read it. */
  readonly #moment: Moment
  readonly #stamps: Stamps
  #fs: Snapshot['fs'] | undefined

  constructor({ tree, stamps, feed }: TreeStore) {
    this.seq = feed.seq
    this.#moment = { ...tree.freeze(), lastIno: stamps.lastIno }
    this.#stamps = stamps
  }

  get fs(): Snapshot['fs'] {
    if (this.#fs !== undefined) return this.#fs
    const held = new Tree(this.#moment)
    // `fs` holds a reference to this object, because a store frees no content while a snapshot of it is reachable.
    const fs = (this.#fs = readingPrimitives(treePrimitives(held, this.#stamps, () => this.seq)))
    lend(fs, path => fileAt(held, path).bytes, contentOfListed)
    return fs
  }

  sizeBytesAt(path: VfsPath): number {
    return fileSize(resolve(new Tree(this.#moment), path, false, 'stat').node)
  }

  static momentOf(this: void, snapshot: Snapshot): Moment {
    if (snapshot instanceof TreeSnapshot) return snapshot.#moment
    throw new VfsError('EINVAL', 'snapshot', { hint: 'of another filesystem' })
  }
}

/** A file with several names is not in its entry. */
function contentOfListed(entry: Dirent): FileContent | undefined {
  const node = entry instanceof Slot ? Slot.entryOf<Entry>(entry) : undefined
  return node !== undefined && 'bytes' in node ? node.bytes : undefined
}

const { momentOf } = TreeSnapshot
