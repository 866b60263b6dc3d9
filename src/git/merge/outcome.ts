// The end of a merge of trees: writes work tree, index and the files of the operation in progress in one commit of files.

import { GitFailure } from '../errors.ts'
import type { GitCall } from '../call.ts'
import type { GitIndex } from '../index/git-index.ts'
import type { Changes, Repository } from '../repository.ts'
import type { ObjectId } from '../store/object-format.ts'
import type { TreeMerge } from './tree-merge.ts'
import { changesBetween, treeWithChanges } from './tree-with-changes.ts'
import { updateWorkTree } from './update-work-tree.ts'

export async function tellMerge(call: GitCall, { messages, errors = [] }: TreeMerge): Promise<void> {
  for (const message of messages) await call.print(message)
  for (const error of errors) await call.warn(error)
}

/** The tree of a merge, with conflicts as text in the files. */
export function mergedTree(repository: Repository, tree: ObjectId, merge: TreeMerge): Promise<ObjectId> {
  return treeWithChanges(repository, tree, merge.changes)
}

/**
 * Adds to `changes` the update of work tree and index from the tree `from` to the result of a merge into the tree `into`, which may be
 * later. Without `merge` the result is `into` itself.
 */
export async function checkOutMerge(
  repository: Repository,
  index: GitIndex,
  changes: Changes,
  plan: {
    readonly from: ObjectId | undefined
    readonly into: ObjectId
    readonly merge?: TreeMerge
    readonly operation: string
  },
): Promise<void> {
  const { from, into, merge, operation } = plan
  const all = await changesBetween(repository, from, into)
  for (const [path, version] of merge?.changes ?? []) all.set(path, version)
  await updateWorkTree(repository, index, changes, {
    changes: all,
    from,
    operation,
    ...(merge === undefined ? {} : { conflicts: merge.conflicts }),
  })
}

/** Rejects in git's words while there are conflicts; a commit lists them too. */
export async function refuseConflicts(
  call: GitCall,
  index: GitIndex,
  doing: 'Merging' | 'Pulling' | 'Committing',
): Promise<void> {
  if (!index.hasConflicts) return
  if (doing === 'Committing') for (const path of index.conflicts()) await call.print(`U\t${path}`)
  throw new GitFailure(
    `error: ${doing} is not possible because you have unmerged files.\n` +
      "hint: Fix them up in the work tree, and then use 'git add/rm <file>'\n" +
      'hint: as appropriate to mark resolution and make a commit.\nfatal: Exiting because of an unresolved conflict.',
    128,
  )
}
