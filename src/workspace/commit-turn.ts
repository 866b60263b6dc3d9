// Commits the changes that a selection of the history made, if the files are in a repository.

import { AnchorageError } from '../core/errors.ts'
import { childPath, isInside, parsePath, type VfsPath } from '../core/path.ts'
import { GitError, openGit } from '../git/api.ts'
import type { CommitOptions, HistoryCommit, HistoryFunctions, HistorySelection } from '../history/history.ts'
import type { GitHostOptions } from '../git/network/options.ts'
import type { Difference } from '../vfs/backend.ts'
import type { Vfs } from '../vfs/vfs.ts'
import { pushAll } from '../core/many.ts'

export interface CommitGround {
  readonly fs: Vfs
  readonly root: string
  readonly git: GitHostOptions | undefined
}

/** Rejects with `history-entry` if there is nothing to commit, and with `git-failed`, for example outside of a repository. */
export async function commitSelection(
  history: Pick<HistoryFunctions, 'list' | 'changes'>,
  { fs, root, git: host }: CommitGround,
  selection: HistorySelection,
  { message, author }: CommitOptions,
): Promise<HistoryCommit> {
  const git = openGit(fs, { ...host, dir: root, ...(author === undefined ? {} : { author }) })
  const run = async (args: readonly string[]): Promise<string> => {
    const outcome = await git.run(args)
    if (outcome.exitCode !== 0) throw new GitError(args, outcome)
    return outcome.stdout.trim()
  }
  const top = parsePath(await run(['rev-parse', '--show-toplevel']))
  const { entries } = await history.list()
  const selected = new Set((await history.list(selection)).entries.map(({ id }) => id))
  const [own, others]: [VfsPath[], VfsPath[]] = [[], []]
  for (const { id } of entries) pushAll(selected.has(id) ? own : others, (await history.changes(id)).flatMap(touched))
  const { changes } = await git.status()
  const paths = changes
    .flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [oldPath, path]))
    .filter(path => own.some(place => isInside(childPath(top, path), place)))
    .toSorted()
  if (paths.length === 0) {
    throw new AnchorageError(
      'history-entry',
      'The changes of the selected entries are committed already, or were undone. Next: see history.list() for the entries.',
    )
  }
  await git.stage(paths)
  const named = paths.map(path => `:(top,literal)${path}`)
  const by = author === undefined ? [] : ['--author', `${author.name} <${author.email}>`]
  await run(['commit', '--quiet', '--message', message, ...by, '--only', '--', ...named])
  const alsoChangedByOthers = paths.filter(path => others.some(place => isInside(childPath(top, path), place)))
  return { id: await run(['rev-parse', 'HEAD']), paths, alsoChangedByOthers }
}

/** git does not store empty directories, and files that others put into a new directory do not belong to the entry. */
function touched({ type, kind, path, oldPath }: Difference): readonly VfsPath[] {
  if (kind === 'directory' && (type === 'create' || type === 'attributes')) return []
  return oldPath === undefined ? [path] : [oldPath, path]
}
