// A file that is written and moved is another node of the tree, so the difference of two states shows its removal and a new file. What was
// moved in between says that they are one file.

import { isInside, type VfsPath } from '../core/path.ts'
import type { Difference } from '../vfs/backend.ts'
import { deepest, rebased, type Relocation } from './transfer.ts'

/** Moves in order. Those of one element happen at once. */
export type Trail = readonly (readonly Relocation[])[]

/** `differences` with files that were moved and written as a move and a change. `trail` leads back from their later state to the earlier one. */
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

/** `undefined` if something else was moved there. */
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
