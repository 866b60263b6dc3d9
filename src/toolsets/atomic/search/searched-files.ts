// Lists the files of a search, all of them before the first is read, so that the search can report its progress. A listing that is still
// valid is used again.

import type { VfsPath } from '../../../core/path.ts'
import { namesFiles, type Target } from '../../../search/targets.ts'
import { listFiles, type ListedEntry, type ListOutcome } from '../../../session/list-files.ts'
import type { Listing } from '../../../session/search-index.ts'
import type { SearchGround } from '../../../session/search-driver.ts'
import { invalidGlob } from '../../../session/search-targets.ts'
import type { Dirent } from '../../../vfs/backend.ts'
import type { ToolCall } from '../../../session/tool.ts'

export interface SearchedFile {
  readonly path: VfsPath
  readonly display: string
}

export interface ListFilesOptions extends SearchGround {
  readonly targets: readonly Target[]
  /** Left out by globs with `!`. */
  readonly isExcluded: ((path: VfsPath) => boolean) | undefined
  readonly gitignore: boolean
  readonly call: ToolCall
  /** By the session's clock. */
  readonly deadlineMs: number
}

/** A glob that matches only ignored files, or none. */
export interface EmptyGlob {
  readonly text: string
  readonly ignoredFiles: number
}

export interface SearchedFiles {
  /** In the order of the targets, without duplicates. */
  readonly files: readonly SearchedFile[]
  /** The entry of each file, if it was listed for this search. */
  readonly dirents?: readonly Dirent[] | undefined
  readonly outcome: ListOutcome
  readonly emptyGlobs: readonly EmptyGlob[]
  /** Directories that the filesystem refuses to list. */
  readonly unreadable: readonly string[]
}

export async function listSearchedFiles(options: ListFilesOptions): Promise<SearchedFiles> {
  const { isExcluded } = options
  const listed = await listTargets(options)
  return isExcluded === undefined
    ? listed
    : { ...listed, dirents: undefined, files: listed.files.filter(({ path }) => !isExcluded(path)) }
}

async function listTargets(options: ListFilesOptions): Promise<SearchedFiles> {
  const [only, ...others] = options.targets
  if (only !== undefined && others.length === 0) return listTarget(only, options)
  const files = new Map<VfsPath, SearchedFile>()
  const emptyGlobs: EmptyGlob[] = []
  const unreadable: string[] = []
  let outcome: ListOutcome = { kind: 'complete' }
  for (const target of options.targets) {
    const listed = await listTarget(target, options)
    for (const file of listed.files) if (!files.has(file.path)) files.set(file.path, file)
    outcome = listed.outcome
    emptyGlobs.push(...listed.emptyGlobs)
    unreadable.push(...listed.unreadable)
    if (outcome.kind !== 'complete') break
  }
  return { files: [...files.values()], outcome, emptyGlobs, unreadable: [...new Set(unreadable)] }
}

async function listTarget(target: Target, options: ListFilesOptions): Promise<SearchedFiles> {
  const { session } = options.call
  const { path, display, stat } = await session.paths.resolve(target.base)
  if (stat === undefined) return { files: [], outcome: { kind: 'complete' }, emptyGlobs: [], unreadable: [] }
  if (stat.kind !== 'directory')
    return { files: [{ path, display }], outcome: { kind: 'complete' }, emptyGlobs: [], unreadable: [] }
  const matches = target.glob === undefined ? everything : await matcherOf(target, target.glob)
  const overrides = namesFiles(target) ? matches : undefined
  const { entries, dirents, outcome, refused } = await listBelow(path, target, options, overrides)
  const prefix = display === '.' ? '' : `${display}/`
  const unreadable = refused.map(relative => (relative === '' ? display : prefix + relative))
  const files = keptFor(entries, `${prefix}\0${target.glob}`, () => {
    const kept: SearchedFile[] = []
    // Without a function for each file, which an engine would compile in a first search.
    for (const { path: each, relative } of entries) {
      if (target.glob === undefined || matches(relative)) kept.push({ path: each, display: prefix + relative })
    }
    return kept
  })
  if (files.length > 0 || target.glob === undefined)
    return { files, dirents: files.length === entries.length ? dirents : undefined, outcome, emptyGlobs: [], unreadable }
  const all = options.gitignore ? await listBelow(path, target, { ...options, gitignore: false }, undefined) : undefined
  const ignoredFiles = all?.entries.filter(({ relative }) => matches(relative)).length ?? 0
  return { files, outcome, emptyGlobs: [{ text: target.text, ignoredFiles }], unreadable }
}

const everything = (): boolean => true

async function matcherOf({ text }: Target, glob: string): Promise<(relative: string) => boolean> {
  const { compileGlob } = await import('../../../search/glob.ts')
  const compiled = compileGlob(glob)
  if (compiled.kind === 'error') throw invalidGlob(text, compiled.message)
  return compiled.matches
}

/** Lists that were derived from a listing, kept as long as the listing: a repeated search of the same place gets the same list. */
const madeOf = new WeakMap<readonly ListedEntry[], Map<string, readonly SearchedFile[]>>()
const maxMadeOfOne = 4

function keptFor(entries: readonly ListedEntry[], key: string, make: () => readonly SearchedFile[]): readonly SearchedFile[] {
  let lists = madeOf.get(entries)
  if (lists === undefined) {
    lists = new Map()
    madeOf.set(entries, lists)
  }
  let files = lists.get(key)
  if (files === undefined) {
    files = make()
    if (lists.size >= maxMadeOfOne) lists.clear()
    lists.set(key, files)
  }
  return files
}

async function listBelow(
  base: VfsPath,
  target: Target,
  { gitignore, source, index, call, deadlineMs }: ListFilesOptions,
  overrides: ((relative: string) => boolean) | undefined,
): Promise<Listing & { readonly outcome: ListOutcome; readonly refused: readonly string[] }> {
  const { session, signal } = call
  // Unlike find, search enters node_modules when ignore files are switched off.
  const includeNodeModules = !gitignore || target.text.includes('node_modules')
  const key = `${gitignore} ${includeNodeModules} ${base}${overrides === undefined ? '' : `\0${target.glob}`}`
  const kept = index.listing(key, source.seq)
  if (kept !== undefined) return { ...kept, outcome: { kind: 'complete' }, refused: [] }
  const refused: string[] = []
  const entries: ListedEntry[] = []
  const dirents: Dirent[] = []
  const outcome = await listFiles(
    {
      vfs: source,
      root: session.root,
      base,
      hidden: true,
      gitignore,
      includeNodeModules,
      overrides,
      signal,
      clock: session.clock,
      deadlineMs,
      maxEntries: session.limits.walkMaxEntries,
      onUnreadable: relative => void refused.push(relative),
    },
    (entry, dirent) => {
      if (entry.kind !== 'file') return true
      entries.push(entry)
      dirents.push(dirent)
      return true
    },
  )
  if (outcome.kind === 'complete' && refused.length === 0) {
    index.keepListing(key, source.seq, { entries, dirents })
    index.offerFiles(entries)
  }
  return { entries, dirents, outcome, refused }
}
