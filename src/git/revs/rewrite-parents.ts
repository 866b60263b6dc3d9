import type { ObjectId } from '../store/object-format.ts'

interface SimplifiedCommit {
  readonly oid: ObjectId
  parents: readonly ObjectId[]
  /** It changes nothing and is not shown. */
  readonly isSame: boolean
}

/** Replaces parents by the nearest shown commits. */
export function rewriteParents(list: readonly SimplifiedCommit[]): void {
  const inList = new Map(list.map(node => [node.oid, node]))
  const nearest = (oid: ObjectId): ObjectId | undefined => {
    let at: ObjectId | undefined = oid
    while (at !== undefined) {
      const node = inList.get(at)
      if (node === undefined || !node.isSame) return at
      at = node.parents[0]
    }
    return undefined
  }
  for (const node of list) {
    if (node.isSame) continue
    node.parents = [...new Set(node.parents.flatMap(parent => nearest(parent) ?? []))]
  }
}
