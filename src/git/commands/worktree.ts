// `git worktree`: the list. One work tree for a repository is all there is.

import { GitFailure } from '../errors.ts'
import type { GitCommand } from './command.ts'

export const worktree: GitCommand = {
  name: 'worktree',
  summary: 'Manage multiple working trees',
  options: {
    rows: [{ names: ['porcelain'] }, { names: ['z'] }, { names: ['v', 'verbose'], isIgnored: true }],
    usage: 'git worktree list [--porcelain]',
  },
  async run(call, options) {
    const [verb] = options.all
    if (verb !== 'list')
      throw new GitFailure(
        `error: git worktree ${verb ?? ''} is not built into this git; clone the repository or use a branch`,
        129,
      )
    const repository = await call.repository()
    const { branch, oid } = await repository.head()
    const path = repository.isBare ? repository.commonDir : repository.root
    if (options.has('porcelain')) {
      await call.print(
        `worktree ${path}\nHEAD ${oid ?? '0'.repeat(40)}\n${branch === undefined ? 'detached' : `branch ${branch}`}\n`,
      )
      return 0
    }
    const { ShortIds } = await import('../revs/short-ids.ts')
    const id = oid === undefined ? '0000000' : await new ShortIds(repository).of(oid)
    await call.print(`${path}  ${id} ${branch === undefined ? '(detached HEAD)' : `[${branch.replace('refs/heads/', '')}]`}`)
    return 0
  },
}
