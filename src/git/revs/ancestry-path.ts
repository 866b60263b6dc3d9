// `--ancestry-path`: the commits between some commits and the tips.

import { failure } from '../errors.ts'
import type { Repository } from '../repository.ts'
import type { ObjectId } from '../store/object-format.ts'
import { peel, resolveRevision } from './revision.ts'
import type { WalkNode } from './walk.ts'

export interface AncestryPath {
  readonly bottoms: readonly ObjectId[]
  readonly through: readonly ObjectId[]
}

/** Keeps commits that descend from the excluded ones, or that are ancestors or descendants of the named ones. `sorted`: children first. */
export function onAncestryPath(sorted: readonly WalkNode[], list: WalkNode[], { bottoms, through }: AncestryPath): WalkNode[] {
  const isBehind = new Set(through.length > 0 ? through : bottoms)
  for (const { oid, parents } of sorted.toReversed()) if (parents.some(parent => isBehind.has(parent))) isBehind.add(oid)
  if (through.length === 0) return list.filter(({ oid }) => isBehind.has(oid))
  const isBefore = new Set(through)
  for (const { oid, parents } of sorted) if (isBefore.has(oid)) for (const parent of parents) isBefore.add(parent)
  return list.filter(({ oid }) => isBehind.has(oid) || isBefore.has(oid))
}

/** The commits that `--ancestry-path=` names. */
export async function throughCommits(repository: Repository, words: readonly string[]): Promise<readonly ObjectId[]> {
  const found: ObjectId[] = []
  for (const word of words) {
    const revision = await resolveRevision(repository, word)
    const commit = revision === undefined ? undefined : await peel(repository, revision.oid, 'commit')
    if (commit === undefined) throw failure(`could not get commit for ancestry-path argument ${word}`, 128)
    found.push(commit)
  }
  return found
}
