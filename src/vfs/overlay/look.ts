// Looks up entries in the two layers as one. Paths here are real; symlinks are followed by the caller.

import { basename, childPath, dirname, rootPath, type VfsPath } from '../../core/path.ts'
import type { Dirent, EntryKind, Stat } from '../backend.ts'
import { statIfAny } from '../derived/exists.ts'
import { VfsError } from '../error.ts'
import { call, type Primitives, type Steps } from '../steps.ts'
import {
  entriesOf,
  entryPath,
  goneTag,
  keptOf,
  type Layers,
  linkTagBytes,
  lowerStat,
  maxKnownDirectories,
  type MergedDirectory,
  originOf,
  rootDirectory,
  untagLower,
  upperStat,
} from './layers.ts'

const notFollowing = { follow: false } as const

/** The entry of one name in a directory. */
export type Entry =
  | { readonly layer: 'none' }
  /** The entry is in the lower layer and was removed. */
  | { readonly layer: 'gone'; readonly at: VfsPath }
  | { readonly layer: 'lower'; readonly at: VfsPath; readonly stat: Stat }
  /** `stat` is the upper layer's; for a directory, the stat of its container. */
  | { readonly layer: 'upper'; readonly at: VfsPath; readonly stat: Stat }

export function* entryOf(layers: Layers, directory: MergedDirectory, name: string): Steps<Entry> {
  if (directory.isTouched) {
    const at = entryPath(directory, name)
    const stat = yield* statIfAny(layers.upper, at, notFollowing)
    if (stat !== undefined) {
      const isGone = stat.kind === 'symlink' && (yield* call(layers.upper, 'readlink', at)) === goneTag
      return isGone ? { layer: 'gone', at } : { layer: 'upper', at, stat }
    }
  }
  const below = yield* lowerOf(layers, directory, name)
  return below === undefined ? { layer: 'none' } : { layer: 'lower', ...below }
}

/** The lower layer's entry of a name, whether or not it is visible. */
export function* lowerOf(
  layers: Layers,
  { lower }: MergedDirectory,
  name: string,
): Steps<{ readonly at: VfsPath; readonly stat: Stat } | undefined> {
  if (lower === undefined) return undefined
  const at = childPath(lower, name)
  const stat = yield* statIfAny(layers.lower, at, notFollowing)
  return stat === undefined ? undefined : { at, stat }
}

/** Throws ENOENT or ENOTDIR. */
export function* directoryAt(layers: Layers, path: VfsPath, syscall: string): Steps<MergedDirectory> {
  const known = layers.directories.get(path)
  if (known !== undefined) return known
  const found =
    path === rootPath
      ? rootDirectory((yield* statIfAny(layers.upper, entriesOf(rootPath))) !== undefined)
      : yield* directoryIn(layers, yield* directoryAt(layers, dirname(path), syscall), basename(path), syscall)
  return know(layers, found)
}

export function know(layers: Layers, directory: MergedDirectory): MergedDirectory {
  if (layers.directories.size >= maxKnownDirectories) layers.directories.clear()
  if (layers.openBatches === 0) layers.directories.set(directory.path, directory)
  return directory
}

function* directoryIn(layers: Layers, parent: MergedDirectory, name: string, syscall: string): Steps<MergedDirectory> {
  const path = childPath(parent.path, name)
  const entry = yield* entryOf(layers, parent, name)
  if (entry.layer === 'none' || entry.layer === 'gone') throw new VfsError('ENOENT', syscall, { path })
  if (entry.stat.kind !== 'directory') throw new VfsError('ENOTDIR', syscall, { path })
  if (entry.layer === 'lower') return { path, container: entryPath(parent, name), isTouched: false, lower: entry.at }
  return { path, container: entry.at, isTouched: true, lower: yield* shownThrough(layers, entry.at) }
}

/** The directory of the lower layer that shows through a container, if there is one and it still exists. */
export function* shownThrough(layers: Layers, container: VfsPath): Steps<VfsPath | undefined> {
  if (container === rootPath) return rootPath
  const hasOrigin = (yield* call(layers.upper, 'list', container)).some(({ name }) => name === 'o')
  if (!hasOrigin) return undefined
  const lower = untagLower(yield* call(layers.upper, 'readlink', originOf(container)))
  return (yield* isDirectory(layers.lower, lower)) ? lower : undefined
}

/** A directory keeps its identity when it is touched: its inode number is the lower layer's as long as that directory shows through. */
export function* directoryStat(layers: Layers, { container, isTouched, lower }: MergedDirectory): Steps<Stat> {
  if (!isTouched) {
    if (lower === undefined) throw new Error(`${container} is in neither layer`)
    return lowerStat(yield* call(layers.lower, 'lookup', lower, notFollowing))
  }
  // The lower layer may have been written since it was found there. What was changed here stays visible.
  const found = lower === undefined ? undefined : yield* statIfAny(layers.lower, lower, notFollowing)
  const below = found === undefined ? undefined : lowerStat(found)
  const own = upperStat(yield* call(layers.upper, 'lookup', entriesOf(container)))
  return below === undefined ? own : { ...own, ino: below.ino }
}

/** The stat of an entry; `undefined` if there is nothing. */
export function* statOfEntry(layers: Layers, directory: MergedDirectory, name: string, entry: Entry): Steps<Stat | undefined> {
  if (entry.layer === 'none' || entry.layer === 'gone') return undefined
  if (entry.stat.kind === 'directory')
    return yield* directoryStat(layers, yield* directoryAt(layers, childPath(directory.path, name), 'stat'))
  if (entry.layer === 'lower') return lowerStat(entry.stat)
  const own = upperStat(entry.stat)
  if (own.kind === 'symlink') return { ...own, sizeBytes: own.sizeBytes - linkTagBytes }
  const lower = (yield* keptOf(layers)).get(entry.stat.ino)
  const below = lower === undefined ? undefined : yield* statIfAny(layers.lower, lower, notFollowing)
  return below === undefined ? own : { ...own, ino: lowerStat(below).ino }
}

function* isDirectory(lower: Primitives, path: VfsPath): Steps<boolean> {
  return (yield* statIfAny(lower, path, notFollowing))?.kind === 'directory'
}

export function* listMerged(layers: Layers, directory: MergedDirectory): Steps<Dirent[]> {
  const kinds = new Map<string, EntryKind>()
  const isShown = directory.lower !== undefined && (!directory.isTouched || (yield* isDirectory(layers.lower, directory.lower)))
  if (directory.lower !== undefined && isShown)
    for (const { name, kind } of yield* call(layers.lower, 'list', directory.lower)) kinds.set(name, kind)
  if (directory.isTouched) {
    for (const { name, kind } of yield* call(layers.upper, 'list', entriesOf(directory.container))) {
      const isGone = kind === 'symlink' && (yield* call(layers.upper, 'readlink', entryPath(directory, name))) === goneTag
      if (isGone) kinds.delete(name)
      else kinds.set(name, kind)
    }
  }
  return Array.from(kinds, ([name, kind]) => ({ name, kind })).sort((a, b) => (a.name < b.name ? -1 : 1))
}
