// The commit that is checked out in a submodule, and the repository in it.

import { decodeText } from '../../shell/byte-text.ts'
import { Repository } from '../repository.ts'
import type { ObjectId } from '../store/object-format.ts'
import { RefStore } from '../store/refs.ts'

/** `undefined` if there is no repository at `path`, or if it has no commits yet. */
export async function submoduleHead(repository: Repository, path: string): Promise<ObjectId | undefined> {
  const { files, root } = repository
  const directory = `${root.replace(/\/$/, '')}/${path}`
  const bytes = await files.read(`${directory}/.git`)
  const named = bytes === undefined ? undefined : /^gitdir: (.+?)\n*$/s.exec(decodeText(bytes))?.[1]
  if (bytes !== undefined && named === undefined) return undefined
  const gitDir = named === undefined ? `${directory}/.git` : named.startsWith('/') ? named : `${directory}/${named}`
  if (!(await files.isFile(`${gitDir}/HEAD`))) return undefined
  const refs = new RefStore({
    files,
    gitDir,
    commonDir: gitDir,
    logsAll: () => Promise.resolve(false),
    who: () => repository.identity('committer', false),
  })
  return refs.idOf('HEAD')
}

export async function openSubmodule({ environment, root }: Repository, path: string): Promise<Repository | undefined> {
  const { GIT_DIR: _dir, GIT_WORK_TREE: _tree, GIT_INDEX_FILE: _index, ...env } = environment.env
  const cwd = `${root.replace(/\/$/, '')}/${path}`
  const inside = await Repository.open({ ...environment, cwd, env })
  return inside?.root === cwd ? inside : undefined
}
