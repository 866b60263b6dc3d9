// Updates work tree and index after a change of the current tree. Finds what a person would lose before any change.

import { GitFailure } from '../errors.ts'
import type { GitIndex } from '../index/git-index.ts'
import { newEntry } from '../index/git-index.ts'
import type { Changes, Repository } from '../repository.ts'
import { compareText, modes, type ObjectId } from '../store/object-format.ts'
import { listTree } from '../diff/tree-diff.ts'
import { untrackedInTheWay } from '../work/untracked-in-the-way.ts'
import { indexStat, makeRoom, makeRoomAbove } from '../work/work-tree.ts'
import { isSame } from './merge-trees.ts'
import type { ConflictStages } from './tree-merge.ts'
import type { Version } from './tree-merge.ts'
import type { FileChanges } from './tree-with-changes.ts'

export interface WorkTreeUpdate {
  /** The changes to the current tree. */
  readonly changes: FileChanges
  /** The current tree: staged changes to it would be lost. */
  readonly from?: ObjectId | undefined
  readonly conflicts?: ReadonlyMap<string, ConflictStages>
  /** Discard local changes of these files. */
  readonly isForced?: boolean
  /** The name in git's refusal: `merge`, `checkout`. */
  readonly operation: string
}

/** Adds the update to `changes`, and changes `index` to match. Rejects if something would be overwritten; then nothing is changed. */
export async function updateWorkTree(
  repository: Repository,
  index: GitIndex,
  changes: Changes,
  update: WorkTreeUpdate,
): Promise<void> {
  if (!update.isForced) await refuseLosses(repository, index, update)
  const wanted = update.isForced ? update.changes : withoutStaged(index, update)
  const tree = await repository.workTree()
  const conflicts = update.conflicts ?? new Map<string, ConflictStages>()
  // If a person saves one of these files meanwhile, the commit is refused.
  for (const [path, version] of wanted) {
    const stat = await tree.lstat(path)
    if (stat?.kind === 'file') changes.expect(tree.pathOf(path), stat.rev)
    else if (stat === undefined && version !== undefined && !path.includes('/')) changes.expect(tree.pathOf(path), 0)
  }
  const sorted = [...wanted].sort(([one], [other]) => compareText(one, other))
  for (const [path, version] of sorted) {
    if (version !== undefined) continue
    const stat = await tree.lstat(path)
    if (stat !== undefined && stat.kind !== 'directory') changes.remove(tree.pathOf(path))
    changes.removeEmptyDirectories(parentOf(tree.pathOf(path)), tree.root)
    index.remove(path)
  }
  const isOutside = await repository.outsideOfSparse()
  for (const [path, version] of sorted) {
    if (version === undefined) continue
    const stages = conflicts.get(path)
    if (stages === undefined && isOutside(path) && (await tree.lstat(path)) === undefined) {
      index.set({ ...newEntry(path, version.mode, version.oid), isSkipped: true })
      continue
    }
    if (stages === undefined) index.set(newEntry(path, version.mode, version.oid))
    await (update.isForced ? makeRoomAbove(tree, changes, path) : makeRoom(tree, changes, path, version.mode))
    await tree.checkOut(changes, path, version.mode, version.oid, stat => {
      // The caller may have put another entry in its place.
      const entry = index.get(path)
      if (entry !== undefined && isSame(entry, version)) index.refresh(newEntry(path, version.mode, version.oid, indexStat(stat)))
    })
  }
  for (const [path, stages] of conflicts) {
    const [base, ours, theirs] = stages
    const entry = (version: Version | undefined, stage: number) =>
      version === undefined ? undefined : newEntry(path, version.mode, version.oid, undefined, stage)
    index.setConflict(path, [entry(base, 1), entry(ours, 2), entry(theirs, 3)])
  }
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/'
}

/** Without what is staged already: those files stay as they are in the work tree, with their edits. */
function withoutStaged(index: GitIndex, { changes, conflicts }: WorkTreeUpdate): FileChanges {
  const isStaged = (path: string, version: Version | undefined): boolean => {
    const entry = index.get(path)
    return version === undefined ? !index.has(path) : entry !== undefined && !entry.isIntentToAdd && isSame(entry, version)
  }
  return new Map([...changes].filter(([path, version]) => conflicts?.has(path) === true || !isStaged(path, version)))
}

