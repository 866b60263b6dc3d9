// Visits the files below a directory as find and search do: it obeys ignore files, skips heavy directories, has a limit, and reports where
// it stopped. Ignore rules are git's and come from inside the workspace only.

import { nextTurn } from '../core/pause.ts'
import { childPath, joinPath, type VfsPath } from '../core/path.ts'
import { emptyIgnore, isIgnored, pushIgnore, withoutPriority, type IgnoreStack } from '../search/ignore.ts'
import type { Dirent, EntryKind } from '../vfs/backend.ts'
import { type FileReader, readDirectoryIfThere, readFileIfThere } from './if-there.ts'
import { listAtOnce } from './search-bytes.ts'

import { isOnlyForTools, mayHoldToolDirectory } from './tool-directories.ts'

/** An abort must take effect within 50 ms. */
const pauseEveryMs = 25
/** Names whose content or presence decides what is ignored. */
const ignoreNames: ReadonlySet<string> = new Set(['.git', '.gitignore', '.ignore'])

export interface ListedEntry {
  readonly path: VfsPath
  /** Relative to the directory where the listing started. */
  readonly relative: string
  readonly kind: EntryKind
}

export interface ListOptions {
  readonly vfs: FileReader
  /** The workspace's root: ignore files above it do not count. */
  readonly root: VfsPath
  /** Where to start; inside the root. */
  readonly base: VfsPath
  readonly hidden: boolean
  readonly gitignore: boolean
  /** `.git` is always skipped, and `node_modules` unless it was requested. */
  readonly includeNodeModules: boolean
  /** Further directories that are neither reported nor entered, by their path from the root. */
  readonly skipDirectory?: (fromRoot: string, name: string) => boolean
  readonly signal: AbortSignal
  readonly clock: () => number
  /** In the time of `clock`. */
  readonly deadlineMs: number
  readonly maxEntries: number
}

export type ListOutcome =
  | { readonly kind: 'complete' }
  /** The visitor ended the listing. */
  | { readonly kind: 'stopped' }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'too-many-entries'; readonly limit: number }

type Visitor = (entry: ListedEntry, dirent: Dirent) => boolean | Promise<boolean>

interface PendingDirectory {
  readonly path: VfsPath
  readonly relative: string
  readonly ignore: IgnoreStack
}

/** Calls `visit` for every entry, by name, a directory's files before its subdirectories; `false` ends the listing. */
export async function listFiles(options: ListOptions, visit: Visitor): Promise<ListOutcome> {
  const { vfs, base, signal } = options
  let lastPauseMs = performance.now()
  const walk = new Walk(options, visit)
  const { pending } = walk
  pending.push({ path: base, relative: '', ignore: options.gitignore ? await inheritedIgnore(options) : emptyIgnore })
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    if (performance.now() - lastPauseMs > pauseEveryMs) {
      await nextTurn()
      lastPauseMs = performance.now()
    }
    signal.throwIfAborted()
    if (options.clock() > options.deadlineMs) return { kind: 'timed-out' }
    // Awaiting available data would take most of the time of a listing.
    const entries =
      vfs.sync === undefined ? await readDirectoryIfThere(vfs, directory.path) : listAtOnce(vfs.sync, directory.path)
    const fromRoot = relativeTo(directory.path, options.root)
    const ignore =
      options.gitignore && entries.some(({ name }) => ignoreNames.has(name))
        ? await withIgnoreFiles(vfs, directory.ignore, directory.path, fromRoot, entries)
        : directory.ignore
    const firstPending = pending.length
    walk.enter({ ...directory, ignore }, fromRoot, entries)
    for (let wait = walk.visitEntries(); wait !== undefined; wait = walk.visitEntries()) await wait
    if (walk.outcome !== undefined) return walk.outcome
    // Reversed, because the last entry is taken first.
    if (pending.length - firstPending > 1) pending.push(...pending.splice(firstPending).reverse())
  }
  return { kind: 'complete' }
}

/** The entries of one directory after the other. Without `await`, because an engine is slow to compile a loop that awaits. */
class Walk {
  readonly pending: PendingDirectory[] = []
  outcome: ListOutcome | undefined
  readonly #options: ListOptions
  readonly #visit: Visitor
  #directory: PendingDirectory
  #fromRoot = ''
  #entries: readonly Dirent[] = []
  #next = 0
  #visited = 0

  constructor(options: ListOptions, visit: Visitor) {
    this.#options = options
    this.#visit = visit
    this.#directory = { path: options.base, relative: '', ignore: emptyIgnore }
  }

  enter(directory: PendingDirectory, fromRoot: string, entries: readonly Dirent[]): void {
    this.#directory = directory
    this.#fromRoot = fromRoot
    this.#entries = filesFirst(entries)
    this.#next = 0
  }

