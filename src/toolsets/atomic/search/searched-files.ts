// Which files a search goes through, all of them before the first is read: so it can say how far it has come, and a listing that is
// still right is used again.

import { ToolError } from '../../../core/errors.ts'
import type { VfsPath } from '../../../core/path.ts'
import { compileGlob } from '../../../search/glob.ts'
import type { Target } from '../../../search/targets.ts'
import type { FileSource } from '../../../session/file-source.ts'
import { listFiles, type ListedEntry, type ListOutcome } from '../../../session/list-files.ts'
import type { SearchIndex } from '../../../session/search-index.ts'
import type { ToolCall } from '../../../session/tool.ts'

export interface SearchedFile {
  readonly path: VfsPath
  readonly display: string
}

export interface ListFilesOptions {
  readonly targets: readonly Target[]
  readonly gitignore: boolean
  readonly source: FileSource
  readonly index: SearchIndex
  readonly call: ToolCall
  /** On the session's clock. */
  readonly deadlineMs: number
}

export interface SearchedFiles {
  /** In the order of the targets, none twice. */
  readonly files: readonly SearchedFile[]
  readonly outcome: ListOutcome
}

export async function listSearchedFiles(options: ListFilesOptions): Promise<SearchedFiles> {
  const files = new Map<VfsPath, SearchedFile>()
  for (const target of options.targets) {
    const outcome = await listTarget(target, options, files)
    if (outcome.kind !== 'complete') return { files: [...files.values()], outcome }
  }
  return { files: [...files.values()], outcome: { kind: 'complete' } }
}

async function listTarget(target: Target, options: ListFilesOptions, files: Map<VfsPath, SearchedFile>): Promise<ListOutcome> {
  const { session } = options.call
  const base = await session.paths.resolve(target.base)
  const add = (path: VfsPath, display: string): void => {
    if (!files.has(path)) files.set(path, { path, display })
  }
  if (base.stat === undefined) return { kind: 'complete' }
  if (base.stat.kind !== 'directory') {
    add(base.path, base.display)
    return { kind: 'complete' }
  }
  const glob = compileGlob(target.glob ?? '**/*')
  if (glob.kind === 'error') {
    throw new ToolError('invalid-glob', `${JSON.stringify(target.text)} is not a glob: ${glob.message}`, {
      nextStep: 'Correct it; * ? ** {a,b} and [abc] are understood.',
    })
  }
  const { entries, outcome } = await listBelow(base.path, target, options)
  const prefix = base.display === '.' ? '' : `${base.display}/`
  for (const { path, relative } of entries) if (glob.matches(relative)) add(path, prefix + relative)
  return outcome
}

async function listBelow(
  base: VfsPath,
  target: Target,
  { gitignore, source, index, call, deadlineMs }: ListFilesOptions,
): Promise<{ readonly entries: readonly ListedEntry[]; readonly outcome: ListOutcome }> {
  const { session, signal } = call
  // Search looks into node_modules when ignore files are switched off, unlike find (atomic §12.3).
  const includeNodeModules = !gitignore || target.text.includes('node_modules')
  const key = `${gitignore} ${includeNodeModules} ${base}`
  const kept = index.listing(key, source.seq)
  if (kept !== undefined) return { entries: kept.entries, outcome: { kind: 'complete' } }
  const entries: ListedEntry[] = []
  const outcome = await listFiles(
    {
      vfs: source,
      root: session.root,
      base,
      hidden: true,
      gitignore,
      includeNodeModules,
      signal,
      clock: session.clock,
      deadlineMs,
      maxEntries: session.limits.walkMaxEntries,
    },
    entry => {
      if (entry.kind === 'file') entries.push(entry)
      return true
    },
  )
  if (outcome.kind === 'complete') {
    index.keepListing(key, source.seq, { entries })
    index.offer(entries.map(entry => entry.path))
  }
  return { entries, outcome }
}
