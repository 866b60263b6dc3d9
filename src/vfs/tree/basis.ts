// Checks what a transaction is based on, for callers that have the whole tree. The algorithm is in comparing-basis.ts.

import type { VfsPath } from '../../core/path.ts'
import { childPath, pathNames } from '../../core/path.ts'
import { type Basis, comparingBasis } from './comparing-basis.ts'
import type { Edit } from './edit.ts'
import type { TreeNode } from './node.ts'
import { stale } from '../stale.ts'
import { nodeOf, type Version } from './tree.ts'

export type { Basis } from './comparing-basis.ts'

const comparing = comparingBasis({ childPath, pathNames, nodeOf, stale })

export function basisOf(base: Version, edits: readonly Edit[]): Basis[] {
  return comparing.basisOf(base, edits)
}

/** Throws ESTALE for the first path that has changed. */
export function checkBasis(live: Version, basis: readonly Basis[]): void {
  comparing.checkBasis(live, basis)
}

/** The node at a real path; `undefined` if a name on the way is not a directory, because then the path has another meaning now. */
export function exactNode(version: Version, path: VfsPath): TreeNode | undefined {
  return comparing.exactNode(version, path)
}