  /** Goes on until it must wait, and returns what for; `undefined` at the end, or with an outcome. */
  visitEntries(): Promise<void> | undefined {
    const { hidden, includeNodeModules, maxEntries } = this.#options
    while (this.#next < this.#entries.length && this.outcome === undefined) {
      const dirent = this.#entries[this.#next++]
      if (dirent === undefined) break
      const { name, kind } = dirent
      if (++this.#visited > maxEntries) {
        this.outcome = { kind: 'too-many-entries', limit: maxEntries }
        break
      }
      // In a worktree or a submodule `.git` is a file.
      if (name === '.git' || (!hidden && name.startsWith('.'))) continue
      if (kind === 'directory' && name === 'node_modules' && !includeNodeModules) continue
      const path = childPath(this.#directory.path, name)
      const wait = kind === 'directory' ? this.#visitDirectory(path, dirent) : this.#visitEntry(path, dirent)
      if (wait !== undefined) return wait
    }
    return undefined
  }

  #visitDirectory(path: VfsPath, dirent: Dirent): Promise<void> | undefined {
    const { vfs, skipDirectory } = this.#options
    const place = below(this.#fromRoot, dirent.name)
    const enter = (): Promise<void> | undefined =>
      skipDirectory?.(place, dirent.name) === true ? undefined : this.#visitEntry(path, dirent)
    if (!place.startsWith('.') || !mayHoldToolDirectory(place)) return enter()
    return isOnlyForTools(vfs, path, place).then(isForTools => (isForTools ? undefined : enter()))
  }

  #visitEntry(path: VfsPath, dirent: Dirent): Promise<void> | undefined {
    const { name, kind } = dirent
    const { ignore } = this.#directory
    if (ignore.length > 0 && isIgnored(ignore, below(this.#fromRoot, name), kind === 'directory')) return undefined
    const relative = below(this.#directory.relative, name)
    const after = (goesOn: boolean): void => {
      if (!goesOn) this.outcome = { kind: 'stopped' }
      else if (kind === 'directory') this.pending.push({ path, relative, ignore })
    }
    const goesOn = this.#visit({ path, relative, kind }, dirent)
    if (typeof goesOn !== 'boolean') return goesOn.then(after)
    if (!goesOn || kind === 'directory') after(goesOn)
    return undefined
  }
}

/** The rules from the root down to `base`, without those that would hide `base`: a directory that is named explicitly is listed. */
async function inheritedIgnore({ vfs, root, base }: ListOptions): Promise<IgnoreStack> {
  let ignore = emptyIgnore
  let directory = root
  for (const name of relativeTo(base, root).split('/').filter(Boolean)) {
    ignore = await withIgnoreFiles(
      vfs,
      ignore,
      directory,
      relativeTo(directory, root),
      await readDirectoryIfThere(vfs, directory),
    )
    directory = joinPath(directory, name)
    if (isIgnored(ignore, relativeTo(directory, root), true)) ignore = emptyIgnore
  }
  return ignore
}

async function withIgnoreFiles(
  vfs: FileReader,
  ignore: IgnoreStack,
  directory: VfsPath,
  fromRoot: string,
  entries: readonly Dirent[],
): Promise<IgnoreStack> {
  let stack = ignore
  // The ignore rules of a repository do not apply in a repository inside it.
  const git = fromRoot === '' ? undefined : entries.find(entry => entry.name === '.git')
  if (git !== undefined) stack = withoutPriority(stack, 0)
  const hasExclude = entries.some(entry => entry.name === '.git' && entry.kind === 'directory')
  const exclude = hasExclude ? await readFileIfThere(vfs, joinPath(directory, '.git', 'info', 'exclude')) : undefined
  // Every .gitignore of the repository overrides it.
  if (exclude !== undefined) stack = pushIgnore(stack, fromRoot, decoder.decode(exclude), -1)
  // `.ignore` overrides any `.gitignore`, also a deeper one, as in ripgrep.
  for (const name of ['.gitignore', '.ignore']) {
    if (!entries.some(entry => entry.name === name && entry.kind === 'file')) continue
    const bytes = await readFileIfThere(vfs, joinPath(directory, name))
    if (bytes !== undefined) stack = pushIgnore(stack, fromRoot, decoder.decode(bytes), name === '.ignore' ? 1 : 0)
  }
  return stack
}

// Ignore files are read as git reads them: bytes that are not UTF-8 match nothing, and do not make a search fail.
const decoder = new TextDecoder('utf-8', { fatal: false })

/** Listings are sorted by name, and stay so. */
function filesFirst(entries: readonly Dirent[]): readonly Dirent[] {
  const directories = entries.filter(entry => entry.kind === 'directory')
  if (directories.length === 0) return entries
  return [...entries.filter(entry => entry.kind !== 'directory'), ...directories]
}

function below(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`
}

function relativeTo(path: VfsPath, root: VfsPath): string {
  if (path === root) return ''
  return root === '/' ? path.slice(1) : path.slice(root.length + 1)
}
