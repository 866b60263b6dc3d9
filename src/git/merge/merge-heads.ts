// The histories that a merge is asked for, and how its message names them.

import { GitFailure } from '../errors.ts'
import type { Repository } from '../repository.ts'
import { independent } from '../revs/merge-base.ts'
import { findRef, peel, resolveRevision, upstreamOf } from '../revs/revision.ts'
import type { ObjectId } from '../store/object-format.ts'

export interface MergeHead {
  readonly oid: ObjectId
  /** As it was given; from `FETCH_HEAD` the id. */
  readonly name: string
  /** As in `FETCH_HEAD`: `branch 'x' of URL`; the URL of this repository is a point. */
  readonly described: string
  /** The annotated tag that was named. */
  readonly tag?: ObjectId | undefined
}

/** `FETCH_HEAD` as the only word stands for all histories that were fetched to be merged. */
export async function readHeads(repository: Repository, words: readonly string[]): Promise<readonly MergeHead[]> {
  const [only = '', ...more] = words
  if (only === 'FETCH_HEAD' && more.length === 0) return fetchedHeads(repository)
  const heads: MergeHead[] = []
  for (const name of words) heads.push(await namedHead(repository, name))
  return heads
}

async function namedHead(repository: Repository, name: string): Promise<MergeHead> {
  const revision = await resolveRevision(repository, name)
  const oid = revision === undefined ? undefined : await peel(repository, revision.oid, 'commit')
  if (revision === undefined || oid === undefined) {
    const type = revision === undefined ? undefined : (await repository.objects.read(revision.oid))?.type
    const why = type === undefined ? '' : `error: ${name}: expected commit type, but the object dereferences to ${type} type\n`
    throw new GitFailure(`${why}merge: ${name} - not something we can merge`, 1)
  }
  const tag = revision.oid === oid ? undefined : revision.oid
  return { oid, name, described: await describe(repository, name, tag), tag }
}

async function fetchedHeads(repository: Repository): Promise<readonly MergeHead[]> {
  const text = await repository.readState('FETCH_HEAD')
  if (text === undefined)
    throw new GitFailure("fatal: could not open '.git/FETCH_HEAD' for reading: No such file or directory", 128)
  const heads: MergeHead[] = []
  for (const line of text.split('\n')) {
    const [, name = '', described = ''] = /^([0-9a-f]{40})\t\t(.*)$/.exec(line) ?? []
    if (name === '') continue
    const oid = await peel(repository, name, 'commit')
    if (oid === undefined) throw new GitFailure(`fatal: not something we can merge in .git/FETCH_HEAD: ${line}`, 128)
    heads.push({ oid, name, described, tag: oid === name ? undefined : name })
  }
  return heads
}

/** Those that no other one reaches; `isReached`: one of them reaches `ours`. */
export async function neededHeads(
  repository: Repository,
  ours: ObjectId,
  heads: readonly MergeHead[],
): Promise<{ readonly needed: readonly MergeHead[]; readonly isReached: boolean }> {
  const kept = new Set(await independent(repository, [ours, ...heads.map(({ oid }) => oid)]))
  const isReached = !kept.delete(ours)
  // Of equal ones the first stays.
  return { needed: heads.filter(({ oid }) => kept.delete(oid)), isReached }
}

async function describe(repository: Repository, name: string, tag: ObjectId | undefined): Promise<string> {
  const { branch } = await repository.head()
  const isUpstream = /^(?:HEAD|@)?@\{(?:u|upstream|push)\}$/i.test(name)
  const upstream = isUpstream && branch !== undefined ? upstreamOf(repository, branch) : undefined
  const ref = upstream ?? (await findRef(repository, name))?.name
  const shown = upstream?.replace(/^refs\/(?:heads|remotes)\//, '') ?? name
  if (ref?.startsWith('refs/heads/')) return `branch '${shown.startsWith('@{') ? ref.slice('refs/heads/'.length) : shown}' of .`
  if (ref?.startsWith('refs/remotes/')) return `remote-tracking branch '${shown}' of .`
  if (ref?.startsWith('refs/tags/')) return `tag '${name}' of .`
  const [, before = '', after = ''] = /^(.+?)(\^+|~\d*)$/.exec(name) ?? []
  if (before !== '' && (await repository.refs.idOf(`refs/heads/${before}`)) !== undefined)
    return `branch '${before}'${/^~0+$/.test(after) ? '' : ' (early part)'} of .`
  return `${tag === undefined ? 'commit' : 'tag'} '${name}'`
}
