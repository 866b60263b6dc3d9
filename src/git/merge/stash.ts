// Makes stashes: local changes, kept as commits. The first parent is the commit that was checked out, the second holds the index, a third,
// if any, the untracked files.

import { subjectOf } from '../revs/subject.ts'
import type { GitCall } from '../call.ts'
import { mergeFiles } from '../../text/git-merge/merge-files.ts'
import { looksBinary } from '../diff/file-pair.ts'
import { GitFailure } from '../errors.ts'
import { type GitIndex, newEntry } from '../index/git-index.ts'
import { Changes, type Repository } from '../repository.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { isRegularMode, modes, type ObjectId, type Person } from '../store/object-format.ts'
import { findCleanable, holdsRepository } from '../work/cleanable.ts'
import type { Pathspec } from '../work/pathspec.ts'
import { listTree } from '../diff/tree-diff.ts'
import type { Version } from './tree-merge.ts'
import { treeWithChanges } from './tree-with-changes.ts'
import { refuseBehindLinks } from './behind-links.ts'
import { stagedPaths, unstagedPaths, updateWorkTree } from './update-work-tree.ts'
import { untrackedFiles } from './untracked.ts'
import { refuseConflicts, resetToHead } from './stash-steps.ts'
import { storeStash } from './stash-list.ts'

export interface StashPushOptions {
  readonly message: string | undefined
  readonly keepsIndex: boolean
  readonly untracked: 'none' | 'untracked' | 'all'
  readonly isStagedOnly: boolean
  readonly isQuiet: boolean
  /** `undefined`: everything. */
  readonly paths: Pathspec | undefined
  /** `-p`: the tree of what is chosen, given that of the last commit. Rejects if nothing is. */
  readonly choose?: (headTree: ObjectId) => Promise<ObjectId>
}

interface Saved {
  readonly oid: ObjectId
  readonly message: string
  readonly head: ObjectId
  readonly indexTree: ObjectId
  readonly untracked: readonly string[]
  readonly changed: readonly string[]
}

