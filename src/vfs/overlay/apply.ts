// Applies the changes. First, everything that was touched is compared with the current state of the lower layer. Then moved directories are
// moved to temporary places, so that two that were swapped do not collide. Then the contents of the upper layer are written.

import { childPath, parsePath, pathNames, rootPath, type VfsPath } from '../../core/path.ts'
import type { Dirent, Stat } from '../backend.ts'
import { statIfAny } from '../derived/exists.ts'
import { removeTree } from '../derived/remove-tree.ts'
import { VfsError } from '../error.ts'
import { call, type Steps } from '../steps.ts'
import { conflictsOf, isLeft, type LayerConflict, leftBecauseOf } from './conflicts.ts'
import { type Container, type Containers, readContainers } from './containers.ts'
import { entriesOf, goneTag, keptOf, type Layers, untagLink } from './layers.ts'
import { type MergedFile, mergesOf } from './merges.ts'

const notFollowing = { follow: false } as const

/** Options of applying an overlay. */
export interface PlannedApply {
  readonly merges: readonly MergedFile[]
  readonly conflicts: readonly LayerConflict[]
  /** Paths that stay as they are in both layers, because they could not be merged. */
  readonly left: readonly VfsPath[]
}

/** Throws if the plan is not the one that was agreed to. */
export type Agreed = (planned: PlannedApply) => void

/** Throws ESTALE for the first conflict where nothing is merged. */
export function* planSteps(layers: Layers, containers: Containers): Steps<PlannedApply> {
  const merges = yield* mergesOf(layers, containers.all)
  const conflicts = yield* conflictsOf(layers, containers.all, merges)
  const [first] = conflicts
  if (first !== undefined && layers.merging === undefined) throw overtaken(first)
  const left = yield* leftBecauseOf(layers, containers, conflicts)
  return { merges: merges.filter(({ path }) => !isLeft(left, path)), conflicts, left }
}

/** For layers whose lower layer may be written. Throws before anything is changed. */
export function* applySteps(layers: Layers, agreed: Agreed = () => undefined): Steps<PlannedApply> {
  const containers = yield* readContainers(layers)
  const planned = yield* planSteps(layers, containers)
  agreed(planned)
  const { merges, left } = planned
  const moved = containers.inUse.filter(
    ({ path, origin, isInPlace }) => path !== undefined && origin !== undefined && !isInPlace && !isLeft(left, path),
  )
  const parked = yield* parkMoved(layers, moved)
  yield* putEntries(layers, containers.root, {
    parked,
    merges: new Map(merges.map(merge => [merge.at, merge])),
    left: new Set(left),
    linked: new Map(),
  })
  if (parked.directory !== undefined) yield* call(layers.lower, 'remove', parked.directory, 'directory')
  return planned
}

function overtaken({ path, what }: LayerConflict): VfsError {
  return new VfsError('ESTALE', 'apply', {
    path,
    hint: `it was ${what} in the lower filesystem since it was changed here; use drop(), or make the change again`,
  })
}

interface Parked {
  readonly directory: VfsPath | undefined
  /** By container. */
  readonly places: ReadonlyMap<VfsPath, VfsPath>
}

/** The deepest first, so that an entry that was moved out of a directory does not move along with it. */
function* parkMoved(layers: Layers, moved: readonly Container[]): Steps<Parked> {
  const places = new Map<VfsPath, VfsPath>()
  if (moved.length === 0) return { directory: undefined, places }
  const directory = yield* freeName(layers)
  yield* call(layers.lower, 'mkdir', directory)
  const depth = ({ origin }: Container): number => (origin === undefined ? 0 : pathNames(origin).length)
  for (const { at, origin } of moved.toSorted((a, b) => depth(b) - depth(a))) {
    if (origin === undefined) continue
    const place = childPath(directory, `${places.size}`)
    yield* call(layers.lower, 'rename', origin, place)
    places.set(at, place)
  }
  return { directory, places }
}

function* freeName(layers: Layers): Steps<VfsPath> {
  for (let number = 0; ; number++) {
    const path = parsePath(`/.applying-${number}`)
    if ((yield* statIfAny(layers.lower, path, notFollowing)) === undefined) return path
  }
}

interface Placing {
  readonly parked: Parked
  /** By place in the upper layer. */
  readonly merges: ReadonlyMap<VfsPath, MergedFile>
  readonly left: ReadonlySet<VfsPath>
  /** First names of files and symlinks that have several. */
  readonly linked: Map<number, VfsPath>
}

