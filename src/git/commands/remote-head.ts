// `git remote set-head`: the branch that the remote's name means where a revision is expected.

import type { GitCall } from '../call.ts'
import { failure, GitFailure } from '../errors.ts'
import { openRemote } from '../network/remote.ts'
import { findRemote } from '../network/remotes.ts'
import type { Options } from '../options.ts'
import { Changes, type Repository } from '../repository.ts'

const usage = 'usage: git remote set-head <name> (-a | --auto | -d | --delete | <branch>)\n'

export async function setRemoteHead(
  call: GitCall,
  repository: Repository,
  words: readonly string[],
  options: Options,
): Promise<number> {
  const [name, given] = words
  const [isAuto, isDeleted] = [options.has('auto'), options.has('delete')]
  const isBranch = given !== undefined && !isAuto && !isDeleted && words.length === 2
  if (name === undefined || (!isBranch && (isAuto === isDeleted || words.length !== 1))) throw new GitFailure(usage, 129)
  const changes = new Changes()
  const head = `refs/remotes/${name}/HEAD`
  if (isDeleted) {
    await repository.refs.update(changes, { name: head, oid: undefined, message: '', noDeref: true })
    await repository.commit(changes)
    return 0
  }
  const branch = isAuto ? await remoteBranch(call, repository, name) : (given ?? '')
  const target = `refs/remotes/${name}/${branch}`
  if ((await repository.refs.idOf(target)) === undefined) throw failure(`Not a valid ref: ${target}`, 1)
  await repository.refs.setSymbolic(changes, head, target, 'remote set-head')
  await repository.commit(changes)
  if (isAuto) await call.print(`${name}/HEAD set to ${branch}`)
  return 0
}

async function remoteBranch(call: GitCall, repository: Repository, name: string): Promise<string> {
  const { url } = findRemote(repository, name)
  const { head } = await (await openRemote(call, url, repository.baseDirectory)).advertised('git-upload-pack')
  if (head === undefined) throw failure('Cannot determine remote HEAD', 1)
  return head.replace('refs/heads/', '')
}
