// What `git clean` removes: untracked files, and directories that contain nothing else.

import type { GitIndex } from '../index/git-index.ts'
import type { Repository } from '../repository.ts'
import type { WorkTreeIgnore } from './ignore-rules.ts'
import type { Pathspec } from './pathspec.ts'
import { findUntracked } from './status.ts'
import { pushAll } from '../../core/many.ts'

export interface CleanableOptions {
  readonly pathspec?: Pathspec | undefined
  readonly rules: WorkTreeIgnore
  readonly isOnlyIgnored?: boolean
  /** Also repositories inside of this one. */
  readonly takesRepositories?: boolean
}

/**
 * Paths from the root; a directory, which is removed with its entries, ends in '/'. A repository that stays is listed if it keeps the
 * untracked directory above it.
 */
export async function findCleanable(
  repository: Repository,
  index: GitIndex,
  { pathspec, rules, isOnlyIgnored = false, takesRepositories = false }: CleanableOptions,
): Promise<readonly string[]> {
  const found = await findUntracked(repository, index, {
    mode: 'normal',
    ignored: 'traditional',
    pathspec,
    ignore: rules,
    showsEmpty: !isOnlyIgnored,
  })
  const isKept = async (directory: string): Promise<boolean> =>
    !takesRepositories && (await holdsRepository(repository, directory))
  if (isOnlyIgnored) return found.ignored
  const rows: string[] = []
  for (const path of found.untracked) {
    if (!path.endsWith('/')) rows.push(path)
    else {
      const inner: string[] = []
      if (await isKept(path.slice(0, -1))) continue
      if (await collect(repository, rules, path.slice(0, -1), inner, isKept)) rows.push(path)
      else pushAll(rows, inner)
    }
  }
  return rows
}

/** Adds entries that are not ignored. Returns false if something stays in the directory. */
async function collect(
  repository: Repository,
  rules: WorkTreeIgnore,
  directory: string,
  into: string[],
  isKept: (directory: string) => Promise<boolean>,
): Promise<boolean> {
  const tree = await repository.workTree()
  const kept: string[] = []
  const found: string[] = []
  let isWhole = true
  for (const { name, kind } of await repository.files.list(tree.pathOf(directory))) {
    const path = `${directory}/${name}`
    if (await rules.isIgnoredHere(path, kind === 'directory')) isWhole = false
    else if (kind !== 'directory') found.push(path)
    else if (await isKept(path)) kept.push(`${path}/`)
    else {
      const below: string[] = []
      if (await collect(repository, rules, path, below, isKept)) found.push(`${path}/`)
      else {
        isWhole = false
        pushAll(found, below)
      }
    }
  }
  into.push(...kept, ...found)
  return isWhole && kept.length === 0
}

export async function holdsRepository(repository: Repository, directory: string): Promise<boolean> {
  const tree = await repository.workTree()
  return (await repository.files.lstat(tree.pathOf(`${directory}/.git`))) !== undefined
}
