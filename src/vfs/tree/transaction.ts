// Work on a private continuation of the tree that becomes real all at once. Whoever commits first wins: a transaction that
// depends on what was overtaken changes nothing and fails with ESTALE, so that its caller reads again. Nothing ever waits.

import { childPath, isInside, pathNames, type VfsPath } from '../../core/path.ts'
import type { BatchOptions, VfsTransaction } from '../backend.ts'
import { isVfsError } from '../error.ts'
import { changeOf, type Edit, pathsOf } from './edit.ts'
import type { TreeNode } from './node.ts'
import { treePrimitives } from './primitives.ts'
import { resolve } from './resolve.ts'
import { stale } from './stale.ts'
import type { TreeStore } from './store.ts'
import { nodeOf, Tree, type Version } from './tree.ts'

/** See `VfsBackend.batch`. If `work` returns no promise, nothing can come between and the commit never conflicts. */
export async function transact<T>(
  store: TreeStore,
  work: (transaction: VfsTransaction) => T | Promise<T>,
  options: BatchOptions = {},
): Promise<T> {
  const { tree, feed, journal } = store
  // Checked twice: what the work sees must be what its caller expects, and so must what is there when it is done.
  checkExpected(tree, options)
  const base = tree.freeze()
  const draft = new Tree(base)
  const edits: Edit[] = []
  try {
    const pending = work(draftPrimitives(store, draft, edits))
    const result = isPromise(pending) ? await pending : pending
    checkExpected(tree, options)
    if (edits.length > 0) {
      if (tree.editCount === base.editCount) {
        journal?.admit(edits)
        tree.become(draft)
      } else tree.become(rebased(store, base, edits))
      feed.publish(edits.map(changeOf))
    }
    return result
  } finally {
    draft.isEnded = true
  }
}

/** One commit of one operation, which takes no time. Watchers are told of its edits one by one, as without a journal. */
export function transactNow<T>(store: TreeStore, work: (transaction: VfsTransaction) => T): T {
  const { tree, feed, journal } = store
  const draft = new Tree(tree.freeze())
  const edits: Edit[] = []
  try {
    const result = work(draftPrimitives(store, draft, edits))
    if (edits.length > 0) {
      journal?.admit(edits)
      tree.become(draft)
      for (const edit of edits) feed.publish([changeOf(edit)])
    }
    return result
  } finally {
    draft.isEnded = true
  }
}

/** A draft's contents are the journal's, and its edits are admitted only when it commits. */
function draftPrimitives({ stamps, journal }: TreeStore, draft: Tree, edits: Edit[]): VfsTransaction {
  return treePrimitives(
    draft,
    stamps,
    edit => edits.push(edit),
    journal === undefined ? {} : { hold: data => journal.hold(data) },
  )
}

function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value
}

function checkExpected(tree: Tree, { expect }: BatchOptions): void {
  if (expect === undefined) return
  for (const [path, rev] of expect) {
    const found = revAt(tree, path)
    if (found !== rev) throw stale('commit', path, rev, found)
  }
}

function revAt(tree: Tree, path: VfsPath): number {
  try {
    return resolve(tree, path, true, 'stat').node?.rev ?? 0
  } catch (error) {
    if (isVfsError(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return 0
    throw error
  }
}

/** The present tree with `edits` on top, provided that what they touch is still as it was in `base`. */
function rebased({ tree, stamps, journal }: TreeStore, base: Version, edits: readonly Edit[]): Tree {
  checkUntouched(base, tree, edits)
  const candidate = new Tree(tree.freeze())
  // Their directories meanwhile have changes that this transaction did not see, so they get numbers that nobody has seen.
  const restamped = edits.map(edit => ({ ...edit, atMs: stamps.nowMs(), rev: stamps.nextRev() }))
  for (const edit of restamped) candidate.apply(edit)
  journal?.admit(restamped)
  return candidate
}

function checkUntouched(base: Version, live: Version, edits: readonly Edit[]): void {
  const moves: (Edit & { kind: 'move' })[] = []
  for (const edit of edits) {
    for (const path of pathsOf(edit)) {
      const original = beforeMoves(path, moves)
      const before = exactNode(base, original)
      const now = exactNode(live, original)
      if (before?.rev !== now?.rev || before?.ino !== now?.ino) {
        throw stale('commit', path, before?.rev ?? 0, now?.rev ?? 0)
      }
    }
    if (edit.kind === 'move') moves.push(edit)
  }
}

/** Where what is now at `path` was before `moves`. */
function beforeMoves(path: VfsPath, moves: readonly { readonly path: VfsPath; readonly from: VfsPath }[]): VfsPath {
  let original = path
  for (const move of moves.toReversed()) {
    if (isInside(original, move.path)) original = rebasedPath(original, move.path, move.from)
  }
  return original
}

/** `path`, which lies in `from`, as it would be called in `to`. */
function rebasedPath(path: VfsPath, from: VfsPath, to: VfsPath): VfsPath {
  return pathNames(path).slice(pathNames(from).length).reduce(childPath, to)
}

/** What lies at a real path; nothing where a name on the way is no directory, for then the path means something else now. */
function exactNode(version: Version, path: VfsPath): TreeNode | undefined {
  let node: TreeNode = version.root
  for (const name of pathNames(path)) {
    if (node.kind !== 'directory') return undefined
    const entry = node.entries.get(name)
    if (entry === undefined) return undefined
    node = nodeOf(version, entry)
  }
  return node
}
