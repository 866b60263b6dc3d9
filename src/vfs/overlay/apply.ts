// Applies the changes. First, everything that was touched is compared with the current state of the lower layer. Then moved directories are
// moved to temporary places, so that two that were swapped do not collide. Then the contents of the upper layer are written.

import { childPath, parsePath, pathNames, rootPath, type VfsPath } from '../../core/path.ts'
import type { Stat } from '../backend.ts'
import { statIfAny } from '../derived/exists.ts'
import { removeTree } from '../derived/remove-tree.ts'
import { VfsError } from '../error.ts'
import { call, type Steps } from '../steps.ts'
import { originIn } from './changes.ts'
import {
  type Base,
  basesOf,
  entriesOf,
  goneTag,
  graveyard,
  keptOf,
  type Layers,
  namesIn,
  untagBase,
  untagLink,
} from './layers.ts'

const notFollowing = { follow: false } as const

/** A directory of the upper layer, either in use or removed. */
interface Container {
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

/** For layers whose lower layer may be written. Throws ESTALE before anything is changed. */
export function* applySteps(layers: Layers): Steps<void> {
  const root = yield* readContainer(layers, rootPath, rootPath, rootPath)
  const removed: Container[] = []
  for (const name of yield* namesIn(layers.upper, graveyard)) {
    const at = childPath(graveyard, name)
    removed.push(yield* readContainer(layers, at, undefined, yield* originIn(layers, at)))
  }
  const all = [...flat(root), ...removed]
  const origins = new Map(
    all.flatMap(container => (container.origin === undefined ? [] : [[container.origin, container] as const])),
  )
  for (const container of all) yield* checkBases(layers, container, origins)

  const moved = flat(root).filter(({ origin, isInPlace }) => origin !== undefined && !isInPlace)
  const parked = yield* parkMoved(layers, moved)
  yield* putEntries(layers, root, rootPath, parked, new Map())
  if (parked.directory !== undefined) yield* call(layers.lower, 'remove', parked.directory, 'directory')
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
  for (let index = 0; index < all.length; index++) all.push(...(all[index]?.children ?? []))
  return all
}

/** Checks that the lower layer is unchanged under every name that was touched. */
function* checkBases(layers: Layers, { at, path, origin }: Container, origins: ReadonlyMap<VfsPath, Container>): Steps<void> {
  if (origin === undefined) return
  const directory = yield* statIfAny(layers.lower, origin, notFollowing)
  if (directory === undefined) throw overtaken(origin, 'it was removed')
  if (directory.kind !== 'directory') throw overtaken(origin, 'it was replaced')
  const bases = new Map<string, Base>()
  for (const name of yield* namesIn(layers.upper, basesOf(at))) {
    bases.set(name, untagBase(yield* call(layers.upper, 'readlink', childPath(basesOf(at), name))))
  }
  for (const [name, base] of bases) {
    const below = childPath(origin, name)
    const stat = yield* statIfAny(layers.lower, below, notFollowing)
    if (stat === undefined) throw overtaken(below, 'it was removed')
    if (base.kind !== undefined && base.kind !== stat.kind) throw overtaken(below, 'it was replaced')
    // A directory's revision only shows that names were added or removed. Instead, it must be empty, or each entry is checked.
    if (stat.kind !== 'directory' && stat.rev !== base.rev) throw overtaken(below, 'it was changed')
    if (stat.kind === 'directory' && !origins.has(below)) {
      const [first] = yield* call(layers.lower, 'list', below)
      if (first !== undefined) throw overtaken(childPath(below, first.name), 'it was created')
    }
  }
  const touched = new Set(yield* namesIn(layers.upper, entriesOf(at)))
  for (const { name, kind } of yield* call(layers.lower, 'list', origin)) {
    const below = childPath(origin, name)
    const isShownThrough = kind === 'directory' && origins.get(below)?.at === childPath(entriesOf(at), name)
    const isNew = !bases.has(name) && !isShownThrough
    // A removed directory must not contain entries that were not removed here.
    if (isNew && (touched.has(name) || path === undefined)) throw overtaken(below, 'it was created')
  }
}

function overtaken(path: VfsPath, what: string): VfsError {
  return new VfsError('ESTALE', 'apply', {
    path,
    hint: `${what} in the lower filesystem since it was changed here; use drop(), or make the change again`,
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

/** Writes the contents of the upper layer's `root` to `goal` in the lower layer. `linked`: first names of files that have several. */
function* putEntries(layers: Layers, root: Container, goal: VfsPath, parked: Parked, linked: Map<number, VfsPath>): Steps<void> {
  const { upper, lower } = layers
  const kept = yield* keptOf(layers)
  const pending = [{ container: root, goal }]
  const done: { readonly at: VfsPath; readonly goal: VfsPath }[] = []
  for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
    const entries = entriesOf(current.container.at)
    if ((yield* statIfAny(upper, entries)) === undefined) continue
    done.push({ at: entries, goal: current.goal })
    // Remove first: the old entry of a name must be gone before a new one takes its place.
    for (const { name, kind } of yield* call(upper, 'list', entries)) {
      const at = childPath(entries, name)
      const place = childPath(current.goal, name)
      const now = yield* call(upper, 'lookup', at, notFollowing)
      const tagged = kind === 'symlink' ? yield* call(upper, 'readlink', at) : ''
      const child = current.container.children.find(candidate => candidate.at === at)
      if (tagged === goneTag) yield* removeTree(lower, place, { recursive: true, force: true })
      else if (kind === 'symlink') {
        yield* removeTree(lower, place, { recursive: true, force: true })
        yield* call(lower, 'symlink', untagLink(tagged), place)
        yield* call(lower, 'setattr', place, { mtimeMs: now.mtimeMs, follow: false })
      } else if (kind === 'file') {
        const isKept = current.container.isInPlace && kept.get(now.ino) === place
        yield* putFile(layers, at, place, now, isKept, linked)
      } else if (child !== undefined) {
        yield* putDirectory(layers, child, place, parked)
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
  { mode, mtimeMs, nlink, ino }: Stat,
  /** Whether the lower layer already has the content at this place. */
  isKept: boolean,
  linked: Map<number, VfsPath>,
): Steps<void> {
  const there = yield* statIfAny(lower, place, notFollowing)
  const first = linked.get(ino)
  if (nlink > 1 && first !== undefined) {
    yield* removeTree(lower, place, { recursive: true, force: true })
    yield* call(lower, 'link', first, place)
    return
  }
  if (nlink > 1) linked.set(ino, place)
  if (!isKept) {
    if (there !== undefined && there.kind !== 'file') yield* removeTree(lower, place, { recursive: true })
    yield* call(lower, 'write', place, yield* call(upper, 'read', at), { mode })
  }
  yield* call(lower, 'setattr', place, { mode, mtimeMs })
}

function* putDirectory({ upper, lower }: Layers, { at, isInPlace }: Container, place: VfsPath, { places }: Parked): Steps<void> {
  if (isInPlace) return
  const parkedAt = places.get(at)
  yield* removeTree(lower, place, { recursive: true, force: true })
  if (parkedAt !== undefined) yield* call(lower, 'rename', parkedAt, place)
  else yield* call(lower, 'mkdir', place, { mode: (yield* call(upper, 'lookup', entriesOf(at))).mode })
}
