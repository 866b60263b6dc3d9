// Stats of files that were found to be unchanged, kept in the index for the next command.

import { GitFailure } from '../errors.ts'
import type { GitIndex } from '../index/git-index.ts'
import { Changes, type Repository } from '../repository.ts'
import { diffWorkTree, type Status } from './status.ts'

/** Corrects outdated stats in an index that will be written. */
export async function refreshStats(repository: Repository, index: GitIndex): Promise<void> {
  for (const entry of (await diffWorkTree(repository, index)).refreshed) index.refresh(entry)
}

/** Corrects outdated stats if the index may be written. */
export async function keepRefreshed(
  repository: Repository,
  index: GitIndex,
  { refreshed }: Pick<Status, 'refreshed'>,
): Promise<void> {
  if (refreshed.length === 0 || repository.environment.env['GIT_OPTIONAL_LOCKS'] === '0') return
  const fresh = index.copy()
  for (const entry of refreshed) fresh.refresh(entry)
  // The user did not ask for this write, so a lock or a missing permission is not an error.
  await repository.commit(new Changes(), fresh).catch((error: unknown) => {
    if (!(error instanceof GitFailure)) throw error
  })
}
