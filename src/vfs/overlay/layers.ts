// How the upper layer is written down. It is a whole filesystem that belongs to the overlay, so that it can last and be thrown away,
// and nothing in it can be mistaken for a file's name or content:
//
//   a directory that was touched   a directory with   e/  what is in it by name: files, touched directories, and tagged symlinks
//                                                     o   a symlink: which directory of the lower shows through; without it, none
//                                                     b/  by name, symlinks: at which revision the lower's was first touched
//   beside that of the root        t/  where something is made before it is moved to its place in one step
//                                  g/  directories that were removed, for what they knew of the lower
//                                  k/  by inode number, symlinks: files that have the lower's content still, and so its identity
//
// A symlink in `e/` is tagged: it stands for a symlink, or for something of the lower that is gone. No target of one leads anywhere.

import { childPath, rootPath, type VfsPath, parsePath } from '../../core/path.ts'
import type { Difference, Stat } from '../backend.ts'
import { isVfsError } from '../error.ts'
import { call, type Primitives, type Steps } from '../steps.ts'

/** The two filesystems, and what is known of them so far. A transaction has its own. */
export interface Layers {
  /** Never written, except by `apply`. */
  readonly lower: Primitives
  readonly upper: Primitives
  /** Told of everything that is done, by its path in the overlay. */
  readonly record: (change: Difference) => void
  /** Where directories lie in the layers, by their path in the overlay. Cleared when one comes, goes or moves. */
  readonly directories: Map<VfsPath, MergedDirectory>
  /** `k/` of the upper: by inode number there, the path in the lower. Read when it is first needed. */
  kept: Map<number, VfsPath> | undefined
  /** While there are any, the upper may change at any moment, so nothing is remembered. */
  openBatches: number
}

export interface MergedDirectory {
  /** In the overlay; real. */
  readonly path: VfsPath
  /** In the upper: where it is, or will be once it is touched. */
  readonly container: VfsPath
  readonly isTouched: boolean
  /** What shows through, in the lower. */
  readonly lower: VfsPath | undefined
}

export const maxKnownDirectories = 10_000

export const staged: VfsPath = parsePath('/t/new')
export const stagingDirectory: VfsPath = parsePath('/t')
export const graveyard: VfsPath = parsePath('/g')
export const keptDirectory: VfsPath = parsePath('/k')

export function newLayers(lower: Primitives, upper: Primitives, record: Layers['record']): Layers {
  return { lower, upper, record, directories: new Map(), kept: undefined, openBatches: 0 }
}

/** The same layers, which record otherwise. By prototype, because what is known of them is one. */
export function recordedBy(layers: Layers, record: Layers['record']): Layers {
  const shared: PropertyDescriptorMap = {
    record: { value: record },
    kept: { get: () => layers.kept, set: (kept: Layers['kept']) => void (layers.kept = kept) },
    openBatches: { get: () => layers.openBatches, set: (count: number) => void (layers.openBatches = count) },
  }
  return Object.create(layers, shared)
}

/** Forgets what was known: somebody else, a transaction, has written the upper layer. */
export function forgetAll(layers: Layers): void {
  layers.directories.clear()
  layers.kept = undefined
}

export const entriesOf = (container: VfsPath): VfsPath => childPath(container, 'e')
export const originOf = (container: VfsPath): VfsPath => childPath(container, 'o')
export const basesOf = (container: VfsPath): VfsPath => childPath(container, 'b')

/** Where `name` of a directory is in the upper layer, if it is there. */
export function entryPath({ container }: MergedDirectory, name: string): VfsPath {
  return childPath(entriesOf(container), name)
}

// Targets of symlinks in the upper layer. They begin at its root, where no such names are, so that nobody who follows one arrives.
export const goneTag = '/gone'
const linkTag = '/link/'
const lowerTag = '/lower'
const revTag = '/rev/'

export const tagLink = (target: string): string => linkTag + target
export const untagLink = (tagged: string): string => tagged.slice(linkTag.length)
/** Both are ASCII, so this is a size in bytes too. */
export const linkTagBytes: number = linkTag.length
export const tagLower = (path: VfsPath): string => lowerTag + path
export const untagLower = (tagged: string): VfsPath => parsePath(tagged.slice(lowerTag.length))
export const tagRev = (rev: number): string => `${revTag}${rev}`
export const untagRev = (tagged: string): number => Number(tagged.slice(revTag.length))

// Both layers count their nodes and changes from one. Even numbers are the lower's and odd ones the upper's, so none is both; and a
// change in the upper comes after all that the lower's counter will reach, which is how it was.
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
  for (const name of yield* namesIn(layers.upper, keptDirectory)) {
    kept.set(Number(name), untagLower(yield* call(layers.upper, 'readlink', childPath(keptDirectory, name))))
  }
  if (layers.openBatches === 0) layers.kept = kept
  return kept
}

/** None where the directory is missing. */
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