/** Writes the contents of the upper layer's `root` to the lower layer. */
function* putEntries(layers: Layers, root: Container, placing: Placing): Steps<void> {
  const { upper, lower } = layers
  const kept = yield* keptOf(layers)
  const pending = [{ container: root, goal: rootPath }]
  const done: { readonly at: VfsPath; readonly goal: VfsPath }[] = []
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const current = next
    const entries = entriesOf(current.container.at)
    if ((yield* statIfAny(upper, entries)) === undefined) continue
    const listed = yield* call(upper, 'list', entries)
    const isLeftHere = ({ name }: Dirent): boolean => placing.left.has(childPath(current.goal, name))
    // A directory that exists here only because of entries that are left in it keeps its time.
    if (listed.length === 0 || !listed.every(isLeftHere)) done.push({ at: entries, goal: current.goal })
    // Remove first: the old entry of a name must be gone before a new one takes its place.
    for (const { name, kind } of listed.filter(each => !isLeftHere(each))) {
      const at = childPath(entries, name)
      const place = childPath(current.goal, name)
      const now = yield* call(upper, 'lookup', at, notFollowing)
      const tagged = kind === 'symlink' ? yield* call(upper, 'readlink', at) : ''
      const child = current.container.children.find(candidate => candidate.at === at)
      const first = now.nlink > 1 ? placing.linked.get(now.ino) : undefined
      if (now.nlink > 1 && first === undefined) placing.linked.set(now.ino, place)
      if (tagged === goneTag) yield* removeTree(lower, place, { recursive: true, force: true })
      else if (first !== undefined) {
        yield* removeTree(lower, place, { recursive: true, force: true })
        yield* call(lower, 'link', first, place)
      } else if (kind === 'symlink') {
        yield* removeTree(lower, place, { recursive: true, force: true })
        yield* call(lower, 'symlink', untagLink(tagged), place)
        yield* call(lower, 'setattr', place, { mtimeMs: now.mtimeMs, follow: false })
      } else if (kind === 'file') {
        const isKept = current.container.isInPlace && kept.get(now.ino) === place
        const merge = placing.merges.get(at)
        if (merge === undefined) yield* putFile(layers, at, place, now, isKept)
        else yield* putMerged(layers, merge, place, current.container.isInPlace)
      } else if (child !== undefined) {
        yield* putDirectory(layers, child, place, placing.parked)
        pending.push({ container: child, goal: place })
      }
    }
  }
  for (const { at, goal: place } of done.toReversed()) {
    const { mode, mtimeMs } = yield* call(upper, 'lookup', at)
    yield* call(lower, 'setattr', place, { mode, mtimeMs })
  }
}

function* putFile(
  { upper, lower }: Layers,
  at: VfsPath,
  place: VfsPath,
  { mode, mtimeMs }: Stat,
  /** Whether the lower layer already has the content at this place. */
  isKept: boolean,
): Steps<void> {
  if (!isKept) {
    const there = yield* statIfAny(lower, place, notFollowing)
    if (there !== undefined && there.kind !== 'file') yield* removeTree(lower, place, { recursive: true })
    yield* call(lower, 'write', place, yield* call(upper, 'read', at), { mode })
  }
  yield* call(lower, 'setattr', place, { mode, mtimeMs })
}

function* putMerged(
  { lower }: Layers,
  { bytes, mode, rev, lower: from }: MergedFile,
  place: VfsPath,
  isInPlace: boolean,
): Steps<void> {
  const isSame = isInPlace && place === from
  if (!isSame) yield* removeTree(lower, place, { recursive: true, force: true })
  yield* call(lower, 'write', place, bytes, isSame ? { ifRev: rev } : { mode })
  yield* call(lower, 'setattr', place, { mode })
}

function* putDirectory({ upper, lower }: Layers, { at, isInPlace }: Container, place: VfsPath, { places }: Parked): Steps<void> {
  if (isInPlace) return
  const parkedAt = places.get(at)
  yield* removeTree(lower, place, { recursive: true, force: true })
  if (parkedAt !== undefined) yield* call(lower, 'rename', parkedAt, place)
  else yield* call(lower, 'mkdir', place, { mode: (yield* call(upper, 'lookup', entriesOf(at))).mode })
}
