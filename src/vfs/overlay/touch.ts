// Copies entries to the upper layer. An entry that is about to be changed first gets a place in the upper layer, with its mode, time and
// identity. Each step leaves the visible state unchanged, or is the step that changes it.

import { basename, childPath, dirname, type VfsPath } from '../../core/path.ts'
import { statIfAny } from '../derived/exists.ts'
import { removeTree } from '../derived/remove-tree.ts'
import { isVfsError } from '../error.ts'
import { call, type Steps } from '../steps.ts'
import {
  basesOf,
  entriesOf,
  entryPath,
  goneTag,
  graveyard,
  keptDirectory,
  keptOf,
  type Layers,
  type MergedDirectory,
  originOf,
  staged,
  stagingDirectory,
  tagLink,
  tagLower,
  tagBase,
} from './layers.ts'
import { directoryAt, type Entry, know, lowerOf, shownThrough } from './look.ts'

/** Creates containers for a directory and those above it. */
export function* touchDirectory(layers: Layers, directory: MergedDirectory): Steps<MergedDirectory> {
  if (directory.isTouched) return directory
  const { path, container, lower } = directory
  if (path === container) yield* makeRoot(layers, directory)
  else if (lower !== undefined) {
    const parent = yield* touchDirectory(layers, yield* directoryAt(layers, dirname(path), 'mkdir'))
    const { mode, mtimeMs } = yield* call(layers.lower, 'lookup', lower)
    yield* stageContainer(layers, mode)
    yield* call(layers.upper, 'symlink', tagLower(lower), originOf(staged))
    yield* call(layers.upper, 'setattr', entriesOf(staged), { mtimeMs })
    yield* keepingTime(layers, parent, () => call(layers.upper, 'rename', staged, container))
  }
  return know(layers, { ...directory, isTouched: true })
}

function* makeRoot(layers: Layers, root: MergedDirectory): Steps<void> {
  for (const directory of [stagingDirectory, graveyard, keptDirectory]) yield* makeIfMissing(layers, directory)
  const { mode, mtimeMs } = yield* call(layers.lower, 'lookup', root.path)
  yield* call(layers.upper, 'mkdir', entriesOf(root.container), { mode })
  yield* call(layers.upper, 'setattr', entriesOf(root.container), { mtimeMs })
}

function* makeIfMissing(layers: Layers, directory: VfsPath): Steps<void> {
  try {
    yield* call(layers.upper, 'mkdir', directory)
  } catch (error) {
    if (!isVfsError(error, 'EEXIST')) throw error
  }
}

/** Creates a container that is not in a directory yet. Removes what a crash left there. */
export function* stageContainer(layers: Layers, mode: number): Steps<void> {
  yield* clearStage(layers)
  yield* call(layers.upper, 'mkdir', staged)
  yield* call(layers.upper, 'mkdir', entriesOf(staged), { mode })
}

export function* clearStage(layers: Layers): Steps<void> {
  yield* removeTree(layers.upper, staged, { recursive: true, force: true })
}

/**
 * When a name of the lower layer is touched for the first time, records its revision. The changes are based on that revision, and `apply`
 * compares it with the current one. A removed file is not read for a later merge: a whole tree may be removed. `entry` is the name's entry before the change. A file that was created here has no revision to record.
 */
export function* noteBase(
  layers: Layers,
  directory: MergedDirectory,
  name: string,
  entry: Entry,
  isRemoved = false,
): Steps<void> {
  const below = yield* lowerOf(layers, directory, name)
  if (below === undefined) return
  const isLowers = entry.layer === 'lower' || (entry.layer === 'upper' && (yield* showsThrough(layers, entry, below.at)))
  if (!isLowers) return
  const bases = basesOf(directory.container)
  yield* makeIfMissing(layers, bases)
  const note = childPath(bases, name)
  if ((yield* statIfAny(layers.upper, note, { follow: false })) !== undefined) return
  yield* call(layers.upper, 'symlink', tagBase(below.stat), note)
  if (!isRemoved && layers.merging !== undefined) yield* layers.merging.bases.keep(layers.lower, below.at, below.stat)
}

function* showsThrough(layers: Layers, { at, stat }: Entry & { layer: 'upper' }, lower: VfsPath): Steps<boolean> {
  return stat.kind === 'directory' && (yield* shownThrough(layers, at)) === lower
}

