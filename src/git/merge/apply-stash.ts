// Brings the changes of a stash back, by a merge into the index and the work tree.

import type { GitCall } from '../call.ts'
import { Changes, type Repository } from '../repository.ts'
import { dropStash, type Stash } from './stash-list.ts'
import { refuseConflicts, resetToHead } from './stash-steps.ts'
import { compareText, type ObjectId } from '../store/object-format.ts'
import { failure, GitFailure } from '../errors.ts'
import { mergeTrees } from './merge-trees.ts'
import type { TreeMerge, Version } from './tree-merge.ts'
import { conflictStyle } from './replay.ts'
import { changesBetween } from './tree-with-changes.ts'
import { mergedTree, tellMerge } from './outcome.ts'
import { type GitIndex, newEntry } from '../index/git-index.ts'
import { updateWorkTree } from './update-work-tree.ts'

/** Merges a stash into the work tree. True if it is clean; if it would overwrite something, nothing is changed. */
export async function applyStash(
  call: GitCall,
  repository: Repository,
  stash: Stash,
  { restoresIndex, isDropped }: { readonly restoresIndex: boolean; readonly isDropped: boolean },
): Promise<boolean> {
  const index = await repository.readIndex()
  await refuseConflicts(call, index)
  const current = await repository.writeTree(index)
  const [baseTree, stashTree, stashIndexTree] = [
    await repository.treeOf(stash.base),
    await repository.treeOf(stash.oid),
    await repository.treeOf(stash.index),
  ]
  let indexTree: ObjectId | undefined
  if (restoresIndex && stashIndexTree !== baseTree && stashIndexTree !== current) {
    const { stagedLike } = await import('./staged-like.ts')
    indexTree = await stagedLike(call, repository, index, baseTree, stashIndexTree)
    if (indexTree === undefined) throw failure('conflicts in index. Try without --index.')
  }
  const labels = {
    ours: baseTree === current ? 'Version stash was based on' : 'Updated upstream',
    base: 'Stash base',
    theirs: 'Stashed changes',
  }
  const merge = await mergeTrees(
    repository,
    { base: baseTree, ours: current, theirs: stashTree },
    { labels, style: conflictStyle(repository), algorithm: 'myers' },
  )
  const before = index.copy()
  const { changes, refusal } = await planned(repository, index, merge)
  if (refusal !== undefined) await call.warn(refusal.message)
  // Untracked files are restored even if the rest is not, unless something is in their place.
  const unrestored = stash.untracked === undefined ? [] : await addUntracked(repository, index, changes, stash.untracked)
  const isMerged = merge.isClean && refusal === undefined
  const edited =
    isMerged && indexTree !== undefined
      ? await editedPath(repository, before, (await changesBetween(repository, current, indexTree)).keys(), merge.changes)
      : undefined
  if (edited !== undefined) await call.warn(`error: Entry '${edited}' not uptodate. Cannot merge.`)
  const isClean = isMerged && edited === undefined
  if (indexTree !== undefined) {
    const { oid: head } = await repository.head()
    if (head !== undefined) await resetToHead(repository, changes, head)
  }
  if (isClean) await unstage(repository, index, { before, paths: merge.changes, indexTree, current })
  // In one commit of files, so that it is never both restored and still in the list.
  if (isDropped && isClean && unrestored.length === 0 && stash.number !== undefined)
    await dropStash(repository, changes, stash.number)
  if (refusal === undefined) repository.writeState(changes, 'AUTO_MERGE', `${await mergedTree(repository, current, merge)}\n`)
  await repository.commit(changes, refusal === undefined ? index : undefined)
  if (stashTree === baseTree && refusal === undefined) await call.print('Already up to date.')
  if (refusal === undefined) await tellMerge(call, merge)
  for (const reason of unrestored) await call.warn(reason)
  if (unrestored.length > 0) await call.warn('error: could not restore untracked files from stash')
  return isClean && unrestored.length === 0
}

