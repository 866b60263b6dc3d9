// Back to a tree from the middle of a merge: what the merge wrote goes, other local changes stay.

import { listTree } from '../diff/tree-diff.ts'
import type { GitIndex } from '../index/git-index.ts'
import type { Changes, Repository } from '../repository.ts'
import type { ObjectId } from '../store/object-format.ts'
import type { Version } from './merge-trees.ts'
import { stagedPaths, updateWorkTree } from './update-work-tree.ts'

/** Files whose entry in the index differs from the tree, or that are in conflict, are written as the tree has them. */
export async function resetToTree(repository: Repository, index: GitIndex, changes: Changes, tree: ObjectId): Promise<void> {
  const files = new Map((await listTree(repository, tree)).map(({ path, mode, oid }) => [path, { mode, oid }] as const))
  const update = new Map<string, Version | undefined>()
  for (const path of [...(await stagedPaths(repository, index, tree)), ...index.conflicts()]) update.set(path, files.get(path))
  await updateWorkTree(repository, index, changes, { changes: update, operation: 'reset', isForced: true })
}
