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

/** Calls `visit` for every entry, by name, a directory's files before its subdirectories; `false` ends the listing. */
export async function listFiles(
  options: ListOptions,
  visit: (entry: ListedEntry) => boolean | Promise<boolean>,
): Promise<ListOutcome> {
  const { vfs, base, signal } = options
  const isToolPath = (fromRoot: string): boolean => fromRoot.startsWith('.') && mayHoldToolDirectory(fromRoot)
  let visited = 0
  let lastPauseMs = performance.now()
  const pending: { path: VfsPath; relative: string; ignore: IgnoreStack }[] = [
    { path: base, relative: '', ignore: options.gitignore ? await inheritedIgnore(options) : emptyIgnore },
  ]
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
    for (const { name, kind } of filesFirst(entries)) {
      if (++visited > options.maxEntries) return { kind: 'too-many-entries', limit: options.maxEntries }
      const isDirectory = kind === 'directory'
      // In a worktree or a submodule `.git` is a file.
      if (name === '.git' || (!options.hidden && name.startsWith('.'))) continue
      const path = childPath(directory.path, name)
      if (isDirectory) {
        if (name === 'node_modules' && !options.includeNodeModules) continue
        const place = below(fromRoot, name)
        if (isToolPath(place) && (await isOnlyForTools(vfs, path, place))) continue
        if (options.skipDirectory?.(place, name) === true) continue
      }
      if (ignore.length > 0 && isIgnored(ignore, below(fromRoot, name), isDirectory)) continue
      const relative = below(directory.relative, name)
      const goOn = visit({ path, relative, kind })
      if (!(typeof goOn === 'boolean' ? goOn : await goOn)) return { kind: 'stopped' }
      if (isDirectory) pending.push({ path, relative, ignore })
    }
    // Reversed, because the last entry is taken first.
    if (pending.length - firstPending > 1) pending.push(...pending.splice(firstPending).reverse())
  }
  return { kind: 'complete' }
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
