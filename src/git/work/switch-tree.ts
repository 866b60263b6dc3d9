// Takes index and work tree from one tree to another. Everything is planned first: what would be lost is told before anything is touched.

import { diffTrees, type FileChange, type FileSide } from '../diff/tree-diff.ts'
import { GitFailure } from '../errors.ts'
import type { GitIndex } from '../index/git-index.ts'
import { newEntry } from '../index/git-index.ts'
import { quoteFor } from '../quote.ts'
import type { Changes } from '../changes.ts'
import type { Repository } from '../repository.ts'
import { type ObjectId, zeroId } from '../store/object-format.ts'
import { diffWorkTree } from './status.ts'
import { checkPath, indexStat } from './work-tree.ts'

export interface SwitchWords {
  /** `checkout`, `merge`, `reset`. */
  readonly verb: string
  /** `switch branches`, `merge`. */
  readonly before: string
}

export const checkoutWords: SwitchWords = { verb: 'checkout', before: 'switch branches' }

interface Obstacles {
  readonly changed: string[]
  readonly untracked: string[]
  readonly removed: string[]
  readonly directories: string[]
}

/**
 * Changes `index` and adds the work to `changes`. What is staged or edited and not touched by the switch stays. Rejects with git's words when
 * something would be overwritten.
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
  const removedPaths = new Set(differences.filter(({ after }) => after === undefined).map(({ path }) => path))
  for (const change of differences) if (await isStep(repository, index, change, obstacles, removedPaths)) steps.push(change)
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
  removedPaths: ReadonlySet<string>,
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
      // Taken out of the index on purpose: the file that stayed is nobody's, and would be lost.
      const isLost = stat !== undefined && stat.kind !== 'directory' && !(await repository.ignore().isIgnored(path, false))
      if (isLost) obstacles.removed.push(path)
      return false
    }
    if (before !== undefined) {
      // Removed from the index on purpose, and the other side changed it.
      obstacles.changed.push(path)
      return false
    }
    checkPath(path)
    if (stat === undefined) {
      if (await isUnderUntrackedFile(repository, index, path, removedPaths)) obstacles.untracked.push(path)
      return true
    }
    if (stat.kind === 'directory') {
      if (await holdsOthers(repository, index, path)) obstacles.directories.push(path)
      return true
    }
    if (!(await repository.ignore().isIgnored(path, false))) obstacles.untracked.push(path)
    return true
  }
  if (isSame(entry, after)) return false
  if (!isSame(entry, before)) {
    obstacles.changed.push(path)
    return false
  }
  if (stat !== undefined && stat.kind !== 'directory' && (await tree.compare(entry, stat, index)).kind !== 'same')
    obstacles.changed.push(path)
  return true
}

/** A file of nobody stands where a directory is needed. */
async function isUnderUntrackedFile(
  repository: Repository,
  index: GitIndex,
  path: string,
  removedPaths: ReadonlySet<string>,
): Promise<boolean> {
  const tree = await repository.workTree()
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const above = path.slice(0, end)
    const stat = await tree.lstat(above)
    if (stat === undefined) continue
    return (
      stat.kind !== 'directory' &&
      !index.has(above) &&
      !removedPaths.has(above) &&
      !(await repository.ignore().isIgnored(above, false))
    )
  }
  return false
}

/** Whether a directory holds anything that is not in the index. */
async function holdsOthers(repository: Repository, index: GitIndex, directory: string): Promise<boolean> {
  const ignore = repository.ignore()
  for (const { name, kind } of await repository.files.list(`${repository.root}/${directory}`)) {
    const path = `${directory}/${name}`
    if (kind === 'directory') {
      if (await holdsOthers(repository, index, path)) return true
    } else if (!index.has(path) && !(await ignore.isIgnored(path, false))) return true
  }
  return false
}

function refuse(
  repository: Repository,
  { changed, untracked, removed, directories }: Obstacles,
  { verb, before }: SwitchWords,
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
    parts.push(`error: The following untracked working tree files would be removed by ${verb}:\n${rows(removed)}`)
  if (parts.length > 0) throw new GitFailure(`${parts.join('\n')}\nAborting`, 1)
}

/** Makes index and work tree hold the `after` sides. Nothing is asked. */
export async function applySteps(
  repository: Repository,
  changes: Changes,
  index: GitIndex,
  steps: readonly FileChange[],
): Promise<void> {
  const tree = await repository.workTree()
  const { root } = repository
  // Removals first: a file may become a directory, or the other way round.
  for (const { path, after } of steps) {
    if (after !== undefined) continue
    index.remove(path)
    const stat = await tree.lstat(path)
    if (stat !== undefined && stat.kind !== 'directory') changes.remove(tree.pathOf(path))
    const end = path.lastIndexOf('/')
    if (end !== -1) changes.removeEmptyDirectories(tree.pathOf(path.slice(0, end)), root)
  }
  for (const { path, after } of steps) {
    if (after === undefined) continue
    checkPath(path)
    const stat = await tree.lstat(path)
    if (stat?.kind === 'directory') changes.removeTree(tree.pathOf(path))
    for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
      const above = path.slice(0, end)
      const kind = (await tree.lstat(above))?.kind
      if (kind === undefined) break
      // A symlink in the way is taken away, never written through.
      if (kind !== 'directory') {
        changes.remove(tree.pathOf(above))
        break
      }
    }
    const entry = newEntry(path, after.mode, after.oid)
    index.set(entry)
    await tree.checkOut(changes, path, after.mode, after.oid, written => {
      index.refresh({ ...entry, stat: indexStat(written) })
    })
  }
}

/** Index and work tree become `to`, whatever they were. Untracked files stay unless they stand in the way. */
export async function forceTree(
  repository: Repository,
  changes: Changes,
  index: GitIndex,
  to: ObjectId | undefined,
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
  await applySteps(repository, changes, index, steps)
}

/** The index becomes `to`; files are not touched. Stats of entries that stay are kept. */
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
    else if (entry === undefined || entry.isIntentToAdd || !isSame(entry, after)) index.set(newEntry(path, after.mode, after.oid))
  }
  for (const [path, after] of wanted) if (after !== undefined) index.set(newEntry(path, after.mode, after.oid))
}
