// Restores single paths: in the work tree from the index or a tree, and in the index from a tree.

import type { Changes } from '../changes.ts'
import { diffTrees } from '../diff/tree-diff.ts'
import { failure } from '../errors.ts'
import { type GitIndex, type IndexEntry, newEntry } from '../index/git-index.ts'
import type { Repository } from '../repository.ts'
import { modes, type ObjectId } from '../store/object-format.ts'
import type { Pathspec } from './pathspec.ts'
import { indexStat } from './work-tree.ts'

/** Makes conflicts again from the versions in the index. */
export interface ConflictMaker {
  /** The path is not in conflict any more, as far as can be told. */
  readonly isResolved: (path: string) => boolean
  readonly write: (path: string, stages: readonly (IndexEntry | undefined)[]) => Promise<void>
}

export interface RestoreOptions {
  /** A tree; `undefined` for the index. */
  readonly source: ObjectId | undefined
  readonly toIndex: boolean
  readonly toWorkTree: boolean
  /** Remove files that the source lacks, as `restore` does; `checkout` leaves them. */
  readonly removesMissing: boolean
  /** For a conflict: the side to take. */
  readonly stage?: 2 | 3 | undefined
  /** A conflict is made again. */
  readonly remake?: ConflictMaker | undefined
  /** Restores also what `skip-worktree` leaves out. */
  readonly ignoresSkipped?: boolean
  /** Hears of a conflict that is left unchanged. Without it a conflict is an error. */
  readonly ignoreConflict?: ((path: string) => Promise<void>) | undefined
}

/** Returns the number of written paths. Rejects if a path matches nothing. */
export async function restorePaths(
  repository: Repository,
  changes: Changes,
  index: GitIndex,
  pathspec: Pathspec,
  options: RestoreOptions,
): Promise<number> {
  const { source, toIndex, toWorkTree, removesMissing, stage } = options
  const tree = await repository.workTree()
  const wanted = new Map<string, { readonly mode: number; readonly oid: ObjectId }>()
  if (source === undefined) {
    for (const entry of index.sorted())
      if (entry.stage === 0 && (!entry.isSkipped || options.ignoresSkipped === true)) wanted.set(entry.path, entry)
  } else
    for (const { path, after } of await diffTrees(repository, undefined, source, { isWanted: pathspec.filter }))
      if (after !== undefined) wanted.set(path, after)
  const isWhole = removesMissing && source !== undefined
  const conflicts = isWhole || source === undefined ? index.conflicts() : []
  const known = new Set([...wanted.keys(), ...(isWhole ? index.paths() : []), ...conflicts])
  const [missing] = pathspec.unmatched(known)
  if (missing !== undefined) throw failure(`pathspec '${missing}' did not match any file(s) known to git`)
  const unmerged = isWhole ? conflicts.filter(path => pathspec.matches(path) && !wanted.has(path)) : []
  if (unmerged.length > 0 && options.ignoreConflict === undefined)
    throw failure(unmerged.map(path => `path '${path}' is unmerged`).join('\nerror: '))
  for (const path of unmerged) {
    await options.ignoreConflict?.(path)
    // The source lacks the path, so the index loses it; its file stays.
    if (toIndex) index.remove(path)
  }
  const cleared = new Set<string>()
  let count = 0
  for (const path of known) {
    if (!pathspec.matches(path) || unmerged.includes(path)) continue
    const stages = source === undefined ? index.stages(path) : undefined
    if (stages === undefined && options.remake?.isResolved(path) === true)
      throw failure(`path '${path}' is resolved, and its conflict is not recorded`)
    if (stages !== undefined && options.remake !== undefined) {
      await options.remake.write(path, stages)
      count++
      continue
    }
    if (stages !== undefined) {
      const side = stage === undefined ? undefined : stages[stage - 1]
      if (side === undefined) {
        if (options.ignoreConflict !== undefined) {
          await options.ignoreConflict(path)
          continue
        }
        if (stage !== undefined && removesMissing) {
          await removeFile(repository, changes, path)
          continue
        }
        throw failure(
          stage === undefined
            ? `path '${path}' is unmerged`
            : `path '${path}' does not have ${stage === 2 ? 'our' : 'their'} version`,
        )
      }
      await tree.checkOut(changes, path, side.mode, side.oid, () => undefined)
      count++
      continue
    }
    const entry = wanted.get(path)
    if (entry === undefined) {
      if (toWorkTree && index.has(path)) await removeFile(repository, changes, path)
      if (toIndex) index.remove(path)
      count++
      continue
    }
    if (await restoreOne(repository, changes, index, path, entry, options, cleared)) count++
  }
  return count
}

async function removeFile(repository: Repository, changes: Changes, path: string): Promise<void> {
  const tree = await repository.workTree()
  if ((await tree.lstat(path)) !== undefined) changes.remove(tree.pathOf(path))
  const end = path.lastIndexOf('/')
  if (end !== -1) changes.removeEmptyDirectories(tree.pathOf(path.slice(0, end)), repository.root)
}

async function restoreOne(
  repository: Repository,
  changes: Changes,
  index: GitIndex,
  path: string,
  { mode, oid }: { readonly mode: number; readonly oid: ObjectId },
  { toIndex, toWorkTree, ignoresSkipped = false }: RestoreOptions,
  cleared: Set<string>,
): Promise<boolean> {
  const tree = await repository.workTree()
  const before = index.get(path)
  const fresh = newEntry(path, mode, oid)
  const isSameEntry = before?.oid === oid && before.mode === mode
  if (toIndex && !isSameEntry) index.set(fresh)
  if (!toWorkTree) return !isSameEntry
  const stat = await tree.lstat(path)
  // A file that is assumed unchanged is restored too.
  if (isSameEntry && stat !== undefined && ((before.isSkipped && !ignoresSkipped) || !(await tree.isEdited(before, stat, index))))
    return false
  if (stat?.kind === 'directory' && mode !== modes.submodule) changes.removeTree(tree.pathOf(path))
  await clearWay(repository, changes, path, cleared)
  await tree.checkOut(changes, path, mode, oid, written => {
    const entry = index.get(path)
    if (entry?.oid === oid) index.refresh({ ...entry, stat: indexStat(written) })
  })
  return true
}

/** Removes anything above the path that is not a directory. */
async function clearWay(repository: Repository, changes: Changes, path: string, cleared: Set<string>): Promise<void> {
  const tree = await repository.workTree()
  for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
    const above = path.slice(0, end)
    const kind = (await tree.lstat(above))?.kind
    if (kind === undefined) return
    if (kind !== 'directory') {
      if (!cleared.has(above)) changes.remove(tree.pathOf(above))
      cleared.add(above)
      return
    }
  }
}
