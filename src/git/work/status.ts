// The differences between HEAD, index and work tree, and the untracked paths.

import { ignoredOf, type SubmoduleIgnore } from './submodule-dirt.ts'
import { submoduleHead } from './submodule-head.ts'
import { createPauser } from '../../core/pause.ts'
import { type FilePair, pairOf } from '../diff/file-pair.ts'
import { findRenames } from '../diff/renames.ts'
import { type FileChange, type FileSide, sortChanges } from '../diff/tree-diff.ts'
import type { GitIndex, IndexEntry } from '../index/git-index.ts'
import type { Repository } from '../repository.ts'
import { compareText, modes, type ObjectId, zeroId } from '../store/object-format.ts'
import type { WorkTreeIgnore } from './ignore-rules.ts'
import type { Pathspec } from './pathspec.ts'
import type { SeenFiles } from './seen-files.ts'

/** Compares the index with a tree. Conflicts have no sides. */
export async function diffIndexToTree(
  repository: Repository,
  index: GitIndex,
  tree: ObjectId | undefined,
  isWanted?: (path: string, isDirectory: boolean) => boolean,
): Promise<readonly FileChange[]> {
  if (index.tree?.isValid && index.tree.oid === tree && !index.hasConflicts) return []
  const inTree = new Map<string, FileSide>()
  const changes: FileChange[] = []
  // Skips directories whose tree is the same in index and commit.
  const shared = new Set<string>()
  const walk = async (oid: ObjectId, prefix: string, cached: GitIndex['tree']): Promise<void> => {
    if (cached?.isValid && cached.oid === oid && !index.hasConflicts) {
      shared.add(prefix)
      return
    }
    for (const entry of await repository.objects.readTree(oid)) {
      const path = prefix + entry.name
      if (entry.mode !== modes.tree) inTree.set(path, entry)
      else if (isWanted === undefined || isWanted(path, true)) await walk(entry.oid, `${path}/`, cached?.children.get(entry.name))
    }
  }
  if (tree !== undefined) await walk(tree, '', index.tree)
  const isShared = (path: string): boolean => {
    if (shared.size === 0) return false
    for (let end = path.lastIndexOf('/'); end !== -1; end = path.lastIndexOf('/', end - 1)) {
      if (shared.has(path.slice(0, end + 1))) return true
      if (end === 0) break
    }
    return shared.has('')
  }
  for (const entry of index.sorted()) {
    if (isWanted !== undefined && !isWanted(entry.path, false)) {
      inTree.delete(entry.path)
      continue
    }
    if (entry.stage !== 0) {
      const before = inTree.get(entry.path)
      inTree.delete(entry.path)
      if (changes.at(-1)?.path !== entry.path)
        changes.push({ path: entry.path, before: undefined, after: undefined, unmerged: { before, after: undefined } })
      continue
    }
    if (entry.isIntentToAdd || isShared(entry.path)) continue
    const before = inTree.get(entry.path)
    inTree.delete(entry.path)
    if (before?.oid === entry.oid && before.mode === entry.mode) continue
    changes.push({
      path: entry.path,
      before: before === undefined ? undefined : { mode: before.mode, oid: before.oid },
      after: { mode: entry.mode, oid: entry.oid },
    })
  }
  for (const [path, { mode, oid }] of inTree) {
    if (isWanted === undefined || isWanted(path, false)) changes.push({ path, before: { mode, oid }, after: undefined })
  }
  return sortChanges(changes)
}

export interface WorkTreeDiff {
  readonly changes: readonly FileChange[]
  /** Entries with outdated stats and equal content; updating the index with them avoids reading the files again. */
  readonly refreshed: readonly IndexEntry[]
}

