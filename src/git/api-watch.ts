// Tells a host when its view of a repository is outdated. Changes of objects, logs and locks alone are not reported.

import type { ChangeBatch } from '../vfs/backend.ts'
import type { Vfs } from '../vfs/vfs.ts'
import type { GitNotice } from './api-types.ts'
import type { Repository } from './repository.ts'

const nothing: GitNotice = { workTree: false, index: false, references: false }

/** Watches the work tree and, if it is elsewhere, the repository. */
export async function watchRepository(
  fs: Vfs,
  { root, gitDir, commonDir }: Repository,
  listener: (notice: GitNotice) => void,
): Promise<() => void> {
  const tell = (batch: ChangeBatch): void => {
    const notice = batch.overflow
      ? { workTree: true, index: true, references: true }
      : batch.changes
          .flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [path, oldPath]))
          .map(path => noticeOf(path, [gitDir, commonDir]))
          .reduce(joined, nothing)
    if (notice.workTree || notice.index || notice.references) listener(notice)
  }
  const places = [root, gitDir, commonDir].filter(
    (path, index, all) => all.indexOf(path) === index && !all.some(other => other !== path && path.startsWith(`${other}/`)),
  )
  const ends: (() => void)[] = []
  const end = (): void => {
    for (const stop of ends.splice(0)) stop()
  }
  try {
    for (const place of places) ends.push(await fs.watch(place, tell))
  } catch (error) {
    end()
    throw error
  }
  return end
}

function noticeOf(path: string, directories: readonly string[]): GitNotice {
  const directory = directories.find(candidate => path === candidate || path.startsWith(`${candidate}/`))
  if (directory === undefined) return { ...nothing, workTree: true }
  const name = path.slice(directory.length + 1)
  if (name === 'index') return { ...nothing, index: true }
  if (name.endsWith('.lock') || name === '' || /^(?:objects|logs|COMMIT_EDITMSG|FETCH_HEAD|ORIG_HEAD)(?:\/|$)/.test(name))
    return nothing
  // The configuration and `info/exclude` affect the view too.
  if (name === 'config' || name.startsWith('info')) return { workTree: true, index: false, references: true }
  return { ...nothing, references: true }
}

function joined(one: GitNotice, other: GitNotice): GitNotice {
  return {
    workTree: one.workTree || other.workTree,
    index: one.index || other.index,
    references: one.references || other.references,
  }
}
