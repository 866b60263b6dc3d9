// What a transaction rests on: the nodes that its edits touch, as they were when it began. Plain data, so that it can be held against
// another tree, also one in another tab.

import { childPath, isInside, pathNames, type VfsPath } from '../../core/path.ts'
import { type Edit, pathsOf } from './edit.ts'
import type { TreeNode } from './node.ts'
import { stale } from './stale.ts'
import { nodeOf, type Version } from './tree.ts'

export interface Basis {
  readonly path: VfsPath
  /** Where it lay before the transaction moved it. */
  readonly original: VfsPath
  /** 0 for what was missing. */
  readonly rev: number
  readonly ino: number
}

export function basisOf(base: Version, edits: readonly Edit[]): Basis[] {
  const moves: (Edit & { kind: 'move' })[] = []
  const basis: Basis[] = []
  for (const edit of edits) {
    for (const path of pathsOf(edit)) {
      const original = beforeMoves(path, moves)
      const node = exactNode(base, original)
      basis.push({ path, original, rev: node?.rev ?? 0, ino: node?.ino ?? 0 })
    }
    if (edit.kind === 'move') moves.push(edit)
  }
  return basis
}

/** Throws ESTALE for the first that is not as it was. */
export function checkBasis(live: Version, basis: readonly Basis[]): void {
  for (const { path, original, rev, ino } of basis) {
    const node = exactNode(live, original)
    if ((node?.rev ?? 0) !== rev || (node?.ino ?? 0) !== ino) throw stale('commit', path, rev, node?.rev ?? 0)
  }
}

/** Where what is now at `path` was before `moves`. */
function beforeMoves(path: VfsPath, moves: readonly { readonly path: VfsPath; readonly from: VfsPath }[]): VfsPath {
  let original = path
  for (const move of moves.toReversed()) {
    if (isInside(original, move.path)) original = rebasedPath(original, move.path, move.from)
  }
  return original
}

/** `path`, which lies in `from`, as it would be called in `to`. */
function rebasedPath(path: VfsPath, from: VfsPath, to: VfsPath): VfsPath {
  return pathNames(path).slice(pathNames(from).length).reduce(childPath, to)
}

/** What lies at a real path; nothing where a name on the way is no directory, for then the path means something else now. */
export function exactNode(version: Version, path: VfsPath): TreeNode | undefined {
  let node: TreeNode = version.root
  for (const name of pathNames(path)) {
    if (node.kind !== 'directory') return undefined
    const entry = node.entries.get(name)
    if (entry === undefined) return undefined
    node = nodeOf(version, entry)
  }
  return node
}
