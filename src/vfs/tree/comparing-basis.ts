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
  readonly pathNames: (path: VfsPath) => readonly string[]
  readonly nodeOf: (version: Version, entry: Entry) => TreeNode
  readonly stale: (syscall: string, path: VfsPath, expectedRev: number, actualRev: number) => VfsError
}

export interface ComparingBasis {
  basisOf(base: Version, edits: readonly Edit[]): Basis[]
  checkBasis(live: Version, basis: readonly Basis[]): void
  exactNode(version: Version, path: VfsPath): TreeNode | undefined
}

export function comparingBasis({ childPath, pathNames, nodeOf, stale }: BasisHelpers): ComparingBasis {
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

  return {
    exactNode,
    basisOf(base, edits) {
      const origins = new Origins({ childPath, pathNames })
      const basis: Basis[] = []
      for (const edit of edits) {
        for (const path of pathsOf(edit)) {
          const original = origins.of(path)
          const node = exactNode(base, original)
          basis.push({ path, original, rev: node?.rev ?? 0, ino: node?.ino ?? 0 })
        }
        if (edit.kind === 'move') origins.move(edit.from, edit.path)
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

interface Origin {
  /** Where this entry was before the transaction moved it; absent if it moved only with a directory above it. */
  path?: VfsPath
  readonly below: Map<string, Origin>
}

/** Where entries were before the moves of a transaction. A lookup and a move cost the depth of a path, however many moves there were. */
class Origins {
  readonly #root: Origin = { below: new Map() }
  readonly #helpers: Pick<BasisHelpers, 'childPath' | 'pathNames'>

  constructor(helpers: Pick<BasisHelpers, 'childPath' | 'pathNames'>) {
    this.#helpers = helpers
  }

  /** The path before all moves of what is now at `path`. */
  of(path: VfsPath): VfsPath {
    let original = '/' as VfsPath
    let at: Origin | undefined = this.#root
    for (const name of this.#helpers.pathNames(path)) {
      at = at?.below.get(name)
      original = at?.path ?? this.#helpers.childPath(original, name)
    }
    return original
  }

  move(from: VfsPath, to: VfsPath): void {
    const original = this.of(from)
    const moved = this.#take(from)
    moved.path = original
    const names = [...this.#helpers.pathNames(to)]
    const last = names.pop()
    if (last === undefined) return
    let at = this.#root
    for (const name of names) {
      const next: Origin = at.below.get(name) ?? { below: new Map() }
      at.below.set(name, next)
      at = next
    }
    at.below.set(last, moved)
  }

  /** What is known of `path` and below, which leaves this place. */
  #take(path: VfsPath): Origin {
    const names = [...this.#helpers.pathNames(path)]
    const last = names.pop()
    let at: Origin | undefined = this.#root
    for (const name of names) at = at?.below.get(name)
    const found = last === undefined ? undefined : at?.below.get(last)
    if (last !== undefined) at?.below.delete(last)
    return found ?? { below: new Map() }
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
