// Changes index and work tree from one tree to another. Everything is planned first, and what would be lost is reported before any change.

import { diffTrees, type FileChange, type FileSide } from '../diff/tree-diff.ts'
import { GitFailure } from '../errors.ts'
import type { GitIndex } from '../index/git-index.ts'
import { newEntry } from '../index/git-index.ts'
import { quoteFor } from '../quote.ts'
import type { Changes } from '../changes.ts'
import type { Repository } from '../repository.ts'
import { type ObjectId, zeroId } from '../store/object-format.ts'
import { diffWorkTree } from './status.ts'
import { type GuardOptions, untrackedInTheWay } from './untracked-in-the-way.ts'
import { checkPath, indexStat, makeRoom } from './work-tree.ts'

export interface SwitchWords {
  /** `checkout`, `merge`, `reset`. */
  readonly verb: string
  /** `switch branches`, `merge`. */
  readonly before: string
  /** Do not overwrite ignored files either. */
  readonly keepsIgnored?: boolean
  /** Of a refusal; 1 without it. */
  readonly exitCode?: number
}

export const checkoutWords: SwitchWords = { verb: 'checkout', before: 'switch branches' }

interface Obstacles {
  readonly changed: string[]
  readonly untracked: string[]
  readonly removed: string[]
  readonly directories: string[]
}

/**
 * Changes `index` and adds the work to `changes`. Keeps staged and edited files that the switch does not touch. Rejects with git's words if
 * a file would be overwritten.
 */
export async function switchTree(
  repository: Repository,
  changes: Changes,
  index: GitIndex,
  from: ObjectId | undefined,
  to: ObjectId | undefined,
  words: SwitchWords = checkoutWords,
): Promise<void> {
  const obstacles: Obstacles = { changed: [], untracked: [], removed: [], directories: [] }
  const steps: FileChange[] = []
  const differences = await diffTrees(repository, from, to)
  const removed = new Set(differences.filter(({ after }) => after === undefined).map(({ path }) => path))
  const guard = { keepsIgnored: words.keepsIgnored, removed }
  for (const change of differences) if (await isStep(repository, index, change, obstacles, guard)) steps.push(change)
  refuse(repository, obstacles, words)
  await applySteps(repository, changes, index, steps)
}

function isSame(a: FileSide | undefined, b: FileSide | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.oid === b.oid && a.mode === b.mode
}

async function isStep(
  repository: Repository,
  index: GitIndex,
  change: FileChange,
  obstacles: Obstacles,
  guard: GuardOptions,
): Promise<boolean> {
  const { path, before, after } = change
  const tree = await repository.workTree()
  const entry = index.get(path)
  if (index.stages(path) !== undefined) {
    obstacles.changed.push(path)
    return false
  }
  const stat = await tree.lstat(path)
  if (entry === undefined) {
    if (after === undefined) {
      // Removed from the index on purpose: what remains is untracked and would be lost.
      const obstacle = index.has(path) ? undefined : await untrackedInTheWay(repository, index, path, guard)
      if (obstacle?.kind === 'directory') obstacles.directories.push(path)
      else if (obstacle !== undefined && !obstacles.removed.includes(obstacle.path)) obstacles.removed.push(obstacle.path)
      return false
    }
    if (before !== undefined) {
      // Removed from the index on purpose, and changed on the other side.
      obstacles.changed.push(path)
      return false
    }
    checkPath(path)
    const obstacle = await untrackedInTheWay(repository, index, path, guard)
    if (obstacle?.kind === 'directory') obstacles.directories.push(obstacle.path)
    else if (obstacle !== undefined && !obstacles.untracked.includes(obstacle.path)) obstacles.untracked.push(obstacle.path)
    return true
  }
  if (isSame(entry, after)) return false
  if (!isSame(entry, before)) {
    obstacles.changed.push(path)
    return false
  }
  if (await tree.isEdited(entry, stat, index)) obstacles.changed.push(path)
  return true
}

function refuse(
  repository: Repository,
  { changed, untracked, removed, directories }: Obstacles,
  { verb, before, exitCode = 1 }: SwitchWords,
): void {
  const quote = quoteFor(repository.config())
  const rows = (paths: readonly string[]): string => paths.map(path => `\t${quote(path)}`).join('\n')
  const parts: string[] = []
  if (changed.length > 0) {
    parts.push(
      `error: Your local changes to the following files would be overwritten by ${verb}:\n${rows(changed)}\nPlease commit your changes or stash them before you ${before}.`,
    )
  }
  if (directories.length > 0)
    parts.push(`error: Updating the following directories would lose untracked files in them:\n${rows(directories)}\n`)
  if (untracked.length > 0) {
    parts.push(
      `error: The following untracked working tree files would be overwritten by ${verb}:\n${rows(untracked)}\nPlease move or remove them before you ${before}.`,
    )
  }
  if (removed.length > 0)
    parts.push(
      `error: The following untracked working tree files would be removed by ${verb}:\n${rows(removed)}\nPlease move or remove them before you ${before}.`,
    )
  if (parts.length > 0) throw new GitFailure(`${parts.join('\n')}\nAborting`, exitCode)
}

