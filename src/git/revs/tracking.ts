// How a branch compares with its upstream.

import type { Repository } from '../repository.ts'
import type { ObjectId } from '../store/object-format.ts'
import { CommitQueue } from './commit-queue.ts'
import { upstreamOf } from './revision.ts'
import { shortestRef } from './ref-names.ts'

export type Tracking =
  | { readonly kind: 'none' }
  | { readonly kind: 'gone'; readonly name: string }
  | { readonly kind: 'there'; readonly name: string; readonly ahead: number; readonly behind: number }

/** They differ, but the numbers were not asked for. */
export interface DifferentUpstream {
  readonly kind: 'different'
  readonly name: string
}

export async function trackingOf(repository: Repository, branch: string, oid: ObjectId | undefined): Promise<Tracking> {
  const upstream = upstreamOf(repository, branch)
  if (upstream === undefined) return { kind: 'none' }
  const name = await shortestRef(repository, upstream)
  const target = await repository.refs.idOf(upstream)
  if (target === undefined) return { kind: 'gone', name }
  if (oid === undefined) return { kind: 'there', name, ahead: 0, behind: 0 }
  const [ahead, behind] = await countBetween(repository, oid, target)
  return { kind: 'there', name, ahead, behind }
}

/** With `counts`, as `trackingOf`; otherwise only reports that they differ. */
export async function trackingIn(
  repository: Repository,
  branch: string,
  oid: ObjectId | undefined,
  counts: boolean,
): Promise<Tracking | DifferentUpstream> {
  const upstream = counts ? undefined : upstreamOf(repository, branch)
  const target = upstream === undefined ? undefined : await repository.refs.idOf(upstream)
  if (upstream === undefined || target === undefined || target === oid) return trackingOf(repository, branch, oid)
  return { kind: 'different', name: await shortestRef(repository, upstream) }
}

const slackCount = 5

/** The numbers of commits that only one side has. */
export async function countBetween(repository: Repository, left: ObjectId, right: ObjectId): Promise<readonly [number, number]> {
  if (left === right) return [0, 0]
  const flags = new Map<ObjectId, number>()
  const queue = new CommitQueue()
  const waiting = new Set<ObjectId>()
  const visited = new Set<ObjectId>()
  // A commit of both sides matters again if it was visited as one side's: where clocks are wrong, parents come before children.
  const matters = (oid: ObjectId): boolean => flags.get(oid) !== 3 || visited.has(oid)
  let open = 0
  const add = async (oid: ObjectId, flag: number): Promise<void> => {
    const before = flags.get(oid) ?? 0
    if ((before | flag) === before) return
    flags.set(oid, before | flag)
    if (waiting.has(oid)) {
      if (!matters(oid)) open--
      return
    }
    waiting.add(oid)
    if (matters(oid)) open++
    queue.push(oid, (await repository.objects.readCommit(oid)).committer.time)
  }
  await add(left, 1)
  await add(right, 2)
  // After the last commit of one side, some older ones are visited too.
  let slack = slackCount
  let oldest = Number.POSITIVE_INFINITY
  while (open > 0 || slack > 0) {
    const oid = queue.pop()
    if (oid === undefined) break
    const { committer, parents } = await repository.objects.readCommit(oid)
    waiting.delete(oid)
    if (matters(oid)) open--
    visited.add(oid)
    const own = flags.get(oid) ?? 0
    if (own !== 3) oldest = Math.min(oldest, committer.time)
    slack = own !== 3 || committer.time >= oldest ? slackCount : slack - 1
    for (const parent of parents) await add(parent, own)
  }
  let ahead = 0
  let behind = 0
  for (const flag of flags.values()) {
    if (flag === 1) ahead++
    else if (flag === 2) behind++
  }
  return [ahead, behind]
}