/** Runs `steps`, which copy unchanged entries to the upper layer, and restores the directory's time: nothing visible has changed in it. */
export function* keepingTime<T>(layers: Layers, { container }: MergedDirectory, steps: () => Steps<T>): Steps<T> {
  const entries = entriesOf(container)
  const { mtimeMs } = yield* call(layers.upper, 'lookup', entries)
  const result = yield* steps()
  yield* call(layers.upper, 'setattr', entries, { mtimeMs })
  return result
}

/** Copies an unchanged file or symlink to the upper layer. `directory` is touched; `entry` is in the lower layer. */
export function* copyUp(
  layers: Layers,
  directory: MergedDirectory,
  name: string,
  { at, stat }: Entry & { layer: 'lower' },
): Steps<VfsPath> {
  const path = entryPath(directory, name)
  yield* noteBase(layers, directory, name, { layer: 'lower', at, stat })
  if (stat.kind === 'symlink') {
    yield* call(layers.upper, 'symlink', tagLink(yield* call(layers.lower, 'readlink', at)), path)
  } else {
    const made = yield* call(layers.upper, 'write', path, yield* call(layers.lower, 'read', at), {
      mode: stat.mode,
      create: 'exclusive',
    })
    yield* keep(layers, made.ino, at)
  }
  yield* call(layers.upper, 'setattr', path, { mtimeMs: stat.mtimeMs, follow: false })
  return path
}

function* keep(layers: Layers, ino: number, lower: VfsPath): Steps<void> {
  const kept = yield* keptOf(layers)
  yield* call(layers.upper, 'symlink', tagLower(lower), childPath(keptDirectory, `${ino}`))
  kept.set(ino, lower)
}

/** A file of the upper layer has new content, or is removed: it no longer has the identity of the file in the lower layer. */
export function* unkeep(layers: Layers, ino: number): Steps<void> {
  const kept = yield* keptOf(layers)
  if (!kept.delete(ino)) return
  yield* call(layers.upper, 'remove', childPath(keptDirectory, `${ino}`), 'file')
}

/** Removes `entry`, the entry of a name. A file or symlink is replaced by the mark in one step. */
export function* hide(layers: Layers, directory: MergedDirectory, name: string, entry: Entry): Steps<void> {
  yield* noteBase(layers, directory, name, entry, true)
  if (entry.layer === 'upper' && entry.stat.kind === 'directory') yield* bury(layers, entry.at)
  const isMarked = yield* markGone(layers, directory, name)
  if (!isMarked && entry.layer === 'upper' && entry.stat.kind !== 'directory')
    yield* call(layers.upper, 'remove', entry.at, 'file')
}

/** Hides the lower layer's entry of a name, if there is one. */
export function* markGone(layers: Layers, directory: MergedDirectory, name: string): Steps<boolean> {
  if ((yield* lowerOf(layers, directory, name)) === undefined) return false
  yield* clearStage(layers)
  yield* call(layers.upper, 'symlink', goneTag, staged)
  yield* call(layers.upper, 'rename', staged, entryPath(directory, name))
  return true
}

/** Keeps the container of a removed directory: it records which entries of the lower layer were removed, and at which revision. */
export function* bury(layers: Layers, container: VfsPath): Steps<void> {
  layers.directories.clear()
  const isMerged = (yield* call(layers.upper, 'list', container)).some(({ name }) => name === 'o')
  if (!isMerged) {
    yield* removeTree(layers.upper, container, { recursive: true })
    return
  }
  const { ino } = yield* call(layers.upper, 'lookup', container)
  yield* call(layers.upper, 'rename', container, childPath(graveyard, `${ino}`))
}

/** Where to create a new entry: in the staging place if it will replace the mark of a removed entry. */
export function placeFor(
  directory: MergedDirectory,
  name: string,
  entry: Entry,
): { readonly at: VfsPath; readonly isStaged: boolean } {
  return entry.layer === 'gone' ? { at: staged, isStaged: true } : { at: entryPath(directory, name), isStaged: false }
}

/** Moves a staged entry over the mark, in one step. */
export function* settle(layers: Layers, directory: MergedDirectory, name: string, isStaged: boolean): Steps<void> {
  if (isStaged) yield* call(layers.upper, 'rename', staged, entryPath(directory, name))
}

/** Splits a path into its directory, which it touches, and its name. */
export function* touchedParent(layers: Layers, path: VfsPath, syscall: string): Steps<readonly [MergedDirectory, string]> {
  return [yield* touchDirectory(layers, yield* directoryAt(layers, dirname(path), syscall)), basename(path)]
}
