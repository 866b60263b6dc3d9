// Applies a transaction that was overtaken to the newer tree. Loaded when that first happens.

import { type BasisHelpers, comparingBasis } from './comparing-basis.ts'
import type { Edit } from './edit.ts'
import type { Tree, Version } from './tree.ts'
import type { TreeStore } from './tree-store.ts'

/** Applies `edits` to `candidate`, a copy of the current tree. ESTALE if a node that they touch is not as it was in `base`. */
export function rebase(
  { tree, stamps, journal }: TreeStore,
  base: Version,
  edits: readonly Edit[],
  candidate: Tree,
  helpers: BasisHelpers,
): void {
  const comparing = comparingBasis(helpers)
  comparing.checkBasis(tree, comparing.basisOf(base, edits))
  // Their directories now contain changes that this transaction did not see, so they get new revision numbers.
  const restamped = edits.map(edit => ({ ...edit, atMs: stamps.nowMs(), rev: stamps.nextRev() }))
  for (const edit of restamped) candidate.apply(edit)
  journal?.admit(restamped)
}
