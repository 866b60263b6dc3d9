// What a transaction is based on: the nodes that its edits touch, as they were when it began. Plain data, so that it can be compared with
// another tree, also with one in another tab.

import type { VfsPath } from '../../core/path.ts'
import type { VfsError } from '../error.ts'
import type { Edit } from './edit.ts'
import type { Entry, TreeNode } from './node.ts'
import type { Version } from './tree.ts'

export interface Basis {
  readonly path: VfsPath
  /** The path before the transaction moved it. */
  readonly original: VfsPath
  /** 0 if it was missing. */
  readonly rev: number
  readonly ino: number
}

/** Passed in, because memory() loads this file on first use, and it must share no code with what is always loaded. */
export interface BasisHelpers {
  readonly childPath: (parent: VfsPath, name: string) => VfsPath
  readonly isInside: (path: VfsPath, directory: VfsPath) => boolean
  readonly pathNames: (path: VfsPath) => readonly string[]
  readonly nodeOf: (version: Version, entry: Entry) => TreeNode
  readonly stale: (syscall: string, path: VfsPath, expectedRev: number, actualRev: number) => VfsError
}

export interface ComparingBasis {
  basisOf(base: Version, edits: readonly Edit[]): Basis[]
  checkBasis(live: Version, basis: readonly Basis[]): void
  exactNode(version: Version, path: VfsPath): TreeNode | undefined
}

type Move = Edit & { readonly kind: 'move' }

export function comparingBasis({ childPath, isInside, pathNames, nodeOf, stale }: BasisHelpers): ComparingBasis {
  const exactNode = (version: Version, path: VfsPath): TreeNode | undefined => {
    let node: TreeNode = version.root
    for (const name of pathNames(path)) {
      if (node.kind !== 'directory') return undefined
      const entry = node.entries.get(name)
      if (entry === undefined) return undefined
      node = nodeOf(version, entry)
    }
    return node
  }

  /** The path before `moves` of what is now at `path`. */
  const beforeMoves = (path: VfsPath, moves: readonly Move[]): VfsPath => {
    let original = path
    for (const move of moves.toReversed()) {
      if (isInside(original, move.path)) {
        original = pathNames(original).slice(pathNames(move.path).length).reduce(childPath, move.from)
      }
    }
    return original
  }

  return {
    exactNode,
    basisOf(base, edits) {
      const moves: Move[] = []
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
    },
    checkBasis(live, basis) {
      for (const { path, original, rev, ino } of basis) {
        const node = exactNode(live, original)
        if ((node?.rev ?? 0) !== rev || (node?.ino ?? 0) !== ino) throw stale('commit', path, rev, node?.rev ?? 0)
      }
    },
  }
}

/** The paths of the nodes that an edit depends on: if one of them changed meanwhile, the edit would undo another writer's work. */
function pathsOf(edit: Edit): readonly VfsPath[] {
  switch (edit.kind) {
    case 'put':
    case 'drop':
      return [edit.path]
    case 'link':
      return [edit.existing, edit.path]
    case 'move':
      return [edit.from, edit.path]
  }
}
