// Untracked files at paths that git is about to write.

import type { GitIndex } from '../index/git-index.ts'
import type { Repository } from '../repository.ts'

export interface InTheWay {
  /** A `directory` contains untracked files, which would be removed with it. */
  readonly kind: 'file' | 'directory'
  readonly path: string
}

export interface GuardOptions {
  /** Protect ignored files too. Without it they are overwritten. */
  readonly keepsIgnored?: boolean | undefined
  /** Paths that are removed before anything is written. */
  readonly removed?: ReadonlySet<string>
}

/** What would be lost if a file were written at `path`, which is not in the index. */
export async function untrackedInTheWay(
  repository: Repository,
  index: GitIndex,
  path: string,
  { keepsIgnored = false, removed }: GuardOptions = {},
): Promise<InTheWay | undefined> {
  const tree = await repository.workTree()
  const ignore = repository.ignore()
  const isDear = async (file: string): Promise<boolean> => keepsIgnored || !(await ignore.isIgnored(file, false))
  const holdsDear = async (directory: string): Promise<boolean> => {
    for (const { name, kind } of await repository.files.list(tree.pathOf(directory))) {
      const inner = `${directory}/${name}`
      if (kind === 'directory' ? await holdsDear(inner) : !index.has(inner) && (await isDear(inner))) return true
    }
    return false
  }
  for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
    const above = path.slice(0, end)
    const stat = await tree.lstat(above)
    if (stat === undefined) return undefined
    if (stat.kind === 'directory') continue
    // A tracked file that is not removed was staged in place of the directory.
    const isKept = removed === undefined ? index.has(above) : removed.has(above)
    const isLost = !isKept && (index.has(above) || (await isDear(above)))
    return isLost ? { kind: 'file', path: above } : undefined
  }
  const stat = await tree.lstat(path)
  if (stat === undefined) return undefined
  if (stat.kind === 'directory') return (await holdsDear(path)) ? { kind: 'directory', path } : undefined
  return (await isDear(path)) ? { kind: 'file', path } : undefined
}