/** Makes the commits of a stash, without a reference yet; `undefined` if there is nothing to save. */
export async function createStash(
  call: GitCall,
  repository: Repository,
  index: GitIndex,
  options: StashPushOptions,
): Promise<Saved | undefined> {
  const { oid: head, branch } = await repository.head()
  if (head === undefined) throw new GitFailure(options.isQuiet ? '' : 'You do not have the initial commit yet', 1)
  await refuseConflicts(call, index)
  const headTree = await repository.treeOf(head)
  const isWanted = (path: string): boolean => options.paths?.matches(path) ?? true
  const staged = (await stagedPaths(repository, index, headTree)).filter(isWanted)
  const unstaged = options.isStagedOnly ? [] : (await unstagedPaths(repository, index)).filter(isWanted)
  if (!options.isStagedOnly) await refuseBehindLinks(repository, index, staged, 'stash')
  if (options.untracked === 'none')
    await refuseReplaced(repository, index, [...unstaged, ...staged.filter(path => !index.has(path))])
  const untracked =
    options.untracked === 'none' ? [] : (await untrackedFiles(repository, index, options.untracked === 'all')).filter(isWanted)
  if (staged.length + unstaged.length + untracked.length === 0) return undefined
  const name = branch === undefined ? '(no branch)' : branch.replace(/^refs\/heads\//, '')
  const on = `${name}: ${await new ShortIds(repository).of(head)} ${subjectOf((await repository.objects.readCommit(head)).message)}`
  const person = await identityOrGit(repository, 'committer')
  const author = await identityOrGit(repository, 'author')
  const commit = (tree: ObjectId, parents: readonly ObjectId[], message: string): Promise<ObjectId> =>
    repository.writeCommit({ tree, parents, author, committer: person, message })
  const indexTree = await repository.writeTree(index)
  const indexCommit = await commit(indexTree, [head], `index on ${on}\n`)
  if (!options.isStagedOnly) await refuseIntentToAdd(repository, index)
  const parents = [head, indexCommit]
  if (options.untracked !== 'none') {
    for (const path of untracked) if (path.endsWith('/')) await call.warn(`Ignoring path ${path}`)
    const files = await workTreeVersions(repository, index, withoutRepositories(untracked))
    parents.push(
      await commit(
        await treeWithChanges(repository, await repository.treeOf(undefined), files),
        [],
        `untracked files on ${on}\n`,
      ),
    )
  }
  const message = options.message === undefined ? `WIP on ${on}` : `On ${name}: ${options.message}`
  if (options.choose !== undefined) {
    const oid = await commit(await options.choose(headTree), parents, message)
    return { oid, message, head, indexTree, untracked, changed: [] }
  }
  // What was only removed from the index is still in the work tree.
  const untaken = options.isStagedOnly ? [] : staged.filter(path => !index.has(path))
  const versions = new Map(await workTreeVersions(repository, index, [...unstaged, ...untaken]))
  // Git considers what differs from the last commit: a new file that was removed again does not, and stays as it was staged.
  const committed = new Set((await listTree(repository, headTree)).map(({ path }) => path))
  for (const [path, version] of versions) if (version === undefined && !committed.has(path)) versions.delete(path)
  const tree = await treeWithChanges(repository, indexTree, versions)
  const oid = await commit(tree, parents, message)
  return { oid, message, head, indexTree, untracked, changed: [...new Set([...staged, ...unstaged])] }
}

function withoutRepositories(paths: readonly string[]): readonly string[] {
  return paths.filter(path => !path.endsWith('/'))
}

/** Without a configured identity a stash has git's own. */
async function identityOrGit(repository: Repository, role: 'author' | 'committer'): Promise<Person> {
  try {
    return await repository.identity(role)
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    return { ...(await repository.identity(role, false)), name: 'git stash', email: 'git@stash' }
  }
}

/** Something in place of a tracked file, or of a directory with tracked files, would be lost: a stash does not contain it. */
async function refuseReplaced(repository: Repository, index: GitIndex, paths: readonly string[]): Promise<void> {
  const tree = await repository.workTree()
  for (const path of paths) {
    const stat = await tree.lstat(path)
    if (stat?.kind === 'directory' && index.get(path)?.mode !== modes.submodule)
      throw replaced(path, 'a directory', 'a tracked file')
    for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
      const above = path.slice(0, end)
      const kind = (await tree.lstat(above))?.kind
      if (kind === undefined) break
      if (kind !== 'directory' && !index.has(above)) throw replaced(above, 'a file', 'a directory with tracked files')
    }
  }
}

function replaced(path: string, what: string, where: string): GitFailure {
  return new GitFailure(
    `error: '${path}' is ${what} in the place of ${where}, and a stash would lose it\nhint: use "git stash -u", or move it away\nCannot save the current worktree state`,
    1,
  )
}

/** The commit of the index lacks files from `add -N`, so git cannot keep their content. */
export async function refuseIntentToAdd(repository: Repository, index: GitIndex): Promise<void> {
  const tree = await repository.workTree()
  for (const { path, isIntentToAdd } of index.sorted()) {
    if (isIntentToAdd && (await tree.lstat(path)) !== undefined)
      throw new GitFailure(`error: Entry '${path}' not uptodate. Cannot merge.\nCannot save the current worktree state`, 1)
  }
}

