// A file that is both written and moved becomes another node of the tree, so the difference of two states contains a removal and
// a new file. The recorded moves show that both are the same file.

import { isInside, type VfsPath } from '../core/path.ts'
import type { Difference } from '../vfs/backend.ts'
import { deepest, rebased, type Relocation } from './transfer.ts'

/** Moves in order. Moves in one element happen at the same time. */
export type Trail = readonly (readonly Relocation[])[]

/** Replaces removals and new files in `differences` with moves and changes. `trail` leads from the later state back to the earlier one. */
export function followFiles(differences: readonly Difference[], trail: Trail): readonly Difference[] {
  if (trail.length === 0) return differences
  const removed = differences.filter(({ type }) => type === 'delete')
  const followed = new Map<Difference, readonly Difference[]>()
  for (const made of differences) {
    if (made.type !== 'create' || made.kind === 'directory') continue
    const { path, kind, rev } = made
    const oldPath = placeAfter(path, trail)
    const gone = removed.find(each => oldPath !== undefined && isInside(oldPath, each.path))
    if (oldPath === undefined || oldPath === path || gone === undefined) continue
    followed.set(made, [
      { type: 'move', path, oldPath, kind, rev },
      { type: 'modify', path, kind, rev },
    ])
    if (gone.path === oldPath) followed.set(gone, [])
  }
  return differences.flatMap(difference => followed.get(difference) ?? [difference])
}

/** Returns `undefined` if something else was moved there. */
function placeAfter(path: VfsPath, trail: Trail): VfsPath | undefined {
  let place = path
  for (const moved of trail) {
    const holding = deepest(moved, place)
    if (holding !== undefined) place = rebased(place, holding.source, holding.where)
    else if (moved.some(({ where }) => isInside(place, where))) return undefined
  }
  return place
}

export function reversed(trail: Trail): Trail {
  return trail.map(moved => moved.map(({ source, where }) => ({ source: where, where: source }))).toReversed()
}

export function movesIn(differences: readonly Difference[]): readonly Relocation[] {
  return differences.flatMap(({ type, path, oldPath }) =>
    type === 'move' && oldPath !== undefined ? [{ source: oldPath, where: path }] : [],
  )
}
