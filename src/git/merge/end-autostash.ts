// The end of what `merge --autostash` has begun, for all commands that end a merge.

import type { GitCall } from '../call.ts'
import type { Repository } from '../repository.ts'

/** Loads what it needs only if a merge has put changes aside. */
export async function endAutostash(
  call: GitCall,
  repository: Repository,
  how: 'keepMergeStash' | 'restoreMergeStash',
): Promise<void> {
  if ((await repository.readState('MERGE_AUTOSTASH')) !== undefined)
    await (await import('../commands/rebase.ts'))[how](call, repository)
}
