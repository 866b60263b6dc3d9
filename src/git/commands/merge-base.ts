// `git merge-base`.

import type { GitCall } from '../call.ts'
import { fatal, GitFailure } from '../errors.ts'
import { forkPoint } from '../revs/fork-point.ts'
import { independent, isAncestor, mergeBases, octopusBases } from '../revs/merge-base.ts'
import { findRef, needCommit, peel, resolveRevision, upstreamOf } from '../revs/revision.ts'
import type { Repository } from '../repository.ts'
import type { ObjectId } from '../store/object-format.ts'
import type { GitCommand } from './command.ts'

export const mergeBase: GitCommand = {
  name: 'merge-base',
  summary: 'Find as good common ancestors as possible for a merge',
  options: {
    rows: [
      { names: ['a', 'all'] },
      { names: ['octopus'] },
      { names: ['independent'] },
      { names: ['is-ancestor'] },
      { names: ['fork-point'] },
    ],
    usage:
      'git merge-base [-a | --all] <commit> <commit>...\n   or: git merge-base [-a | --all] --octopus <commit>...\n' +
      '   or: git merge-base --is-ancestor <commit> <commit>\n   or: git merge-base --independent <commit>...\n' +
      '   or: git merge-base --fork-point <ref> [<commit>]',
  },
  async run(call, options) {
    const repository = await call.repository()
    if (options.has('fork-point')) return printForkPoint(call, repository, options.all)
    const commits: ObjectId[] = []
    for (const word of options.all) {
      const revision = await resolveRevision(repository, word)
      const oid = revision === undefined ? undefined : await peel(repository, revision.oid, 'commit')
      if (oid === undefined) throw fatal(`Not a valid ${revision === undefined ? 'object' : 'commit'} name ${word}`)
      commits.push(oid)
    }
    const [first, ...rest] = commits
    const isSingle = options.has('octopus') || options.has('independent')
    if (first === undefined || (rest.length === 0 && !isSingle)) throw new GitFailure(`usage: ${mergeBase.options.usage}\n`, 129)
    if (options.has('is-ancestor')) {
      const [other, ...more] = rest
      if (other === undefined || more.length > 0) throw fatal('--is-ancestor takes exactly two commits')
      return (await isAncestor(repository, first, other)) ? 0 : 1
    }
    if (options.has('independent')) return print(call, await independent(repository, commits))
    const bases = options.has('octopus') ? await octopusBases(repository, commits) : await mergeBases(repository, first, rest)
    return print(call, options.has('all') ? bases : bases.slice(0, 1))
  },
}

async function printForkPoint(call: GitCall, repository: Repository, words: readonly string[]): Promise<number> {
  const [name, commit = 'HEAD', ...more] = words
  if (name === undefined || more.length > 0) throw new GitFailure(`usage: ${mergeBase.options.usage}\n`, 129)
  const oid = await needCommit(repository, commit, `Not a valid object name: '${commit}'`)
  const branch = /^(.*)@\{u(?:pstream)?\}$/i.exec(name)?.[1]
  const ref = branch === undefined ? (await findRef(repository, name))?.name : await upstreamName(repository, branch)
  if (ref === undefined) throw fatal(`No such ref: '${name}'`)
  const found = await forkPoint(repository, (await repository.refs.resolve(ref)).name, oid)
  return print(call, found === undefined ? [] : [found])
}

async function upstreamName(repository: Repository, branch: string): Promise<string | undefined> {
  const own = branch === '' || branch === 'HEAD' || branch === '@' ? (await repository.head()).branch : branch
  return own === undefined ? undefined : upstreamOf(repository, own)
}

async function print(call: GitCall, ids: readonly ObjectId[]): Promise<number> {
  for (const oid of ids) await call.print(oid)
  return ids.length === 0 ? 1 : 0
}
