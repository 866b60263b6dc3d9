// `--simplify-merges`: a history without merges that combine nothing.

import type { Repository } from '../repository.ts'
import type { ObjectId } from '../store/object-format.ts'
import { isAncestor } from './merge-base.ts'
import type { WalkNode } from './walk.ts'

interface Walk {
  readonly repository: Repository
  readonly nodeOf: (oid: ObjectId) => WalkNode | undefined
  /** The parents that the walk follows. */
  readonly followed: (node: WalkNode) => readonly ObjectId[]
  readonly isRelevant: (oid: ObjectId) => boolean
}

/** Starts with the oldest: a commit that changes nothing is replaced by its parent, and redundant parents are dropped. */
export async function simplifyMerges(sorted: readonly WalkNode[], walk: Walk): Promise<WalkNode[]> {
  const inList = new Set(sorted.map(({ oid }) => oid))
  const standIn = new Map<ObjectId, ObjectId>()
  const kept: WalkNode[] = []
  for (const node of sorted.toReversed()) {
    let isSame = new Map<ObjectId, boolean>()
    for (const [index, oid] of walk.followed(node).entries()) {
      const parent = inList.has(oid) ? (standIn.get(oid) ?? oid) : oid
      if (!isSame.has(parent)) isSame.set(parent, node.sameAs?.[index] ?? node.isSame)
    }
    if (isSame.size > 1) isSame = await withoutRedundant(isSame, walk)
    const relevant = [...isSame.keys()].filter(walk.isRelevant)
    if (node.sameAs !== undefined && isSame.size > 0)
      node.isSame = (relevant.length > 0 ? relevant : [...isSame.keys()]).every(oid => isSame.get(oid) === true)
    node.parents = [...isSame.keys()]
    const [only, second] = isSame.size === 1 ? node.parents : relevant
    if (node.isSame && only !== undefined && second === undefined) standIn.set(node.oid, only)
    else if (!node.isSame || relevant.length > 1) kept.push(node)
  }
  return kept.reverse()
}

/** Parents that another one reaches, and roots without the paths, go; one from which the paths came stays. */
async function withoutRedundant(isSame: ReadonlyMap<ObjectId, boolean>, walk: Walk): Promise<Map<ObjectId, boolean>> {
  const dropped = new Set<ObjectId>()
  for (const oid of isSame.keys()) {
    const node = walk.nodeOf(oid)
    if (node?.isSame === true && node.parents.length === 0) dropped.add(oid)
    for (const other of isSame.keys())
      if (other !== oid && !dropped.has(oid) && (await isAncestor(walk.repository, oid, other))) dropped.add(oid)
  }
  const rows = [...isSame]
  if (!rows.some(([oid, same]) => same && !dropped.has(oid))) dropped.delete(rows.find(([, same]) => same)?.[0] ?? '')
  return new Map(rows.filter(([oid]) => !dropped.has(oid)))
}
