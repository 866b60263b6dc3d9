// Makes the changes real. Everything that was touched is first held against what the lower has now; then directories that were moved
// are taken out of the way, so that two that changed places do not meet, and what is in the upper layer is put where it belongs.

import { childPath, parsePath, pathNames, rootPath, type VfsPath } from '../../core/path.ts'
import type { Stat } from '../backend.ts'
import { statIfAny } from '../derived/exists.ts'
import { removeTree } from '../derived/remove-tree.ts'
import { VfsError } from '../error.ts'
import { call, type Steps } from '../steps.ts'
import { originIn } from './changes.ts'
import { basesOf, entriesOf, goneTag, graveyard, keptOf, type Layers, namesIn, untagLink, untagRev } from './layers.ts'

const notFollowing = { follow: false } as const

/** A directory of the upper layer: one that is in use, or one that was removed. */
interface Container {
  readonly at: VfsPath
  /** Where it belongs; `undefined` for one that was removed. */
  readonly path: VfsPath | undefined
  readonly origin: VfsPath | undefined
  /**
   * The lower has it where it belongs, and so it has every directory above it. A directory that has its old path again is not: with
   * another one above it, the lower has it where that one came from, or has lost it with what was there.
   */
  readonly isInPlace: boolean
  readonly children: Container[]
}

/** On layers whose lower may be written. Throws ESTALE before anything is changed. */
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

/** That the lower has, under every name that was touched, what it had then. */
function* checkBases(layers: Layers, { at, path, origin }: Container, origins: ReadonlyMap<VfsPath, Container>): Steps<void> {
  if (origin === undefined) return
  const bases = new Map<string, number>()
  for (const name of yield* namesIn(layers.upper, basesOf(at))) {
    bases.set(name, untagRev(yield* call(layers.upper, 'readlink', childPath(basesOf(at), name))))
  }
  for (const [name, rev] of bases) {
    const below = childPath(origin, name)
    const stat = yield* statIfAny(layers.lower, below, notFollowing)
    if (stat === undefined) throw overtaken(below, 'it is no longer there')
    // A directory's revision says only that names came or went; that it is empty, or known entry by entry, is checked instead.
    if (stat.kind !== 'directory' && stat.rev !== rev) throw overtaken(below, 'it was changed')
    if (stat.kind === 'directory' && !origins.has(below)) {
      const [first] = yield* call(layers.lower, 'list', below)
      if (first !== undefined) throw overtaken(childPath(below, first.name), 'it was made')
    }
  }
  const touched = new Set(yield* namesIn(layers.upper, entriesOf(at)))
  for (const { name, kind } of yield* call(layers.lower, 'list', origin)) {
    const below = childPath(origin, name)
    const isShownThrough = kind === 'directory' && origins.get(below)?.at === childPath(entriesOf(at), name)
    const isNew = !bases.has(name) && !isShownThrough
    // In a directory that was removed nothing may be left that nobody removed.
    if (isNew && (touched.has(name) || path === undefined)) throw overtaken(below, 'it was made')
  }
}

function overtaken(path: VfsPath, what: string): VfsError {
  return new VfsError('ESTALE', 'apply', {
    path,
    hint: `${what} in the lower filesystem since it was changed here; drop() or do it again`,
  })
}

interface Parked {
  readonly directory: VfsPath | undefined
  /** By container. */
  readonly places: ReadonlyMap<VfsPath, VfsPath>
}

/** The deepest first, so that what was moved out of a directory does not go along with it. */
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

/** Puts what is in the upper layer's `root`, which is `goal` in the lower, there. `linked`: first names of files that have several. */
function* putEntries(layers: Layers, root: Container, goal: VfsPath, parked: Parked, linked: Map<number, VfsPath>): Steps<void> {
  const { upper, lower } = layers
  const kept = yield* keptOf(layers)
  const pending = [{ container: root, goal }]
  const done: { readonly at: VfsPath; readonly goal: VfsPath }[] = []
  for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
    const entries = entriesOf(current.container.at)
    if ((yield* statIfAny(upper, entries)) === undefined) continue
    done.push({ at: entries, goal: current.goal })
    // Room first: what a name stood for must be gone before something else takes another's place.
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
  /** The lower has the content, and has it there. */
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
