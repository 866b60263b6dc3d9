// `--submodule=log`: the commits of a submodule between the two that a diff compares.

import type { Repository } from '../repository.ts'
import { mergeBases } from '../revs/merge-base.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { subjectOf } from '../revs/subject.ts'
import { CommitWalk } from '../revs/walk.ts'
import { modes, type ObjectId, zeroId } from '../store/object-format.ts'
import { openSubmodule } from '../work/submodule-head.ts'
import type { FilePair } from './file-pair.ts'

/** Nothing for a change that is not one of a submodule. */
export async function submoduleLog(repository: Repository, pair: FilePair, shownPath: string): Promise<string | undefined> {
  const { before, after } = pair
  if ((before ?? after)?.mode !== modes.submodule || (after ?? before)?.mode !== modes.submodule) return undefined
  const notes = [
    ...(after?.dirt?.hasUntracked === true ? ['untracked'] : []),
    ...(after?.dirt?.isModified === true ? ['modified'] : []),
  ]
  const text = notes.map(note => `Submodule ${shownPath} contains ${note} content\n`).join('')
  if (before?.oid === after?.oid && pair.status !== 'R') return text
  const from = before?.oid ?? zeroId
  const to = after?.oid ?? zeroId
  const ids = new ShortIds(repository)
  const head = async (dots: string, note: string): Promise<string> =>
    `${text}Submodule ${shownPath} ${await ids.of(from)}${dots}${await ids.of(to)}${note}\n`
  if (before === undefined) return head('...', ' (new submodule)')
  if (after === undefined) return head('...', ' (submodule deleted)')
  const inside = await openSubmodule(repository, pair.beforePath)
  if (inside === undefined || !(await hasCommits(inside, [from, to]))) return head('...', ' (commits not present)')
  const bases = await mergeBases(inside, from, [to])
  const isForward = bases[0] === from
  const isRewind = bases[0] === to
  let lines = await head(isForward || isRewind ? '..' : '...', `${isRewind ? ' (rewind)' : ''}:`)
  const walk = new CommitWalk(inside, {
    include: [from, to],
    exclude: bases,
    left: new Set([from]),
    order: 'date',
    firstParent: true,
    signal: repository.environment.signal,
  })
  for await (const { commit, parents, side } of walk)
    if (parents.length < 2) lines += `  ${side === 'left' ? '<' : '>'} ${subjectOf(commit.message)}\n`
  return lines
}

export async function hasCommits(inside: Repository, oids: readonly ObjectId[]): Promise<boolean> {
  const found = await Promise.all(oids.map(oid => inside.objects.read(oid)))
  return found.every(object => object?.type === 'commit')
}
