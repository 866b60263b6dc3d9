// Reads the changes from the upper layer: every entry in it was put there by a change, and records what it replaced.

import { childPath, dirname, rootPath, type VfsPath } from '../../core/path.ts'
import type { Difference, Stat } from '../backend.ts'
import { statIfAny } from '../derived/exists.ts'
import { call, type Steps } from '../steps.ts'
import {
  entriesOf,
  goneTag,
  keptOf,
  type Layers,
  lowerRev,
  namesIn,
  originOf,
  untagLink,
  untagLower,
  upperRev,
} from './layers.ts'

const notFollowing = { follow: false } as const

interface Directory {
  readonly container: VfsPath
  readonly path: VfsPath
  /** The directory of the lower layer that shows through. */
  readonly lower: VfsPath | undefined
}

/** An entry with the identity of an entry of the lower layer, but at another path. */
interface Arrival {
  readonly path: VfsPath
  readonly origin: VfsPath
  readonly now: Stat
}

/** The changes as {@link Difference}s, by path. */
export function* changesOf(layers: Layers): Steps<readonly Difference[]> {
  const told: Difference[] = []
  const gone = new Map<VfsPath, Difference>()
  const arrivals: Arrival[] = []
  const pending: Directory[] = [{ container: rootPath, path: rootPath, lower: rootPath }]
  const kept = yield* keptOf(layers)

  const tellGone = (path: VfsPath, { kind, rev }: Stat): void => {
    gone.set(path, { type: 'delete', path, kind, rev: lowerRev(rev) })
  }

  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    const entries = entriesOf(directory.container)
    yield* tellOwn(layers, directory, told)
    for (const name of yield* namesIn(layers.upper, entries)) {
      const at = childPath(entries, name)
      const path = childPath(directory.path, name)
      const place = directory.lower === undefined ? undefined : childPath(directory.lower, name)
      const old = place === undefined ? undefined : yield* statIfAny(layers.lower, place, notFollowing)
      const now = yield* call(layers.upper, 'lookup', at, notFollowing)
      const tagged = now.kind === 'symlink' ? yield* call(layers.upper, 'readlink', at) : ''
      if (tagged === goneTag) {
        if (place !== undefined && old !== undefined) tellGone(place, old)
        continue
      }
      const { kind } = now
      const origin = kind === 'directory' ? yield* originIn(layers, at) : kept.get(now.ino)
      const rev = upperRev(now.rev)
      const isInPlace = origin !== undefined && origin === place
      if (kind === 'directory') pending.push({ container: at, path, lower: origin })
      if (isInPlace) {
        if (kind === 'file' && old !== undefined && hasOtherAttributes(old, now))
          told.push({ type: 'attributes', path, kind, rev })
        continue
      }
      if (origin !== undefined) arrivals.push({ path, origin, now })
      const isSameKind =
        old !== undefined && place !== undefined && old.kind === kind && kind !== 'directory' && origin === undefined
      if (isSameKind) {
        const isSame = kind === 'symlink' && (yield* call(layers.lower, 'readlink', place)) === untagLink(tagged)
        if (!isSame) told.push({ type: 'modify', path, kind, rev })
        continue
      }
      if (old !== undefined && place !== undefined) tellGone(place, old)
      if (origin === undefined) told.push({ type: 'create', path, kind, rev })
    }
  }
  for (const { path, origin, now } of arrivals) {
    const { kind } = now
    const rev = upperRev(now.rev)
    // An entry that still exists was not moved: this is another name for it.
    if (kind === 'directory' || isGone(origin, gone)) {
      told.push({ type: 'move', path, oldPath: origin, kind, rev })
      const old = yield* statIfAny(layers.lower, origin, notFollowing)
      if (kind === 'file' && old !== undefined && hasOtherAttributes(old, now)) told.push({ type: 'attributes', path, kind, rev })
    } else told.push({ type: 'create', path, kind, rev })
    if (gone.get(origin)?.kind === kind) gone.delete(origin)
  }
  return [...told, ...gone.values()].sort((a, b) => (a.path === b.path ? rank(a) - rank(b) : a.path < b.path ? -1 : 1))
}

/** Reports a change of a directory's mode. Its time only shows that names were added or removed. */
function* tellOwn(layers: Layers, { container, path, lower }: Directory, told: Difference[]): Steps<void> {
  if (lower === undefined) return
  const now = yield* statIfAny(layers.upper, entriesOf(container))
  const old = yield* statIfAny(layers.lower, lower, notFollowing)
  if (now === undefined || old === undefined || now.mode === old.mode) return
  told.push({ type: 'attributes', path, kind: 'directory', rev: upperRev(now.rev) })
}

export function* originIn(layers: Layers, container: VfsPath): Steps<VfsPath | undefined> {
  const hasOrigin = (yield* call(layers.upper, 'list', container)).some(({ name }) => name === 'o')
  return hasOrigin ? untagLower(yield* call(layers.upper, 'readlink', originOf(container))) : undefined
}

function hasOtherAttributes(before: Stat, after: Stat): boolean {
  return before.mode !== after.mode || before.mtimeMs !== after.mtimeMs
}

function isGone(path: VfsPath, gone: ReadonlyMap<VfsPath, unknown>): boolean {
  for (let above = path; above !== rootPath; above = dirname(above)) if (gone.has(above)) return true
  return false
}

function rank({ type }: Difference): number {
  return type === 'delete' ? 0 : type === 'create' || type === 'move' ? 1 : 2
}

/** The differences to report when all of `changes` are undone. */
export function undone(changes: readonly Difference[]): readonly Difference[] {
  return changes.toReversed().map(change => {
    switch (change.type) {
      case 'create':
        return { ...change, type: 'delete' }
      case 'delete':
        return { ...change, type: 'create' }
      case 'move':
        return { ...change, path: change.oldPath ?? change.path, oldPath: change.path }
      case 'modify':
      case 'attributes':
        return change
    }
  })
}
