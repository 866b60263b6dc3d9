// Lists the files below a directory for find and search. It applies ignore files, skips directories such as node_modules, has a
// limit, and reports where it stopped. The rules are those of git, and only ignore files inside the workspace count.

import { nextTurn } from '../core/pause.ts'
import { joinPath, type VfsPath } from '../core/path.ts'
import { emptyIgnore, isIgnored, pushIgnore, withoutPriority, type IgnoreStack } from '../search/ignore.ts'
import type { Dirent, EntryKind } from '../vfs/backend.ts'
import { ifThereLater, isVfsError } from '../vfs/error.ts'
import { type FileReader, readDirectoryIfThere, readFileIfThere } from './if-there.ts'
import { listAtOnce } from './search-bytes.ts'

import { isOnlyForTools, mayHoldToolDirectory } from './tool-directories.ts'

/** An abort must take effect within 50 ms. */
const pauseEveryMs = 25
/** Names of entries that determine what is ignored. */
const ignoreNames: ReadonlySet<string> = new Set(['.git', '.gitignore', '.ignore'])

export interface ListedEntry {
  readonly path: VfsPath
  /** Relative to the directory where the listing started. */
  readonly relative: string
  readonly kind: EntryKind
}

export interface ListOptions {
  readonly vfs: FileReader
  /** The workspace's root. Ignore files above it are not read. */
  readonly root: VfsPath
  /** The directory to start in, inside the root. */
  readonly base: VfsPath
  readonly hidden: boolean
  readonly gitignore: boolean
  /** `.git` is always skipped, and `node_modules` unless it was requested. */
  readonly includeNodeModules: boolean
  /** Files that are listed although a rule ignores them or their name is hidden, by their path from `base`. */
  readonly overrides?: ((relative: string) => boolean) | undefined
  /** Further directories that are neither reported nor entered, by their path from the root. */
  readonly skipDirectory?: (fromRoot: string, name: string) => boolean
  /** Receives each directory that the filesystem refuses to list, which is then passed over; '' is the base. */
  readonly onUnreadable: (relative: string) => void
  readonly signal: AbortSignal
  readonly clock: () => number
  /** In the units of `clock`. */
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

/** Calls `visit` for every entry, sorted by name, with the files of a directory before its subdirectories. `false` ends the listing. */
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
    // Awaiting a value that is available would take most of the time of a listing.
    let entries: readonly Dirent[]
    try {
      entries = vfs.sync === undefined ? await readDirectoryIfThere(vfs, directory.path) : listAtOnce(vfs.sync, directory.path)
    } catch (error) {
      if (!isVfsError(error, 'EACCES', 'EPERM', 'EIO')) throw error
      options.onUnreadable(directory.relative)
      continue
    }
    const fromRoot = relativeTo(directory.path, options.root)
    const ignore =
      options.gitignore && holdsIgnoreFile(entries)
        ? await withIgnoreFiles(vfs, directory.ignore, directory.path, fromRoot, entries)
        : directory.ignore
    const firstPending = pending.length
    walk.enter({ ...directory, ignore }, fromRoot, entries)
    for (let wait = walk.visitEntries(); wait !== undefined; wait = walk.visitEntries()) await wait
    if (walk.outcome !== undefined) return walk.outcome
    // The entries are reversed because they are taken from the end.
    if (pending.length - firstPending > 1) for (const one of pending.splice(firstPending).reverse()) pending.push(one)
  }
  return { kind: 'complete' }
}

