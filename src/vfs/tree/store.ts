// Creates tree stores: in memory only, as a fork, or with a journal.

import { dirname, type VfsPath } from '../../core/path.ts'
import type { VfsSync } from '../backend.ts'
import { isVfsError } from '../error.ts'
import { createFeed, type Feed } from '../feed.ts'
import { changeOf } from './edit.ts'
import type { Journal } from './journal.ts'
import { treePrimitives } from './primitives.ts'
import { createStamps, type Stamps } from './stamps.ts'
import { transactNow } from './transaction.ts'
import { Tree, type Version } from './tree.ts'
import type { TreeStore } from './tree-store.ts'

export type { TreeStore } from './tree-store.ts'

export function createTreeStore(clock: () => number): TreeStore {
  const stamps = createStamps(clock)
  return storeOf(Tree.empty(stamps), stamps, createFeed())
}

/** Continues from `version` independently of its tree. Both share the number counters, so that no number has two meanings. */
export function forkedStore(version: Version, stamps: Stamps, lastSeq: number): TreeStore {
  return storeOf(new Tree(version), stamps, createFeed(lastSeq))
}

/** A persistent tree: `tree` is what the journal held when it was opened, and every commit goes through the journal first. */
export function journaledStore(tree: Tree, stamps: Stamps, feed: Feed, journal: Journal, origin?: string): TreeStore {
  const fs = treePrimitives(tree, stamps, edit => feed.publish([changeOf(edit)], origin), journal)
  const store: TreeStore = {
    tree,
    stamps,
    feed,
    journal,
    origin,
    fs: {
      ...fs,
      // If it creates directories too, it is several edits in one commit.
      write: (path, data, options) =>
        options?.parents === true && !isThere(fs, dirname(path))
          ? transactNow(store, draft => draft.write(path, data, options))
          : fs.write(path, data, options),
    },
    as: name => journaledStore(tree, stamps, feed, journal.as?.(name) ?? journal, name),
  }
  return store
}

function isThere(fs: VfsSync, path: VfsPath): boolean {
  try {
    return fs.lookup(path).kind === 'directory'
  } catch (error) {
    if (isVfsError(error)) return false
    throw error
  }
}

function storeOf(tree: Tree, stamps: Stamps, feed: Feed, origin?: string): TreeStore {
  return {
    tree,
    stamps,
    feed,
    origin,
    fs: treePrimitives(tree, stamps, edit => feed.publish([changeOf(edit)], origin)),
    as: name => storeOf(tree, stamps, feed, name),
  }
}
