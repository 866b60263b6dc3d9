// Returns to a tree in the middle of a merge: removes what the merge wrote, and keeps other local changes.

import { GitFailure } from '../errors.ts'
import { listTree } from '../diff/tree-diff.ts'
import type { GitIndex } from '../index/git-index.ts'
import type { Changes, Repository } from '../repository.ts'
import type { ObjectId } from '../store/object-format.ts'
import type { Version } from './merge-trees.ts'
import { stagedPaths, updateWorkTree } from './update-work-tree.ts'

/** Restores files whose index entry differs from the tree, or that are in conflict. */
export async function resetToTree(
  repository: Repository,
  index: GitIndex,
  changes: Changes,
  tree: ObjectId,
  /** The name of the revision, if an edit on top of what is restored is a refusal. */
  guarded?: string,
): Promise<void> {
  const files = new Map((await listTree(repository, tree)).map(({ path, mode, oid }) => [path, { mode, oid }] as const))
  const update = new Map<string, Version | undefined>()
  const work = await repository.workTree()
  for (const path of await stagedPaths(repository, index, tree)) {
    const entry = index.get(path)
    const stat = entry === undefined || guarded === undefined ? undefined : await work.lstat(path)
    // An edit on top of what is taken back would be lost.
    if (entry !== undefined && stat !== undefined && (await work.compare(entry, stat, index)).kind !== 'same')
      throw new GitFailure(
        `error: Entry '${path}' not uptodate. Cannot merge.\nfatal: Could not reset index file to revision '${guarded}'.`,
        128,
      )
    update.set(path, files.get(path))
  }
  for (const path of index.conflicts()) update.set(path, files.get(path))
  await updateWorkTree(repository, index, changes, { changes: update, operation: 'reset', isForced: true })
}