/** Compares the work tree with the index. A conflict is a change without sides, and also one between `ours` and the file, if that exists. */
export async function diffWorkTree(
  repository: Repository,
  index: GitIndex,
  isWanted?: (path: string) => boolean,
  /** Without it, only the commit that is checked out in a submodule counts. */
  submodules?: SubmoduleIgnore,
): Promise<WorkTreeDiff> {
  const tree = await repository.workTree()
  const changes: FileChange[] = []
  const refreshed: IndexEntry[] = []
  const pause = createPauser()
  let lastConflict = ''
  const seen = await repository.seenFiles()
  for (const entry of index.sorted()) {
    if (seen?.isSame(entry)) continue
    if (isWanted !== undefined && !isWanted(entry.path)) continue
    if (entry.stage !== 0) {
      if (entry.path !== lastConflict) changes.push({ path: entry.path, before: undefined, after: undefined })
      lastConflict = entry.path
      continue
    }
    const waiting = pause()
    if (waiting !== undefined) await waiting
    const changeCount = seen?.changeCount ?? 0
    const lookup = tree.lstat(entry.path)
    const stat = lookup instanceof Promise ? await lookup : lookup
    if (
      stat !== undefined &&
      stat.kind !== 'directory' &&
      !entry.isIntentToAdd &&
      tree.isUnchanged(entry, stat, index.writtenMs)
    ) {
      // The filter may depend on a file with another name.
      if (stat.nlink === 1) seen?.keepSame(entry, changeCount)
      continue
    }
    const compared = await tree.compare(entry, stat, index)
    if (compared.kind === 'same' && entry.mode === modes.submodule && stat !== undefined) {
      const after = await submoduleSide(repository, entry, submodules)
      if (after !== undefined) changes.push({ path: entry.path, before: { mode: entry.mode, oid: entry.oid }, after })
      continue
    }
    if (compared.kind === 'same') {
      if (compared.refreshed !== undefined) refreshed.push(compared.refreshed)
      continue
    }
    const before = entry.isIntentToAdd ? undefined : { mode: entry.mode, oid: entry.oid }
    if (compared.kind === 'deleted' || stat === undefined) {
      if (!entry.isIntentToAdd || before !== undefined)
        changes.push({ path: entry.path, before: before ?? { mode: entry.mode, oid: entry.oid }, after: undefined })
      else changes.push({ path: entry.path, before: { mode: entry.mode, oid: entry.oid }, after: undefined })
      continue
    }
    const oid = (await tree.hash(entry.path, stat, index)) ?? zeroId
    changes.push({ path: entry.path, before, after: { mode: tree.modeOf(stat, entry.mode), oid, isWorkTree: true } })
  }
  return { changes, refreshed }
}

/** Nothing if the submodule is as in the index. */
async function submoduleSide(
  repository: Repository,
  { path, mode, oid }: IndexEntry,
  submodules: SubmoduleIgnore | undefined,
): Promise<FileSide | undefined> {
  const head = await submoduleHead(repository, path)
  if (head === undefined) return undefined
  const moved = head === oid ? undefined : { mode, oid: head, isWorkTree: true }
  if (submodules === undefined) return moved
  const { dirtOf } = await import('./submodule-inside.ts')
  const ignored = await ignoredOf(repository, path, submodules)
  if (ignored === 'all') return undefined
  const dirt = ignored === 'dirty' ? undefined : await dirtOf(repository, path, ignored)
  return dirt === undefined ? moved : { ...(moved ?? { mode, oid }), dirt }
}

export type UntrackedMode = 'no' | 'normal' | 'all'

export interface UntrackedOptions {
  readonly mode: UntrackedMode
  readonly pathspec?: Pathspec | undefined
  readonly ignore: WorkTreeIgnore
  /** Includes ignored paths: `traditional` reports a directory as one row, `matching` only what matches itself. */
  readonly ignored?: 'no' | 'traditional' | 'matching'
  /** Includes directories without files, as `git clean` needs them. */
  readonly showsEmpty?: boolean
  /** Looks into directories that took the place of a tracked file, as `git add` needs it. */
  readonly entersReplaced?: boolean
}

export interface Untracked {
  /** Directories end in '/'. */
  readonly untracked: readonly string[]
  readonly ignored: readonly string[]
}

/** The untracked paths of the work tree. */
export async function findUntracked(repository: Repository, index: GitIndex, options: UntrackedOptions): Promise<Untracked> {
  const finder = new UntrackedFinder(repository, index, options, await repository.seenFiles())
  if (options.mode !== 'no' || (options.ignored ?? 'no') !== 'no') await finder.walk('')
  return { untracked: finder.untracked.sort(compareText), ignored: finder.ignored.sort(compareText) }
}

class UntrackedFinder {
  readonly untracked: string[] = []
  readonly ignored: string[] = []
  readonly #repository: Repository
  readonly #tracked: GitIndex
  readonly #trackedDirectories: ReadonlySet<string>
  readonly #seen: SeenFiles | undefined
  readonly #options: UntrackedOptions
  readonly #pause = createPauser()

