// Common ancestors that are not ancestors of another common ancestor.

import type { ObjectId } from '../store/object-format.ts'
import type { Repository } from '../repository.ts'
import { CommitQueue } from './commit-queue.ts'
import { parentsOf } from './parents.ts'

const fromFirst = 1
const fromOthers = 2
const stale = 4

/** All best common ancestors of `one` and any of `others`, newest first. */
export async function mergeBases(
  repository: Repository,
  one: ObjectId,
  others: readonly ObjectId[],
): Promise<readonly ObjectId[]> {
  if (others.includes(one)) return [one]
  const found = await paint(repository, one, others)
  if (found.length <= 1) return found
  return independent(repository, found)
}

async function paint(repository: Repository, one: ObjectId, others: readonly ObjectId[]): Promise<readonly ObjectId[]> {
  const flags = new Map<ObjectId, number>()
  const queue = new CommitQueue()
  const add = async (oid: ObjectId, flag: number): Promise<void> => {
    const before = flags.get(oid) ?? 0
    if ((before | flag) === before) return
    flags.set(oid, before | flag)
    queue.push(oid, (await repository.objects.readCommit(oid)).committer.time)
  }
  await add(one, fromFirst)
  for (const other of others) await add(other, fromOthers)
  const results: ObjectId[] = []
  const isOpen = (): boolean => {
    for (const oid of queue) if (((flags.get(oid) ?? 0) & stale) === 0) return true
    return false
  }
  while (isOpen()) {
    const oid = queue.pop()
    if (oid === undefined) break
    let own = (flags.get(oid) ?? 0) & (fromFirst | fromOthers | stale)
    if (own === (fromFirst | fromOthers)) {
      if (!results.includes(oid)) results.push(oid)
      own |= stale
    }
    for (const parent of await parentsOf(repository, oid)) await add(parent, own)
  }
  return results.filter(oid => ((flags.get(oid) ?? 0) & stale) === 0)
}

/** The commits that are not ancestors of another one in the list. */
export async function independent(repository: Repository, commits: readonly ObjectId[]): Promise<readonly ObjectId[]> {
  const kept: ObjectId[] = []
  const all = [...new Set(commits)]
  for (const oid of all) {
    let isReachable = false
    for (const other of all) {
      if (other !== oid && (await isAncestor(repository, oid, other))) {
        isReachable = true
        break
      }
    }
    if (!isReachable) kept.push(oid)
  }
  return kept
}

export async function isAncestor(repository: Repository, ancestor: ObjectId, descendant: ObjectId): Promise<boolean> {
  if (ancestor === descendant) return true
  const oldest = (await repository.objects.readCommit(ancestor)).committer.time
  const seen = new Set([descendant])
  const queue = new CommitQueue()
  queue.push(descendant, (await repository.objects.readCommit(descendant)).committer.time)
  // Some clocks are wrong, so commits that are a little older than the ancestor are visited too.
  let olderInARow = 0
  for (let oid = queue.pop(); oid !== undefined; oid = queue.pop()) {
    for (const parent of await parentsOf(repository, oid)) {
      if (parent === ancestor) return true
      if (seen.has(parent)) continue
      seen.add(parent)
      const { time } = (await repository.objects.readCommit(parent)).committer
      olderInARow = time < oldest ? olderInARow + 1 : 0
      if (olderInARow > 10_000) return false
      queue.push(parent, time)
    }
  }
  return false
}

/** One base for all: `merge-base --octopus`. */
export async function octopusBases(repository: Repository, commits: readonly ObjectId[]): Promise<readonly ObjectId[]> {
  const [first, ...rest] = commits
  if (first === undefined) return []
  let bases: readonly ObjectId[] = [first]
  for (const commit of rest) {
    const next: ObjectId[] = []
    for (const base of bases) next.push(...(await mergeBases(repository, base, [commit])))
    bases = await independent(repository, next)
  }
  return bases
}
