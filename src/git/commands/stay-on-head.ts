// `git checkout` of what is checked out already.

import type { GitCall } from '../call.ts'
import { fatal } from '../errors.ts'
import { mergeStateFiles } from '../merge/state-files.ts'
import { Changes, type Repository } from '../repository.ts'
import { trackingOf } from '../revs/tracking.ts'
import { forceTree } from '../work/switch-tree.ts'
import { listLocalChanges, type SwitchSettings, tellConflicts } from './switch-branch.ts'
import { trackingLines } from './tracking-lines.ts'

/** `checkout HEAD` moves nothing. Without force it reports edited files, with force it discards them. */
export async function stayOnHead(
  call: GitCall,
  repository: Repository,
  { isQuiet, force, keepsIgnored }: SwitchSettings,
): Promise<number> {
  const { branch, oid } = await repository.head()
  if (oid === undefined) throw fatal('You are on a branch yet to be born')
  const index = await repository.readIndex()
  if (force === 'none' && index.hasConflicts) throw await tellConflicts(call, index)
  const changes = new Changes()
  if (force !== 'none')
    await forceTree(repository, changes, index, await repository.treeOf(oid), force === 'all' ? undefined : { keepsIgnored })
  await repository.removeState(changes, ...mergeStateFiles, 'MERGE_RR', 'SQUASH_MSG')
  await repository.commit(changes, force === 'none' ? undefined : index)
  if (isQuiet) return 0
  if (force === 'none') await listLocalChanges(call, repository, index, oid)
  const lines = branch === undefined ? [] : trackingLines(await trackingOf(repository, branch, oid))
  if (lines.length > 0) await call.print(lines.join('\n').replace(/\n$/, ''))
  return 0
}
