// `rebase --exec`: a command of the shell between two steps.

import type { GitCall } from '../call.ts'
import { fatal } from '../errors.ts'
import type { Repository } from '../repository.ts'
import { quoted } from './rebase-files.ts'
import { stagedPaths, unstagedPaths } from './update-work-tree.ts'

/** Runs a command between two steps. Returns false if the rebase stops here. */
export async function runBetween(call: GitCall, repository: Repository, command: string): Promise<boolean> {
  const { exec } = call.environment
  if (exec === undefined) throw fatal('no command can be run from here; run "git rebase --abort", and rebase without --exec')
  await call.warn(`Executing: ${command}`)
  await call.err.flush()
  await call.out.flush()
  const { root, environment } = repository
  const code = await exec(['sh', '-c', environment.cwd === root ? command : `cd ${quoted(root)} && ${command}`])
  repository.refs.refresh()
  const index = await repository.readIndex()
  const { oid } = await repository.head()
  const isClean =
    !index.hasConflicts &&
    (await unstagedPaths(repository, index)).length === 0 &&
    (await stagedPaths(repository, index, await repository.treeOf(oid))).length === 0
  if (code === 0 && isClean) return true
  const left = isClean ? '' : 'and made changes to the index and/or the working tree.\n'
  await call.warn(
    code === 0
      ? `warning: execution succeeded: ${command}\nbut left changes to the index and/or the working tree.\nCommit or stash your changes, and then run\n\n  git rebase --continue\n\n`
      : `warning: execution failed: ${command}\n${left}You can fix the problem, and then run\n\n  git rebase --continue\n\n`,
  )
  return false
}
