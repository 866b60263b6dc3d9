// The format of the upper layer. It is a whole filesystem that belongs to the overlay, so that it can be persistent or discarded, and so
// that none of its entries can be mistaken for a file's name or content:
//
//   a touched directory            a directory with   e/  its entries by name: files, touched directories, and tagged symlinks
//                                                     o   a symlink: the directory of the lower layer that shows through; optional
//                                                     b/  by name, symlinks: the revision in the lower layer at the first touch
//   beside that of the root        t/  where something is created before it is moved to its place in one step
//                                  g/  removed directories, because they record revisions of the lower layer
//                                  k/  by inode number, symlinks: files with unchanged content, which keep their identity
//
// A symlink in `e/` is tagged: it represents a symlink, or a removed entry of the lower layer. The tagged targets do not exist.

import { childPath, rootPath, type VfsPath, parsePath } from '../../core/path.ts'
import type { Difference, Stat } from '../backend.ts'
import { isVfsError } from '../error.ts'
import { call, type Primitives, type Steps } from '../steps.ts'
import type { Merging } from './merges.ts'

/** The two filesystems, and what is cached about them. A transaction has separate ones. */
export interface Layers {
  /** Never written, except by `apply`. */
  readonly lower: Primitives
  readonly upper: Primitives
  /** Absent where files that were changed on both sides are refused. */
  readonly merging: Merging | undefined
  /** Receives every change, by its path in the overlay. */
  readonly record: (change: Difference) => void
  /** Where directories are in the layers, by path in the overlay. Cleared when a directory is created, removed or moved. */
  readonly directories: Map<VfsPath, MergedDirectory>
  /** The `k/` of the upper layer: inode number there → path in the lower layer. Read on first use. */
  kept: Map<number, VfsPath> | undefined
  /** While batches are open, the upper layer may change at any moment, so nothing is cached. */
  openBatches: number
}

export interface MergedDirectory {
  /** Real path in the overlay. */
  readonly path: VfsPath
  /** In the upper layer: where it is, or will be once it is touched. */
  readonly container: VfsPath
  readonly isTouched: boolean
  /** The directory in the lower layer that shows through. */
  readonly lower: VfsPath | undefined
}

export const maxKnownDirectories = 10_000

export const staged: VfsPath = parsePath('/t/new')
export const stagingDirectory: VfsPath = parsePath('/t')
export const graveyard: VfsPath = parsePath('/g')
export const keptDirectory: VfsPath = parsePath('/k')

export function newLayers(lower: Primitives, upper: Primitives, record: Layers['record'], merging?: Merging): Layers {
  return { lower, upper, merging, record, directories: new Map(), kept: undefined, openBatches: 0 }
}

/** The same layers with another `record`. Inherits by prototype, so that both share the cached data. */
export function recordedBy(layers: Layers, record: Layers['record']): Layers {
  const shared: PropertyDescriptorMap = {
    record: { value: record },
    kept: { get: () => layers.kept, set: (kept: Layers['kept']) => void (layers.kept = kept) },
    openBatches: { get: () => layers.openBatches, set: (count: number) => void (layers.openBatches = count) },
  }
  return Object.create(layers, shared)
}

/** Clears the caches, because a transaction has written the upper layer. */
export function forgetAll(layers: Layers): void {
  layers.directories.clear()
  layers.kept = undefined
}

export const entriesOf = (container: VfsPath): VfsPath => childPath(container, 'e')
export const originOf = (container: VfsPath): VfsPath => childPath(container, 'o')
export const basesOf = (container: VfsPath): VfsPath => childPath(container, 'b')

/** The path of `name` of a directory in the upper layer, whether or not it is there. */
export function entryPath({ container }: MergedDirectory, name: string): VfsPath {
  return childPath(entriesOf(container), name)
}

// Targets of symlinks in the upper layer. They start with names that its root does not contain, so that following one finds nothing.
export const goneTag = '/gone'
const linkTag = '/link/'
const lowerTag = '/lower'
const revTag = '/rev/'

export const tagLink = (target: string): string => linkTag + target
export const untagLink = (tagged: string): string => tagged.slice(linkTag.length)
/** ASCII, so the length is also the size in bytes. */
export const linkTagBytes: number = linkTag.length
export const tagLower = (path: VfsPath): string => lowerTag + path
export const untagLower = (tagged: string): VfsPath => parsePath(tagged.slice(lowerTag.length))

/** What a change is based on. Stores of earlier versions have no `kind`. */
export interface Base {
  readonly rev: number
  readonly kind: string | undefined
}

export const tagBase = ({ rev, kind }: Stat): string => `${revTag}${rev}/${kind}`

export function untagBase(tagged: string): Base {
  const [rev, kind] = tagged.slice(revTag.length).split('/')
  return { rev: Number(rev), kind }
}

// Both layers number their nodes and changes from one. Numbers of the lower layer become even and those of the upper layer odd, so they
// never collide. Changes in the upper layer must come after those of the lower layer, so their numbers start above any that its counter
// will reach.
const upperStart = 2 ** 40

export function lowerStat(stat: Stat): Stat {
  return { ...stat, ino: 2 * stat.ino, rev: lowerRev(stat.rev) }
}

export function upperStat(stat: Stat): Stat {
  return { ...stat, ino: 2 * stat.ino + 1, rev: upperRev(stat.rev) }
}

export const lowerRev = (rev: number): number => 2 * rev
export const upperRev = (rev: number): number => 2 * (rev + upperStart) + 1

/** The `k/` of the upper layer. */
export function* keptOf(layers: Layers): Steps<Map<number, VfsPath>> {
  if (layers.kept !== undefined) return layers.kept
  const kept = new Map<number, VfsPath>()
  for (const name of yield* namesIn(layers.upper, keptDirectory))
    kept.set(Number(name), untagLower(yield* call(layers.upper, 'readlink', childPath(keptDirectory, name))))
  if (layers.openBatches === 0) layers.kept = kept
  return kept
}

/** Empty if the directory is missing. */
export function* namesIn(on: Primitives, directory: VfsPath): Steps<readonly string[]> {
  try {
    return (yield* call(on, 'list', directory)).map(({ name }) => name)
  } catch (error) {
    if (isVfsError(error, 'ENOENT')) return []
    throw error
  }
}

export const rootDirectory = (isTouched: boolean): MergedDirectory => ({
  path: rootPath,
  container: rootPath,
  isTouched,
  lower: rootPath,
})
