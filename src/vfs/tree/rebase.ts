// A transaction that others overtook, carried over to what they left. Loaded when that happens first.

import { type BasisHelpers, comparingBasis } from './comparing-basis.ts'
import type { Edit } from './edit.ts'
import type { Tree, Version } from './tree.ts'
import type { TreeStore } from './tree-store.ts'

/** Makes `candidate`, a continuation of the present tree, what it is with `edits` on top; ESTALE if what they touch is not as in `base`. */
export function rebase(
  { tree, stamps, journal }: TreeStore,
  base: Version,
  edits: readonly Edit[],
  candidate: Tree,
  helpers: BasisHelpers,
): void {
  const comparing = comparingBasis(helpers)
  comparing.checkBasis(tree, comparing.basisOf(base, edits))
  // Their directories meanwhile have changes that this transaction did not see, so they get numbers that nobody has seen.
  const restamped = edits.map(edit => ({ ...edit, atMs: stamps.nowMs(), rev: stamps.nextRev() }))
  for (const edit of restamped) candidate.apply(edit)
  journal?.admit(restamped)
}