/** Rejects if the update would overwrite or remove what is in no commit. */
export async function refuseLosses(
  repository: Repository,
  index: GitIndex,
  { changes, operation, from }: WorkTreeUpdate,
): Promise<void> {
  const checkedOut = from === undefined ? undefined : new Map((await listTree(repository, from)).map(file => [file.path, file]))
  const tree = await repository.workTree()
  const local: string[] = []
  const untracked: string[] = []
  const directories: string[] = []
  const removed: string[] = []
  for (const [path, version] of [...changes].sort(([one], [other]) => compareText(one, other))) {
    const entry = index.get(path)
    const stat = await tree.lstat(path)
    if (entry !== undefined) {
      if (version !== undefined && isSame(entry, version)) continue
      if (checkedOut !== undefined && !entry.isIntentToAdd && !isSame(entry, checkedOut.get(path))) {
        local.push(path)
        continue
      }
      if (await tree.isEdited(entry, stat, index)) local.push(path)
    } else if (version === undefined) {
      const obstacle = index.has(path) ? undefined : await untrackedInTheWay(repository, index, path)
      if (obstacle?.kind === 'directory') directories.push(obstacle.path)
      else if (obstacle !== undefined) removed.push(obstacle.path)
    } else if (!index.has(path) && checkedOut?.has(path) === true) {
      // Its removal is staged.
      local.push(path)
    } else if (version.mode !== modes.submodule && !index.has(path)) {
      const obstacle = await untrackedInTheWay(repository, index, path)
      if (obstacle?.kind === 'directory') directories.push(obstacle.path)
      else if (obstacle !== undefined) untracked.push(obstacle.path)
    }
  }
  const refusals: string[] = []
  if (local.length > 0) {
    refusals.push(
      `error: Your local changes to the following files would be overwritten by ${operation}:\n${rows(local)}` +
        `Please commit your changes or stash them before you ${operation === 'checkout' ? 'switch branches' : operation}.`,
    )
  }
  if (directories.length > 0)
    refusals.push(`error: Updating the following directories would lose untracked files in them:\n${rows(directories)}`)
  if (untracked.length > 0) {
    refusals.push(
      `error: The following untracked working tree files would be overwritten by ${operation}:\n${rows([...new Set(untracked)])}` +
        `Please move or remove them before you ${operation === 'checkout' ? 'switch branches' : operation}.`,
    )
  }
  if (removed.length > 0) {
    refusals.push(
      `error: The following untracked working tree files would be removed by ${operation}:\n${rows(removed)}` +
        `Please move or remove them before you ${operation === 'checkout' ? 'switch branches' : operation}.`,
    )
  }
  if (refusals.length > 0) throw new GitFailure(`${refusals.join('\n')}\nAborting`, 1)
}

function rows(paths: readonly string[]): string {
  return paths.map(path => `\t${path}\n`).join('')
}

/** Paths whose index entry differs from the tree. Empty for a clean index. */
export async function stagedPaths(
  repository: Repository,
  index: GitIndex,
  tree: ObjectId | undefined,
): Promise<readonly string[]> {
  if (!index.hasConflicts && index.tree?.isValid && index.tree.oid === tree) return []
  const left = new Map((await listTree(repository, tree)).map(file => [file.path, file]))
  const found: string[] = []
  for (const path of index.paths()) {
    const entry = index.get(path)
    const file = left.get(path)
    left.delete(path)
    if (entry?.isIntentToAdd) continue
    if (entry === undefined || file === undefined || !isSame(entry, file)) found.push(path)
  }
  return [...found, ...left.keys()].sort(compareText)
}

/** Paths whose file differs from the index. */
export async function unstagedPaths(repository: Repository, index: GitIndex): Promise<readonly string[]> {
  const tree = await repository.workTree()
  const found: string[] = []
  for (const entry of index.sorted()) {
    if (entry.stage !== 0) {
      if (found.at(-1) !== entry.path) found.push(entry.path)
      continue
    }
    const result = await tree.compare(entry, await tree.lstat(entry.path), index)
    if (result.kind !== 'same') found.push(entry.path)
    else if (result.refreshed !== undefined) index.refresh(result.refreshed)
  }
  return found
}