  constructor(repository: Repository, index: GitIndex, options: UntrackedOptions, seen: SeenFiles | undefined) {
    this.#repository = repository
    this.#options = options
    this.#tracked = index
    this.#trackedDirectories = index.directories()
    this.#seen = seen
  }

  async walk(directory: string): Promise<void> {
    const waiting = this.#pause()
    if (waiting !== undefined) await waiting
    const seen = this.#seen
    for (const path of seen?.rowsOf(directory, this.#tracked.tracked) ?? (await this.#list(directory))) {
      if (!path.endsWith('/')) await this.#file(path)
      else await this.#directory(path.slice(0, -1))
    }
  }

  /** The untracked entries of a directory; directories end in a slash. */
  async #list(directory: string): Promise<readonly string[]> {
    const { files, root } = this.#repository
    const prefix = directory === '' ? '' : `${directory}/`
    const changeCount = this.#seen?.changeCount ?? 0
    const rows: string[] = []
    for (const { name, kind } of await files.list(directory === '' ? root : `${root}/${directory}`)) {
      if (name === '.git') continue
      if (kind === 'directory') rows.push(`${prefix}${name}/`)
      else if (!this.#tracked.has(prefix + name)) rows.push(prefix + name)
    }
    this.#seen?.keepRows(directory, this.#tracked.tracked, rows, changeCount)
    return rows
  }

  async #file(path: string): Promise<void> {
    const { pathspec, ignore, mode } = this.#options
    if (pathspec !== undefined && !pathspec.matches(path)) return
    if (await ignore.isIgnoredHere(path, false)) {
      if ((this.#options.ignored ?? 'no') !== 'no') this.ignored.push(path)
    } else if (mode !== 'no') this.untracked.push(path)
  }

  async #directory(path: string): Promise<void> {
    const { pathspec, ignore, mode, ignored = 'no', showsEmpty = false, entersReplaced } = this.#options
    if (this.#tracked.has(path) && (entersReplaced !== true || this.#tracked.get(path)?.mode === modes.submodule)) return
    if (pathspec !== undefined && !pathspec.mayMatchBelow(path)) return
    const isTracked = this.#trackedDirectories.has(path)
    if (await ignore.isIgnoredHere(path, true)) {
      if (!isTracked) {
        if (ignored === 'no') return
        if (mode !== 'all' || ignored === 'matching') {
          if (await this.#holdsFiles(path)) this.ignored.push(`${path}/`)
        } else await this.#allBelow(path, this.ignored)
        return
      }
      // It contains tracked files, and all others in it are ignored.
      if (ignored !== 'no') await this.#ignoredBelow(path)
      return
    }
    if (isTracked) {
      await this.walk(path)
      return
    }
    if (await this.#isRepository(path)) {
      if (mode !== 'no' && (pathspec === undefined || pathspec.matches(path, true))) this.untracked.push(`${path}/`)
      return
    }
    const before = this.untracked.length
    const ignoredBefore = this.ignored.length
    await this.walk(path)
    if (mode === 'all') return
    const hasUntracked = this.untracked.length > before
    // One row for a directory that is selected as a whole.
    if ((hasUntracked || showsEmpty) && (pathspec === undefined || pathspec.isEmpty || pathspec.matches(path, true))) {
      this.untracked.splice(before, this.untracked.length - before, `${path}/`)
    }
    if (!hasUntracked && this.ignored.length > ignoredBefore && (pathspec === undefined || pathspec.matches(path, true))) {
      if (ignored === 'traditional') this.ignored.splice(ignoredBefore, this.ignored.length - ignoredBefore, `${path}/`)
    }
  }

  async #ignoredBelow(directory: string): Promise<void> {
    const { files, root } = this.#repository
    for (const { name, kind } of await files.list(`${root}/${directory}`)) {
      const path = `${directory}/${name}`
      if (kind !== 'directory') {
        if (!this.#tracked.has(path)) this.ignored.push(path)
      } else if (this.#trackedDirectories.has(path)) await this.#ignoredBelow(path)
      else if (await this.#holdsFiles(path)) this.ignored.push(`${path}/`)
    }
  }

  async #allBelow(directory: string, into: string[]): Promise<void> {
    const { files, root } = this.#repository
    for (const { name, kind } of await files.list(`${root}/${directory}`)) {
      if (name === '.git') continue
      if (kind === 'directory') await this.#allBelow(`${directory}/${name}`, into)
      else into.push(`${directory}/${name}`)
    }
  }

  async #holdsFiles(directory: string): Promise<boolean> {
    const { files, root } = this.#repository
    for (const { name, kind } of await files.list(`${root}/${directory}`)) {
      if (kind !== 'directory' || (await this.#holdsFiles(`${directory}/${name}`))) return true
    }
    return false
  }

  async #isRepository(directory: string): Promise<boolean> {
    const { files, root } = this.#repository
    return files.isFile(`${root}/${directory}/.git/HEAD`)
  }
}

/** The status of one path: the index compared with HEAD, and the work tree compared with the index. */
export interface StatusRow {
  readonly path: string
  readonly staged: FilePair | undefined
  readonly unstaged: FilePair | undefined
  /** For a conflict: the stages that exist, as `DD AU UD UA DU AA UU`. */
  readonly conflict: string | undefined
}

export interface Status {
  readonly rows: readonly StatusRow[]
  readonly untracked: readonly string[]
  readonly ignored: readonly string[]
  readonly refreshed: readonly IndexEntry[]
}

export interface StatusOptions {
  readonly untracked: UntrackedMode
  readonly ignored?: 'no' | 'traditional' | 'matching'
  readonly pathspec?: Pathspec | undefined
  readonly renames?: boolean
  readonly minimumPercent?: number
  readonly submodules?: SubmoduleIgnore
}

/** The whole status of the work tree. `head`: the commit to compare it with. */
export async function readStatus(
  repository: Repository,
  index: GitIndex,
  head: ObjectId | undefined,
  options: StatusOptions,
): Promise<Status> {
  const { pathspec, renames = true, minimumPercent = 50 } = options
  const submodules = options.submodules ?? { given: undefined, otherwise: options.untracked === 'no' ? 'untracked' : 'none' }
  const hidesSubmodules = submodules.given === 'all'
  const filter = pathspec?.isEmpty === false ? pathspec.filter : undefined
  const tree = head === undefined ? undefined : await repository.treeOf(head)
  const rename = (changes: readonly FileChange[]): Promise<readonly FilePair[]> | readonly FilePair[] => {
    const isShown = ({ before, after }: FileChange): boolean =>
      (before !== undefined || after !== undefined) &&
      !(hidesSubmodules && (before ?? after)?.mode === modes.submodule && (after ?? before)?.mode === modes.submodule)
    const pairs = changes.filter(isShown).map(pairOf)
    return renames ? findRenames(repository, pairs, { minimumPercent, copies: 'none', limit: 1000 }) : pairs
  }
  const staged = await rename(await diffIndexToTree(repository, index, tree, filter))
  const found = await diffWorkTree(repository, index, filter === undefined ? undefined : path => filter(path, false), submodules)
  const unstaged = await rename(found.changes)
  const rows = new Map<
    string,
    { path: string; staged: FilePair | undefined; unstaged: FilePair | undefined; conflict: string | undefined }
  >()
  const rowOf = (path: string): NonNullable<ReturnType<typeof rows.get>> => {
    const known = rows.get(path)
    if (known !== undefined) return known
    const row = { path, staged: undefined, unstaged: undefined, conflict: undefined }
    rows.set(path, row)
    return row
  }
  for (const pair of staged) rowOf(pair.path).staged = pair
  for (const pair of unstaged) rowOf(pair.path).unstaged = pair
  for (const path of index.conflicts()) {
    if (filter !== undefined && !filter(path, false)) continue
    const row = rowOf(path)
    row.conflict = conflictCode(index, path)
    row.staged = undefined
    row.unstaged = undefined
  }
  const others =
    options.untracked === 'no' && (options.ignored ?? 'no') === 'no'
      ? { untracked: [], ignored: [] }
      : await findUntracked(repository, index, {
          mode: options.untracked,
          ignored: options.ignored ?? 'no',
          pathspec: pathspec?.isEmpty === false ? pathspec : undefined,
          ignore: repository.ignore(),
        })
  return { rows: [...rows.values()].sort((a, b) => compareText(a.path, b.path)), ...others, refreshed: found.refreshed }
}

function conflictCode(index: GitIndex, path: string): string {
  const [base, ours, theirs] = (index.stages(path) ?? []).map(entry => entry !== undefined)
  if (base) return ours ? (theirs ? 'UU' : 'UD') : theirs ? 'DU' : 'DD'
  return ours ? (theirs ? 'AA' : 'AU') : 'UA'
}
