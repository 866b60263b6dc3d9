// What making a stash and applying one have in common.

import type { GitCall } from '../call.ts'
import { GitFailure } from '../errors.ts'
import type { GitIndex } from '../index/git-index.ts'
import type { Changes, Repository } from '../repository.ts'
import type { ObjectId } from '../store/object-format.ts'
import { keepOldHead, logStay } from './head-moves.ts'
import { mergeStateFiles } from './state-files.ts'

/** With conflicts, a stash can be neither made nor applied. */
export async function refuseConflicts(call: GitCall, index: GitIndex, message: string = ''): Promise<void> {
  for (const path of index.conflicts()) await call.print(`${path}: needs merge`)
  if (index.hasConflicts) throw new GitFailure(message, 1)
}

/** Where git runs `git reset`: its log entry, and the end of a merge, cherry-pick or revert. */
export async function resetToHead(repository: Repository, changes: Changes, head: ObjectId): Promise<void> {
  await logStay(repository, changes, head, 'reset: moving to HEAD')
  keepOldHead(repository, changes, head)
  await repository.removeState(changes, ...mergeStateFiles, 'MERGE_RR', 'SQUASH_MSG')
}
