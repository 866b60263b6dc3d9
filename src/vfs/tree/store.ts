// A tree that is in use: its present state, the numbers it hands out and those who watch it.

import type { VfsSync } from '../backend.ts'
import { createFeed, type Feed } from '../feed.ts'
import { changeOf } from './edit.ts'
import { treePrimitives } from './primitives.ts'
import { createStamps, type Stamps } from './stamps.ts'
import { Tree, type Version } from './tree.ts'

export interface TreeStore {
  readonly tree: Tree
  readonly stamps: Stamps
  readonly feed: Feed
  /** The primitives on the present state. Each is a commit of its own. */
  readonly fs: VfsSync
}

export function createTreeStore(clock: () => number): TreeStore {
  const stamps = createStamps(clock)
  return storeOf(Tree.empty(stamps), stamps, createFeed())
}

/** Goes on from `version` apart from the tree it was taken of. They share the numbers, so that none means two things. */
export function forkedStore(version: Version, stamps: Stamps, lastSeq: number): TreeStore {
  return storeOf(new Tree(version), stamps, createFeed(lastSeq))
}

function storeOf(tree: Tree, stamps: Stamps, feed: Feed): TreeStore {
  return { tree, stamps, feed, fs: treePrimitives(tree, stamps, edit => feed.publish([changeOf(edit)])) }
}
