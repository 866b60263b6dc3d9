// Returns to a tree in the middle of a merge: removes what the merge wrote, and keeps other local changes.

import { GitFailure } from '../errors.ts'
import { listTree } from '../diff/tree-diff.ts'
import type { GitIndex } from '../index/git-index.ts'
import type { Changes, Repository } from '../repository.ts'
import type { ObjectId } from '../store/object-format.ts'
import { type InTheWay, untrackedInTheWay } from '../work/untracked-in-the-way.ts'
import type { Version } from './tree-merge.ts'
import { stagedPaths, updateWorkTree } from './update-work-tree.ts'

/** How git words a refusal. */
export interface ResetGuard {
  /** `paths` in one list, or the first one alone. */
  readonly lists: boolean
  /** The last line of the refusal. */
  readonly failure: string
  /** An edit on top of what is restored is a refusal too. */
  readonly keepsEdits?: boolean
}

/** The words of `git reset --merge`. */
export function mergeGuard(revision: string): ResetGuard {
  return { lists: false, failure: `Could not reset index file to revision '${revision}'.`, keepsEdits: true }
}

/** Restores files whose index entry differs from the tree, or that are in conflict. Rejects before it would overwrite untracked files. */
export async function resetToTree(
  repository: Repository,
  index: GitIndex,
  changes: Changes,
  tree: ObjectId,
  guard: ResetGuard,
): Promise<void> {
  const files = new Map((await listTree(repository, tree)).map(({ path, mode, oid }) => [path, { mode, oid }] as const))
  const update = new Map<string, Version | undefined>()
  const work = await repository.workTree()
  const inTheWay: InTheWay[] = []
  for (const path of await stagedPaths(repository, index, tree)) {
    const entry = index.get(path)
    const stat = entry === undefined || guard.keepsEdits !== true ? undefined : await work.lstat(path)
    // An edit on top of what is taken back would be lost.
    if (entry !== undefined && stat !== undefined && (await work.isEdited(entry, stat, index)))
      throw new GitFailure(`error: Entry '${path}' not uptodate. Cannot merge.\nfatal: ${guard.failure}`, 128)
    const obstacle = files.has(path) && !index.has(path) ? await untrackedInTheWay(repository, index, path) : undefined
    if (obstacle !== undefined) inTheWay.push(obstacle)
    update.set(path, files.get(path))
  }
  if (inTheWay.length > 0) throw new GitFailure(`${obstacleText(inTheWay, guard)}\nfatal: ${guard.failure}`, 128)
  for (const path of index.conflicts()) update.set(path, files.get(path))
  await updateWorkTree(repository, index, changes, { changes: update, operation: 'reset', isForced: true })
}

function obstacleText(obstacles: readonly InTheWay[], { lists }: ResetGuard): string {
  const [first] = obstacles
  if (!lists)
    return first?.kind === 'directory'
      ? `error: Updating '${first.path}' would lose untracked files in it`
      : `error: Untracked working tree file '${first?.path ?? ''}' would be overwritten by merge.`
  const rows = (kind: InTheWay['kind']): string =>
    [...new Set(obstacles.flatMap(obstacle => (obstacle.kind === kind ? [`\t${obstacle.path}\n`] : [])))].join('')
  const [files, directories] = [rows('file'), rows('directory')]
  const parts = [
    directories === '' ? '' : `error: Updating the following directories would lose untracked files in them:\n${directories}\n`,
    files === ''
      ? ''
      : `error: The following untracked working tree files would be overwritten by reset:\n${files}Please move or remove them before you reset.\n`,
  ]
  return `${parts.join('')}Aborting`
}
