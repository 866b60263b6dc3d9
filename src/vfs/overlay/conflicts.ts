// Compares everything that was touched with the lower layer as it is now, and finds the entries that must be left because they cannot be
// merged. An entry is left as a whole: with everything in it, and with the paths that it was moved from and to, so that no file is removed
// at one path and missing at the other.

import { childPath, isInside, pathNames, type VfsPath } from '../../core/path.ts'
import { statIfAny } from '../derived/exists.ts'
import { call, type Steps } from '../steps.ts'
import type { Container, Containers } from './containers.ts'
import { type Base, basesOf, entriesOf, keptOf, type Layers, namesIn, untagBase } from './layers.ts'
import type { MergedFile } from './merges.ts'
import { pushAll } from '../../core/many.ts'

const notFollowing = { follow: false } as const

/** Something that was touched here, and changed in the lower layer. */
export interface LayerConflict {
  /** In the lower layer. */
  readonly path: VfsPath
  readonly what: 'changed' | 'created' | 'removed' | 'replaced'
  /** In the overlay; the same as `path` if nothing was moved. */
  readonly at: VfsPath
}

/** Names that were touched, if the lower layer has another state under them, except for what is merged. */
export function* conflictsOf(
  layers: Layers,
  containers: readonly Container[],
  merges: readonly MergedFile[],
): Steps<readonly LayerConflict[]> {
  const origins = new Map(
    containers.flatMap(container => (container.origin === undefined ? [] : [[container.origin, container] as const])),
  )
  const mergedRevs = new Map(merges.map(({ lower, rev }) => [lower, rev]))
  const conflicts: LayerConflict[] = []
  for (const container of containers) pushAll(conflicts, yield* conflictsIn(layers, container, origins, mergedRevs))
  return conflicts
}

function* conflictsIn(
  layers: Layers,
  { at, path, origin }: Container,
  origins: ReadonlyMap<VfsPath, Container>,
  mergedRevs: ReadonlyMap<VfsPath, number>,
): Steps<readonly LayerConflict[]> {
  if (origin === undefined) return []
  const directory = yield* statIfAny(layers.lower, origin, notFollowing)
  const own = path ?? origin
  if (directory === undefined) return [{ path: origin, what: 'removed', at: own }]
  if (directory.kind !== 'directory') return [{ path: origin, what: 'replaced', at: own }]
  const found: LayerConflict[] = []
  const bases = new Map<string, Base>()
  for (const name of yield* namesIn(layers.upper, basesOf(at)))
    bases.set(name, untagBase(yield* call(layers.upper, 'readlink', childPath(basesOf(at), name))))
  for (const [name, base] of bases) {
    const below = childPath(origin, name)
    const shown = childPath(own, name)
    const stat = yield* statIfAny(layers.lower, below, notFollowing)
    if (stat === undefined) found.push({ path: below, what: 'removed', at: shown })
    else if (base.kind !== undefined && base.kind !== stat.kind) found.push({ path: below, what: 'replaced', at: shown })
    else if (stat.kind !== 'directory') {
      if (stat.rev !== (mergedRevs.get(below) ?? base.rev)) found.push({ path: below, what: 'changed', at: shown })
    } else if (!origins.has(below)) {
      // A directory's revision only shows that names were added or removed. Instead, it must be empty, or each entry is checked.
      const [first] = yield* call(layers.lower, 'list', below)
      if (first !== undefined) found.push({ path: childPath(below, first.name), what: 'created', at: shown })
    }
  }
  const touched = new Set(yield* namesIn(layers.upper, entriesOf(at)))
  for (const { name, kind } of yield* call(layers.lower, 'list', origin)) {
    const below = childPath(origin, name)
    const isShownThrough = kind === 'directory' && origins.get(below)?.at === childPath(entriesOf(at), name)
    const isNew = !bases.has(name) && !isShownThrough
    // A removed directory must not contain entries that were not removed here.
    if (isNew && (touched.has(name) || path === undefined)) found.push({ path: below, what: 'created', at: childPath(own, name) })
  }
  return found
}

/** The paths that are left, none of them inside another. Each has the same meaning in both layers. */
export function* leftBecauseOf(
  layers: Layers,
  { root, inUse }: Containers,
  conflicts: readonly LayerConflict[],
): Steps<readonly VfsPath[]> {
  const left = new Set<VfsPath>()
  const leave = (path: VfsPath): void => void left.add(wholeAt(root, path))
  for (const { path, at } of conflicts) {
    leave(path)
    leave(at)
  }
  if (left.size === 0) return []
  const arrivals = inUse.flatMap(({ path, origin, isInPlace }) =>
    path === undefined || origin === undefined || isInPlace ? [] : [{ path, origin }],
  )
  pushAll(arrivals, yield* arrivedFiles(layers, inUse))
  for (let size = -1; size !== left.size;) {
    size = left.size
    for (const { path, origin } of arrivals) {
      if (isLeft(left, path) === isLeft(left, origin)) continue
      leave(path)
      leave(origin)
    }
  }
  return [...left].filter(path => ![...left].some(other => other !== path && isInside(path, other)))
}

/** Whether a path is one of those that are left, or inside one. */
export function isLeft(left: Iterable<VfsPath>, path: VfsPath): boolean {
  for (const each of left) if (isInside(path, each)) return true
  return false
}

/** The first entry on the way to `path` that is not a directory of both layers at this place, or `path` itself. */
function wholeAt(root: Container, path: VfsPath): VfsPath {
  let current = root
  for (const name of pathNames(path)) {
    const here = childPath(current.path ?? path, name)
    const child = current.children.find(each => each.path === here)
    if (child?.isInPlace !== true) return here
    current = child
  }
  return path
}

/** Files with the content of the lower layer that are not where they were. */
function* arrivedFiles(
  layers: Layers,
  inUse: readonly Container[],
): Steps<readonly { readonly path: VfsPath; readonly origin: VfsPath }[]> {
  const kept = yield* keptOf(layers)
  if (kept.size === 0) return []
  const arrived: { readonly path: VfsPath; readonly origin: VfsPath }[] = []
  for (const { at, path } of inUse) {
    if (path === undefined) continue
    for (const { name, kind } of yield* entriesIn(layers, at)) {
      if (kind !== 'file') continue
      const { ino } = yield* call(layers.upper, 'lookup', childPath(entriesOf(at), name), notFollowing)
      const origin = kept.get(ino)
      if (origin !== undefined) arrived.push({ path: childPath(path, name), origin })
    }
  }
  return arrived
}

function* entriesIn(layers: Layers, container: VfsPath): Steps<readonly { readonly name: string; readonly kind: string }[]> {
  const entries = entriesOf(container)
  if ((yield* statIfAny(layers.upper, entries)) === undefined) return []
  return yield* call(layers.upper, 'list', entries)
}
