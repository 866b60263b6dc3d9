// Files whose directory became a symlink: git cannot save them before a merge or in a stash, and gives up.

import { GitFailure } from '../errors.ts'
import type { GitIndex } from '../index/git-index.ts'
import type { Repository } from '../repository.ts'

/** `staged`: paths that differ between the index and the last commit, which may be gone from the index. */
export async function refuseBehindLinks(
  repository: Repository,
  index: GitIndex,
  staged: readonly string[],
  saver: 'stash' | 'merge',
): Promise<void> {
  const tree = await repository.workTree()
  for (const path of [...index.paths(), ...staged]) {
    const found = tree.isBehindLink(path)
    if (found === false || !(await found)) continue
    const told = `error: '${path}' is beyond a symbolic link\nfatal: Unable to process path ${path}\nCannot save the current worktree state`
    throw saver === 'stash' ? new GitFailure(told, 1) : new GitFailure(`${told}\nfatal: stash failed`, 128)
  }
}
