// What a transaction rests on, for those who have all of the tree at hand. How it is told is in comparing-basis.ts.

import type { VfsPath } from '../../core/path.ts'
import { childPath, isInside, pathNames } from '../../core/path.ts'
import { type Basis, comparingBasis } from './comparing-basis.ts'
import type { Edit } from './edit.ts'
import type { TreeNode } from './node.ts'
import { stale } from '../stale.ts'
import { nodeOf, type Version } from './tree.ts'

export type { Basis } from './comparing-basis.ts'

const comparing = comparingBasis({ childPath, isInside, pathNames, nodeOf, stale })

export function basisOf(base: Version, edits: readonly Edit[]): Basis[] {
  return comparing.basisOf(base, edits)
}

/** Throws ESTALE for the first that is not as it was. */
export function checkBasis(live: Version, basis: readonly Basis[]): void {
  comparing.checkBasis(live, basis)
}

/** What lies at a real path; nothing where a name on the way is no directory, for then the path means something else now. */
export function exactNode(version: Version, path: VfsPath): TreeNode | undefined {
  return comparing.exactNode(version, path)
}