/** Writes the `after` sides to index and work tree without checks. */
export async function applySteps(
  repository: Repository,
  changes: Changes,
  index: GitIndex,
  steps: readonly FileChange[],
): Promise<void> {
  const tree = await repository.workTree()
  const { root } = repository
  // Removals first: a file may become a directory, or a directory a file.
  for (const { path, after } of steps) {
    if (after !== undefined) continue
    index.remove(path)
    const stat = await tree.lstat(path)
    if (stat !== undefined && stat.kind !== 'directory') changes.remove(tree.pathOf(path))
    const end = path.lastIndexOf('/')
    if (end !== -1) changes.removeEmptyDirectories(tree.pathOf(path.slice(0, end)), root)
  }
  const isOutside = await repository.outsideOfSparse()
  for (const { path, after } of steps) {
    if (after === undefined) continue
    checkPath(path)
    if (isOutside(path) && (await tree.lstat(path)) === undefined) {
      index.set({ ...newEntry(path, after.mode, after.oid), isSkipped: true })
      continue
    }
    await makeRoom(tree, changes, path, after.mode)
    const entry = newEntry(path, after.mode, after.oid)
    index.set(entry)
    await tree.checkOut(changes, path, after.mode, after.oid, written => {
      index.refresh({ ...entry, stat: indexStat(written) })
    })
  }
}

/** Rejects for the first untracked file that the steps would remove. */
export async function refuseOverwriting(
  repository: Repository,
  index: GitIndex,
  steps: readonly FileChange[],
  guard: GuardOptions = {},
): Promise<void> {
  for (const { path, after } of steps) {
    if (after === undefined || index.has(path)) continue
    const obstacle = await untrackedInTheWay(repository, index, path, guard)
    if (obstacle?.kind === 'directory') throw refusal(`Updating '${obstacle.path}' would lose untracked files in it`)
    if (obstacle?.kind === 'file') throw refusal(`Untracked working tree file '${obstacle.path}' would be overwritten by merge.`)
  }
}

function refusal(text: string): GitFailure {
  return new GitFailure(`error: ${text}`, 128)
}

/** Also a forced change keeps edits that `status` does not show, because the file is marked as assumed unchanged or skipped. */
export async function refuseMarkedEdits(repository: Repository, index: GitIndex, steps: readonly FileChange[]): Promise<void> {
  const tree = await repository.workTree()
  for (const { path, after } of steps) {
    const entry = index.get(path)
    if (entry === undefined || !(entry.isAssumedValid || entry.isSkipped) || isSame(entry, after)) continue
    if (await tree.isEdited(entry, await tree.lstat(path), index)) throw refusal(`Entry '${path}' not uptodate. Cannot merge.`)
  }
}

/** Sets index and work tree to `to`, whatever they were. Untracked files stay; with `guard`, one that is in the way is refused. */
export async function forceTree(
  repository: Repository,
  changes: Changes,
  index: GitIndex,
  to: ObjectId | undefined,
  guard?: GuardOptions,
): Promise<void> {
  const work = await diffWorkTree(repository, index)
  for (const entry of work.refreshed) index.refresh(entry)
  const edited = new Set(work.changes.map(({ path }) => path))
  const wanted = new Map((await diffTrees(repository, undefined, to)).map(({ path, after }) => [path, after]))
  const steps: FileChange[] = []
  for (const path of index.paths()) {
    const entry = index.get(path)
    const after = wanted.get(path)
    if (after === undefined) steps.push({ path, before: { mode: 0, oid: zeroId }, after: undefined })
    else if (!isSame(entry, after) || edited.has(path)) steps.push({ path, before: entry, after })
    wanted.delete(path)
  }
  for (const [path, after] of wanted) steps.push({ path, before: undefined, after })
  await refuseMarkedEdits(repository, index, steps)
  if (guard !== undefined) await refuseOverwriting(repository, index, steps, guard)
  await applySteps(repository, changes, index, steps)
}

/** Sets the index to `to` and leaves files unchanged. Keeps the stats of entries that stay. */
export async function resetIndex(
  repository: Repository,
  index: GitIndex,
  to: ObjectId | undefined,
  isWanted?: (path: string, isDirectory: boolean) => boolean,
): Promise<void> {
  const wanted = new Map((await diffTrees(repository, undefined, to, { isWanted })).map(({ path, after }) => [path, after]))
  for (const path of index.paths()) {
    if (isWanted !== undefined && !isWanted(path, false)) continue
    const entry = index.get(path)
    const after = wanted.get(path)
    wanted.delete(path)
    if (after === undefined) index.remove(path)
    else if (entry === undefined || entry.isIntentToAdd || !isSame(entry, after))
      index.set({ ...newEntry(path, after.mode, after.oid), isSkipped: entry?.isSkipped ?? false })
  }
  const isOutside = await repository.outsideOfSparse()
  for (const [path, after] of wanted)
    if (after !== undefined) index.set({ ...newEntry(path, after.mode, after.oid), isSkipped: isOutside(path) })
}
