// The commits that one history has and another lacks.

import { CommitQueue } from '../revs/commit-queue.ts'
import { parentsOf } from '../revs/parents.ts'
import type { Repository } from '../repository.ts'
import type { ObjectId } from '../store/object-format.ts'

/**
 * Reachable from `included` and from none of `excluded`; a commit comes after all its parents. With `keepsLines` the commits of one line of
 * history stay together, otherwise they are in the order of their dates.
 */
export async function commitRange(
  repository: Repository,
  excluded: readonly ObjectId[],
  included: readonly ObjectId[],
  keepsLines: boolean = false,
): Promise<readonly ObjectId[]> {
  const gone = await ancestorsOf(repository, excluded)
  const wanted = new Map<ObjectId, number>()
  const open = [...included]
  for (let oid = open.pop(); oid !== undefined; oid = open.pop()) {
    if (gone.has(oid) || wanted.has(oid)) continue
    wanted.set(oid, 0)
    open.push(...(await parentsOf(repository, oid)))
  }
  for (const oid of wanted.keys()) {
    for (const parent of await parentsOf(repository, oid)) {
      const children = wanted.get(parent)
      if (children !== undefined) wanted.set(parent, children + 1)
    }
  }
  const queue = new CommitQueue()
  let count = 0
  const push = async (oid: ObjectId): Promise<void> =>
    queue.push(oid, keepsLines ? count++ : (await repository.objects.readCommit(oid)).committer.time)
  for (const [oid, children] of wanted) if (children === 0) await push(oid)
  const newestFirst: ObjectId[] = []
  for (let oid = queue.pop(); oid !== undefined; oid = queue.pop()) {
    newestFirst.push(oid)
    for (const parent of await parentsOf(repository, oid)) {
      const children = wanted.get(parent)
      if (children === undefined) continue
      wanted.set(parent, children - 1)
      if (children === 1) await push(parent)
    }
  }
  return newestFirst.toReversed()
}

export async function ancestorsOf(repository: Repository, commits: readonly ObjectId[]): Promise<ReadonlySet<ObjectId>> {
  const found = new Set<ObjectId>()
  const open = [...commits]
  for (let oid = open.pop(); oid !== undefined; oid = open.pop()) {
    if (found.has(oid)) continue
    found.add(oid)
    open.push(...(await parentsOf(repository, oid)))
  }
  return found
}