async function workTreeVersions(
  repository: Repository,
  index: GitIndex,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Version | undefined>> {
  const tree = await repository.workTree()
  const versions = new Map<string, Version | undefined>()
  for (const path of paths) {
    const stat = await tree.lstat(path)
    const content = await tree.readForRepository(path, stat, index)
    if (stat === undefined || content === undefined) versions.set(path, undefined)
    else
      versions.set(path, {
        mode: tree.modeOf(stat, index.get(path)?.mode),
        oid: await repository.objects.write('blob', content.bytes),
      })
  }
  return versions
}

export async function pushStash(call: GitCall, repository: Repository, options: StashPushOptions): Promise<number> {
  const index = await repository.readIndex()
  const saved = await createStash(call, repository, index, options)
  if (saved === undefined) {
    if (options.isStagedOnly && (await unstagedPaths(repository, index)).length > 0)
      throw new GitFailure(options.isQuiet ? '' : 'No staged changes', 1)
    if (!options.isQuiet) await call.print('No local changes to save')
    return 0
  }
  const headFiles = await filesOf(repository, await repository.treeOf(saved.head))
  const mixed = options.isStagedOnly
    ? await withoutStaged(repository, index, headFiles, saved.changed)
    : new Map<string, Version>()
  const changes = new Changes()
  await storeStash(repository, changes, saved.oid, saved.message)
  if (options.untracked !== 'none' && options.paths === undefined) {
    // Git cleans the work tree, which also removes directories without files.
    const rules = repository.ignore([], options.untracked !== 'all')
    for (const path of await findCleanable(repository, index, { rules }))
      if (path.endsWith('/') && !(await holdsRepository(repository, path.slice(0, -1))))
        changes.removeDirectory(`${repository.root}/${path.slice(0, -1)}`)
  }
  const keepsStaged = options.isStagedOnly && options.keepsIndex
  const before = keepsStaged ? index.copy() : undefined
  const files = options.keepsIndex && !options.isStagedOnly ? await filesOf(repository, saved.indexTree) : headFiles
  const update = new Map<string, Version | undefined>()
  for (const path of withoutRepositories(saved.untracked)) update.set(path, undefined)
  // A file that was only removed from the index is in both, and is restored.
  for (const path of saved.changed) update.set(path, mixed.get(path) ?? files.get(path))
  await updateWorkTree(repository, index, changes, { changes: update, operation: 'reset', isForced: true })
  for (const path of mixed.keys()) {
    const file = headFiles.get(path)
    if (file !== undefined) index.set(newEntry(path, file.mode, file.oid))
  }
  // Only the files lose what was staged.
  for (const path of before === undefined ? [] : saved.changed) {
    const entry = before?.get(path)
    if (entry === undefined) index.remove(path)
    else index.set(newEntry(path, entry.mode, entry.oid))
  }
  if (options.paths === undefined && !keepsStaged) await resetToHead(repository, changes, saved.head)
  await repository.commit(changes, index)
  if (!options.isQuiet) await call.print(`Saved working directory and index state ${saved.message}`)
  return 0
}

async function filesOf(repository: Repository, tree: ObjectId): Promise<ReadonlyMap<string, Version>> {
  return new Map((await listTree(repository, tree)).map(({ path, mode, oid }) => [path, { mode, oid }]))
}

/** Files with more changes than the staged ones, reduced to those. Rejects if the two overlap. */
async function withoutStaged(
  repository: Repository,
  index: GitIndex,
  headFiles: ReadonlyMap<string, Version>,
  staged: readonly string[],
): Promise<ReadonlyMap<string, Version>> {
  const unstaged = new Set(await unstagedPaths(repository, index))
  const tree = await repository.workTree()
  const found = new Map<string, Version>()
  for (const path of staged) {
    const [entry, before] = [index.get(path), headFiles.get(path)]
    const stat = await tree.lstat(path)
    if (!unstaged.has(path) && (entry !== undefined || stat === undefined)) continue
    const version =
      entry === undefined || before === undefined || stat?.kind !== 'file' || entry.isIntentToAdd
        ? undefined
        : await takeOut(repository, index, path, { before, entry, mode: tree.modeOf(stat, entry.mode) })
    if (version === undefined) throw new GitFailure(`error: ${path}: patch does not apply\nCannot remove worktree changes`, 1)
    found.set(path, version)
  }
  return found
}

/** The file without the changes from `before` to `entry`; `undefined` if other changes overlap them. */
async function takeOut(
  repository: Repository,
  index: GitIndex,
  path: string,
  { before, entry, mode }: { readonly before: Version; readonly entry: Version; readonly mode: number },
): Promise<Version | undefined> {
  const isModeMixed = mode !== entry.mode && entry.mode !== before.mode
  if (isModeMixed || ![mode, entry.mode, before.mode].every(isRegularMode)) return undefined
  const tree = await repository.workTree()
  const work = await tree.readForRepository(path, await tree.lstat(path), index)
  const [staged, committed] = [await repository.objects.readBlob(entry.oid), await repository.objects.readBlob(before.oid)]
  if (work === undefined || [work.bytes, staged, committed].some(looksBinary)) return undefined
  const labels = { ours: 'work', base: 'staged', theirs: 'committed' }
  const { bytes, conflicts } = mergeFiles(staged, work.bytes, committed, { labels })
  if (conflicts > 0) return undefined
  return { mode: mode === entry.mode ? before.mode : mode, oid: await repository.objects.write('blob', bytes) }
}
