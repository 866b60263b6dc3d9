// Work on a private copy of the tree that is committed as a whole. The first commit wins: a transaction that depends on an overtaken node
// changes nothing and fails with ESTALE, so that its caller reads again. Nothing ever waits.

import { childPath, pathNames } from '../../core/path.ts'
import type { BatchOptions, VfsTransaction } from '../backend.ts'
import { isPromise } from '../is-promise.ts'
import { changeOf, type Edit } from './edit.ts'
import { treePrimitives } from './primitives.ts'
import { resolve } from './resolve.ts'
import { checkRevisions, stale } from '../stale.ts'
import { nodeOf, Tree } from './tree.ts'
import type { TreeStore } from './tree-store.ts'

/** See `VfsBackend.batch`. If `work` returns no promise, nothing can happen in between and the commit never conflicts. */
export async function transact<T>(
  store: TreeStore,
  work: (transaction: VfsTransaction) => T | Promise<T>,
  options: BatchOptions = {},
): Promise<T> {
  const { tree, feed, journal, origin } = store
  // Checked twice: the expectations must hold for what the work sees, and for the tree at the commit.
  checkExpected(tree, options)
  const base = tree.freeze()
  const draft = new Tree(base)
  const edits: Edit[] = []
  try {
    const pending = work(draftPrimitives(store, draft, edits))
    const result = isPromise(pending) ? await pending : pending
    // From now on nothing writes to it, even while this function waits.
    draft.isEnded = true
    const overtaken = edits.length > 0 && tree.editCount !== base.editCount ? await import('./rebase.ts') : undefined
    checkExpected(tree, options)
    if (edits.length === 0) return result
    let next = draft
    if (overtaken === undefined) journal?.admit(edits)
    else {
      next = new Tree(tree.freeze())
      overtaken.rebase(store, base, edits, next, { childPath, pathNames, nodeOf, stale })
    }
    tree.become(next)
    feed.publish(edits.map(changeOf), origin)
    return result
  } finally {
    draft.isEnded = true
  }
}

/** One synchronous commit of one operation. Watchers receive its edits one by one, as without a journal. */
export function transactNow<T>(store: TreeStore, work: (transaction: VfsTransaction) => T): T {
  const { tree, feed, journal, origin } = store
  const draft = new Tree(tree.freeze())
  const edits: Edit[] = []
  try {
    const result = work(draftPrimitives(store, draft, edits))
    if (edits.length > 0) {
      journal?.admit(edits)
      tree.become(draft)
      for (const edit of edits) feed.publish([changeOf(edit)], origin)
    }
    return result
  } finally {
    draft.isEnded = true
  }
}

/** The contents of a draft belong to the journal, and its edits are admitted only at the commit. */
export function draftPrimitives(
  { stamps, journal }: Pick<TreeStore, 'stamps' | 'journal'>,
  draft: Tree,
  edits: Edit[],
): VfsTransaction {
  return treePrimitives(
    draft,
    stamps,
    edit => edits.push(edit),
    journal,
    () => {},
  )
}

/** Throws ESTALE if a path is not at the expected revision. */
export function checkExpected(tree: Tree, { expect }: BatchOptions): void {
  checkRevisions(expect, path => resolve(tree, path, true, 'stat').node?.rev ?? 0)
}
