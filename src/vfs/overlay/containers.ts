// The touched directories of the upper layer, with where each is and which directory of the lower layer it came from.

import { childPath, rootPath, type VfsPath } from '../../core/path.ts'
import { statIfAny } from '../derived/exists.ts'
import { call, type Steps } from '../steps.ts'
import { originIn } from './changes.ts'
import { entriesOf, graveyard, type Layers, namesIn } from './layers.ts'
import { pushAll } from '../../core/many.ts'

/** A directory of the upper layer, either in use or removed. */
export interface Container {
  readonly at: VfsPath
  /** Its path in the overlay; `undefined` for a removed one. */
  readonly path: VfsPath | undefined
  readonly origin: VfsPath | undefined
  /**
   * Whether the lower layer has it at that path, and so has every directory above it too. A directory that has its old path again under
   * another parent is not in place: in the lower layer it is where that parent came from, or it was removed with what was there.
   */
  readonly isInPlace: boolean
  readonly children: Container[]
}

/** The root, which is in use, with all below it, and the removed ones. */
export interface Containers {
  readonly root: Container
  readonly inUse: readonly Container[]
  readonly all: readonly Container[]
}

export function* readContainers(layers: Layers): Steps<Containers> {
  const root = yield* readContainer(layers, rootPath, rootPath, rootPath)
  const removed: Container[] = []
  for (const name of yield* namesIn(layers.upper, graveyard)) {
    const at = childPath(graveyard, name)
    removed.push(yield* readContainer(layers, at, undefined, yield* originIn(layers, at)))
  }
  const inUse = flat(root)
  return { root, inUse, all: [...inUse, ...removed] }
}

function* readContainer(layers: Layers, at: VfsPath, path: VfsPath | undefined, origin: VfsPath | undefined): Steps<Container> {
  const container: Container = { at, path, origin, isInPlace: path !== undefined && path === origin, children: [] }
  const pending = [container]
  for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
    const entries = entriesOf(current.at)
    if ((yield* statIfAny(layers.upper, entries)) === undefined) continue
    for (const { name, kind } of yield* call(layers.upper, 'list', entries)) {
      if (kind !== 'directory') continue
      const inner = childPath(entries, name)
      const innerPath = current.path === undefined ? undefined : childPath(current.path, name)
      const innerOrigin = yield* originIn(layers, inner)
      const child: Container = {
        at: inner,
        path: innerPath,
        origin: innerOrigin,
        isInPlace: current.isInPlace && innerPath === innerOrigin,
        children: [],
      }
      current.children.push(child)
      pending.push(child)
    }
  }
  return container
}

function flat(root: Container): readonly Container[] {
  const all: Container[] = [root]
  for (let index = 0; index < all.length; index++) pushAll(all, all[index]?.children ?? [])
  return all
}
