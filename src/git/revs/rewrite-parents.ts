// What a walk does with parents where it is limited to paths.

import type { ObjectId } from '../store/object-format.ts'
import type { WalkNode } from './walk.ts'

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

/**
 * Of a full history: whether a merge changes nothing depends on the parents in the range, if there are any. Where the history is drawn,
 * a merge ties its parents together even if it changes nothing (`keepsMerges`).
 */
export function compareRelevant(list: readonly WalkNode[], isRelevant: (oid: ObjectId) => boolean, keepsMerges: boolean): void {
  for (const node of list) {
    const relevant = node.parents.map(isRelevant)
    const { sameAs } = node
    if (sameAs !== undefined) {
      const compared = sameAs.filter((_, index) => relevant[index])
      node.isSame = (compared.length > 0 ? compared : sameAs).every(Boolean)
    }
    if (keepsMerges && relevant.filter(Boolean).length > 1) node.isSame = false
  }
}