/** The merge's changes to work tree and index; none if they would overwrite something. */
async function planned(
  repository: Repository,
  index: GitIndex,
  merge: TreeMerge,
): Promise<{ readonly changes: Changes; readonly refusal: GitFailure | undefined }> {
  const changes = new Changes()
  // To git they are staged, and no merge begins.
  const announced = index.sorted().filter(entry => entry.isIntentToAdd)
  if (announced.length > 0) {
    const paths = announced.map(({ path }) => path).join(' ')
    return { changes, refusal: failure(`Your local changes to the following files would be overwritten by merge:\n  ${paths}`) }
  }
  try {
    await updateWorkTree(repository, index, changes, { changes: merge.changes, conflicts: merge.conflicts, operation: 'merge' })
    return { changes, refusal: undefined }
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    return { changes: new Changes(), refusal: error }
  }
}

/** The first of the `staged` paths with an edit that the merge did not make: as in git, the index cannot be restored then. */
async function editedPath(
  repository: Repository,
  index: GitIndex,
  staged: Iterable<string>,
  merged: ReadonlyMap<string, Version | undefined>,
): Promise<string | undefined> {
  const tree = await repository.workTree()
  for (const path of [...staged].sort(compareText)) {
    const entry = merged.has(path) ? undefined : index.get(path)
    if (entry === undefined) continue
    if (await tree.isEdited(entry, await tree.lstat(path), index)) return path
  }
  return undefined
}

/** Returns why files could not be restored. */
async function addUntracked(
  repository: Repository,
  index: GitIndex,
  changes: Changes,
  commit: ObjectId,
): Promise<readonly string[]> {
  const tree = await repository.workTree()
  const refused: string[] = []
  const update = new Map<string, Version | undefined>()
  const instead = new Map<string, Version | undefined>()
  for (const [path, version] of await changesBetween(repository, undefined, await repository.treeOf(commit))) {
    const above = directoriesAbove(path).find(directory => index.has(directory))
    const stat = await tree.lstat(path)
    const { removed, kept } = stat?.kind === 'directory' ? await countBelow(repository, changes, path) : { removed: 0, kept: 0 }
    if (above !== undefined) refused.push(`fatal: cannot create directory at '${above}': File exists`)
    else if (removed > 0 && kept === 0 && !index.directories().has(path)) instead.set(path, version)
    else if (index.has(path) || (stat !== undefined && !changes.isRemoved(tree.pathOf(path))))
      refused.push(`${path} already exists, no checkout`)
    else if (directoriesAbove(path).some(directory => changes.isRemoved(tree.pathOf(directory)))) instead.set(path, version)
    else update.set(path, version)
  }
  await updateWorkTree(repository, index, changes, { changes: update, operation: 'merge' })
  // What stands in their place is removed by the same changes.
  await updateWorkTree(repository, index, changes, { changes: instead, operation: 'merge', isForced: true })
  for (const path of [...update.keys(), ...instead.keys()]) index.remove(path)
  return [...new Set(refused)]
}

function directoriesAbove(path: string): readonly string[] {
  return [...path.matchAll(/\//g)].map(({ index: end }) => path.slice(0, end))
}

/** How many files below a directory the changes remove, and how many they leave. */
async function countBelow(
  repository: Repository,
  changes: Changes,
  directory: string,
): Promise<{ readonly removed: number; readonly kept: number }> {
  let [removed, kept] = [0, 0]
  for (const { name, kind } of await repository.files.list(`${repository.root}/${directory}`)) {
    const path = `${directory}/${name}`
    if (kind === 'directory') {
      const below = await countBelow(repository, changes, path)
      removed += below.removed
      kept += below.kept
    } else if (changes.isRemoved(`${repository.root}/${path}`)) removed++
    else kept++
  }
  return { removed, kept }
}

/** The index as it was before, except for new files; with `indexTree`, as it is in the stash. */
async function unstage(
  repository: Repository,
  index: GitIndex,
  plan: {
    readonly before: GitIndex
    readonly paths: ReadonlyMap<string, Version | undefined>
    readonly indexTree: ObjectId | undefined
    readonly current: ObjectId
  },
): Promise<void> {
  const { before, paths, indexTree, current } = plan
  if (indexTree !== undefined) {
    for (const [path, entry] of [...paths.keys()].map(path => [path, before.get(path)] as const)) {
      if (entry === undefined) index.remove(path)
      else index.set(entry)
    }
    for (const [path, version] of await changesBetween(repository, current, indexTree)) {
      if (version === undefined) index.remove(path)
      else index.set(newEntry(path, version.mode, version.oid))
    }
    return
  }
  for (const path of paths.keys()) {
    const entry = before.get(path)
    if (entry !== undefined) index.set(entry)
  }
}
