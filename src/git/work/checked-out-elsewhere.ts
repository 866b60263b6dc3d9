// Loaded when a branch is about to be checked out.

import { fatal } from '../errors.ts'
import type { Repository } from '../repository.ts'
import { listWorkTrees } from './worktrees.ts'

/** Refuses a branch that another work tree has checked out. */
export async function refuseCheckedOutElsewhere(repository: Repository, branch: string): Promise<void> {
  const other = (await listWorkTrees(repository)).find(
    tree => tree.branch === branch && tree.gitDir !== repository.gitDir && !tree.isBare,
  )
  if (other !== undefined) throw fatal(`'${branch.replace('refs/heads/', '')}' is already checked out at '${other.path}'`)
}
