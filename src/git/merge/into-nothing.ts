// A merge into a branch without commits: the branch begins at the other commit.

import { GitFailure } from '../errors.ts'
import { Changes, type Repository } from '../repository.ts'
import type { ObjectId } from '../store/object-format.ts'
import { moveHead } from './head-moves.ts'
import { isSame } from './merge-trees.ts'
import { checkOutMerge } from './outcome.ts'
import { changesBetween } from './tree-with-changes.ts'

export async function mergeIntoNothing(repository: Repository, theirs: ObjectId): Promise<number> {
  const index = await repository.readIndex()
  const changes = new Changes()
  const into = await repository.treeOf(theirs)
  const files = await changesBetween(repository, undefined, into)
  const taken = index.sorted().find(({ path, mode, oid }) => !isSame({ mode, oid }, files.get(path) ?? { mode, oid }))
  if (taken !== undefined)
    throw new GitFailure(
      `error: Entry '${taken.path}' would be overwritten by merge. Cannot merge.\nfatal: read-tree failed`,
      128,
    )
  try {
    await checkOutMerge(repository, index, changes, { from: undefined, into, operation: 'merge' })
  } catch (error) {
    const [, path] = /following untracked .*\n\t(.*)/.exec(error instanceof GitFailure ? error.message : '') ?? []
    if (path === undefined) throw error
    throw new GitFailure(
      `error: Untracked working tree file '${path}' would be overwritten by merge.\nfatal: read-tree failed`,
      128,
    )
  }
  await moveHead(repository, changes, [{ oid: theirs, message: 'initial pull' }])
  await repository.commit(changes, index)
  return 0
}