/** Visits one directory after another. It does not use `await`, because engines are slow to compile a loop that awaits. */
class Walk {
  readonly pending: PendingDirectory[] = []
  outcome: ListOutcome | undefined
  readonly #options: ListOptions
  readonly #visit: Visitor
  #directory: PendingDirectory
  // What comes before the names in the directory, because joining them is done for every entry.
  #pathPrefix = ''
  #relativePrefix = ''
  #rootPrefix = ''
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
    this.#pathPrefix = directory.path === '/' ? '/' : `${directory.path}/`
    this.#relativePrefix = below(directory.relative, '')
    this.#rootPrefix = below(fromRoot, '')
    this.#entries = filesFirst(entries)
    this.#next = 0
  }

  /** Continues until it must wait, and returns the promise to wait for. Returns `undefined` at the end, or with an outcome. */
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
      // In a worktree or a submodule, `.git` is a file.
      if (name === '.git') continue
      if (!hidden && name.startsWith('.') && !this.#isOverridden(dirent)) continue
      if (kind === 'directory' && name === 'node_modules' && !includeNodeModules) continue
      const path = (this.#pathPrefix + name) as VfsPath
      const wait = kind === 'directory' ? this.#visitDirectory(path, dirent) : this.#visitEntry(path, dirent)
      if (wait !== undefined) return wait
    }
    return undefined
  }

  #visitDirectory(path: VfsPath, dirent: Dirent): Promise<void> | undefined {
    const { vfs, skipDirectory } = this.#options
    const place = this.#rootPrefix + dirent.name
    const enter = (): Promise<void> | undefined =>
      skipDirectory?.(place, dirent.name) === true ? undefined : this.#visitEntry(path, dirent)
    if (!place.startsWith('.') || !mayHoldToolDirectory(place)) return enter()
    return isOnlyForTools(vfs, path, place).then(isForTools => (isForTools ? undefined : enter()))
  }

  #visitEntry(path: VfsPath, dirent: Dirent): Promise<void> | undefined {
    const { name, kind } = dirent
    const { ignore } = this.#directory
    const isHidden = ignore.length > 0 && isIgnored(ignore, this.#rootPrefix + name, kind === 'directory')
    if (isHidden && !this.#isOverridden(dirent)) return undefined
    const entry: ListedEntry = { path, relative: this.#relativePrefix + name, kind }
    const goesOn = this.#visit(entry, dirent)
    // Nearly all entries are files that the visitor takes at once.
    if (goesOn === true && kind !== 'directory') return undefined
    if (typeof goesOn !== 'boolean') return goesOn.then(answer => this.#goOnFrom(entry, ignore, answer))
    this.#goOnFrom(entry, ignore, goesOn)
    return undefined
  }

  #goOnFrom({ path, relative, kind }: ListedEntry, ignore: IgnoreStack, goesOn: boolean): void {
    if (!goesOn) this.outcome = { kind: 'stopped' }
    else if (kind === 'directory') this.pending.push({ path, relative, ignore })
  }

  /** Directories inside an ignored directory are never listed, so only files can be overridden. */
  #isOverridden({ name, kind }: Dirent): boolean {
    return kind !== 'directory' && this.#options.overrides?.(this.#relativePrefix + name) === true
  }
}

/** The rules from the root down to `base`, except those that would ignore `base`: a directory that is named explicitly is listed. */
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
  const exclude = hasExclude ? await readRules(vfs, joinPath(directory, '.git', 'info', 'exclude')) : undefined
  // Every .gitignore of the repository overrides it.
  if (exclude !== undefined) stack = pushIgnore(stack, fromRoot, decoder.decode(exclude), -1)
  // `.ignore` overrides any `.gitignore`, also a deeper one, as in ripgrep.
  for (const name of ['.gitignore', '.ignore']) {
    if (!entries.some(entry => entry.name === name && entry.kind === 'file')) continue
    const bytes = await readRules(vfs, joinPath(directory, name))
    if (bytes !== undefined) stack = pushIgnore(stack, fromRoot, decoder.decode(bytes), name === '.ignore' ? 1 : 0)
  }
  return stack
}

/** Rules that nobody can read do not apply, as in ripgrep. */
function readRules(vfs: FileReader, path: VfsPath): Promise<Uint8Array | undefined> {
  return ifThereLater(() => readFileIfThere(vfs, path), 'EACCES', 'EPERM')
}

// Ignore files are decoded as git decodes them: bytes that are not UTF-8 match nothing and cause no error.
const decoder = new TextDecoder('utf-8', { fatal: false })

// Loops without functions for each entry, which an engine would compile during a first search.

function holdsIgnoreFile(entries: readonly Dirent[]): boolean {
  for (const { name } of entries) if (name.startsWith('.') && ignoreNames.has(name)) return true
  return false
}

/** Listings are sorted by name. */
function filesFirst(entries: readonly Dirent[]): readonly Dirent[] {
  const files: Dirent[] = []
  const directories: Dirent[] = []
  for (const entry of entries) (entry.kind === 'directory' ? directories : files).push(entry)
  if (directories.length === 0) return entries
  for (const directory of directories) files.push(directory)
  return files
}

function below(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`
}

function relativeTo(path: VfsPath, root: VfsPath): string {
  if (path === root) return ''
  return root === '/' ? path.slice(1) : path.slice(root.length + 1)
}
