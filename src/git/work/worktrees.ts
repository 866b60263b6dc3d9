// The work trees of a repository: the main one, and those from `git worktree add`.

import { decodeText } from '../../shell/byte-text.ts'
import { fatal } from '../errors.ts'
import type { Repository } from '../repository.ts'
import { isObjectId, type ObjectId } from '../store/object-format.ts'

export interface LinkedWorkTree {
  /** Its root, or the repository's own directory if that is bare. */
  readonly path: string
  readonly gitDir: string
  /** Its directory below `worktrees/`; `undefined` for the main one. */
  readonly id: string | undefined
  /** Full name; `undefined` when detached. */
  readonly branch: string | undefined
  /** The commit in `HEAD` if it is detached. */
  readonly oid: ObjectId | undefined
  readonly isBare: boolean
  /** Why it is locked, '' without a reason. */
  readonly locked: string | undefined
  /** Why `git worktree prune` would remove it. */
  readonly prunable: string | undefined
}

/** The main one first, then the others by name. */
export async function listWorkTrees(repository: Repository): Promise<readonly LinkedWorkTree[]> {
  const { files, commonDir, gitDir } = repository
  const read = async (path: string): Promise<string | undefined> => {
    const bytes = await files.read(path)
    return bytes === undefined ? undefined : decodeText(bytes).trim()
  }
  const headOf = async (directory: string): Promise<Pick<LinkedWorkTree, 'branch' | 'oid'>> => {
    const text = (await read(`${directory}/HEAD`)) ?? ''
    if (text.startsWith('ref:')) return { branch: text.slice(4).trim(), oid: undefined }
    return { branch: undefined, oid: isObjectId(text) ? text : undefined }
  }
  const isBare =
    gitDir === commonDir
      ? repository.isBare
      : repository.config().has('core.bare') && repository.config().bool('core.bare', false)
  const main = isBare ? commonDir : gitDir === commonDir ? repository.root : commonDir.replace(/\/\.git$/, '')
  const found: LinkedWorkTree[] = [
    {
      path: main,
      gitDir: commonDir,
      id: undefined,
      isBare,
      locked: undefined,
      prunable: undefined,
      ...(await headOf(commonDir)),
    },
  ]
  for (const { name, kind } of await files.list(`${commonDir}/worktrees`)) {
    if (kind !== 'directory') continue
    const own = `${commonDir}/worktrees/${name}`
    const target = await read(`${own}/gitdir`)
    const path = target?.replace(/\/\.git$/, '') ?? ''
    const exists = target !== undefined && (await files.lstat(target)) !== undefined
    const locked = await read(`${own}/locked`)
    found.push({
      path: path.startsWith('/') ? path : `${own}/${path}`,
      gitDir: own,
      id: name,
      isBare: false,
      locked,
      prunable:
        target === undefined
          ? 'gitdir file does not exist'
          : exists || locked !== undefined
            ? undefined
            : 'gitdir file points to non-existent location',
      ...(await headOf(own)),
    })
  }
  return found
}

/** Where a branch is checked out, including a rebase or bisection in progress. */
export async function checkedOutAt(repository: Repository, branch: string): Promise<LinkedWorkTree | undefined> {
  for (const tree of await listWorkTrees(repository)) {
    if (tree.branch === branch && !tree.isBare) return tree
    for (const name of ['rebase-merge/head-name', 'rebase-apply/head-name', 'BISECT_START']) {
      const bytes = await repository.files.read(`${tree.gitDir}/${name}`)
      const text = bytes === undefined ? undefined : decodeText(bytes).trim()
      if (text !== undefined && (name === 'BISECT_START' ? `refs/heads/${text}` : text) === branch) return tree
    }
  }
  return undefined
}

/** Refuses a branch that another work tree has checked out. */
export async function refuseCheckedOutElsewhere(repository: Repository, branch: string): Promise<void> {
  const other = (await listWorkTrees(repository)).find(
    tree => tree.branch === branch && tree.gitDir !== repository.gitDir && !tree.isBare,
  )
  if (other !== undefined) throw fatal(`'${branch.replace('refs/heads/', '')}' is already checked out at '${other.path}'`)
}
