// Visits the files below a directory as find and search do: it obeys ignore files, skips heavy directories, has a limit, and reports where
// it stopped. Ignore rules are git's and come from inside the workspace only.

import { createPauser } from '../core/pause.ts'
import { childPath, joinPath, type VfsPath } from '../core/path.ts'
import { emptyIgnore, isIgnored, pushIgnore, withoutPriority, type IgnoreStack } from '../search/ignore.ts'
import type { Dirent, EntryKind } from '../vfs/backend.ts'
import { type FileReader, readDirectoryIfThere, readFileIfThere } from './if-there.ts'

import { isOnlyForTools, mayHoldToolDirectory } from './tool-directories.ts'

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
  const pause = createPauser()
  let visited = 0
  const pending: { path: VfsPath; relative: string; ignore: IgnoreStack }[] = [
    { path: base, relative: '', ignore: options.gitignore ? await inheritedIgnore(options) : emptyIgnore },
  ]
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    await pause()
    signal.throwIfAborted()
    if (options.clock() > options.deadlineMs) return { kind: 'timed-out' }
    const entries = await readDirectoryIfThere(vfs, directory.path)
    const fromRoot = relativeTo(directory.path, options.root)
    const ignore = options.gitignore
      ? await withIgnoreFiles(vfs, directory.ignore, directory.path, fromRoot, entries)
      : emptyIgnore
    const subdirectories: typeof pending = []
    for (const entry of filesFirst(entries)) {
      if (++visited > options.maxEntries) return { kind: 'too-many-entries', limit: options.maxEntries }
      const isDirectory = entry.kind === 'directory'
      // In a worktree or a submodule `.git` is a file.
      if (entry.name === '.git' || (isDirectory && entry.name === 'node_modules' && !options.includeNodeModules)) continue
      if (isDirectory && mayHoldToolDirectory(below(fromRoot, entry.name))) {
        if (await isOnlyForTools(vfs, childPath(directory.path, entry.name), below(fromRoot, entry.name))) continue
      }
      if (isDirectory && options.skipDirectory?.(below(fromRoot, entry.name), entry.name) === true) continue
      if (!options.hidden && entry.name.startsWith('.')) continue
      if (options.gitignore && isIgnored(ignore, below(fromRoot, entry.name), isDirectory)) continue
      const listed = {
        path: childPath(directory.path, entry.name),
        relative: below(directory.relative, entry.name),
        kind: entry.kind,
      }
      const goOn = visit(listed)
      if (!(typeof goOn === 'boolean' ? goOn : await goOn)) return { kind: 'stopped' }
      if (isDirectory) subdirectories.push({ path: listed.path, relative: listed.relative, ignore })
    }
    pending.push(...subdirectories.reverse())
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
