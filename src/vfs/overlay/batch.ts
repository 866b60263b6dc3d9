// A transaction of the overlay is a transaction of its upper layer. Each name has one place there, for a file or for the mark of a removed
// one, so the upper layer itself detects conflicts.

import { basename, childPath, dirname, rootPath, type VfsPath } from '../../core/path.ts'
import type { BatchOptions, Difference, VfsBackend, VfsSync, VfsTransaction } from '../backend.ts'
import { statIfAny } from '../derived/exists.ts'
import { isVfsError } from '../error.ts'
import { stale } from '../stale.ts'
import { runNow } from '../steps.ts'
import { entriesOf, entryPath, forgetAll, type Layers, newLayers } from './layers.ts'
import { directoryAt } from './look.ts'

type Batch = NonNullable<VfsBackend['batch']>

/** `view` is the overlay on given layers; `live` and `sync` are what other users see. */
export function overlayBatch(
  live: Layers,
  sync: VfsSync,
  upperBatch: Batch,
  view: (layers: Layers) => VfsTransaction,
  publish: (changes: readonly Difference[]) => void,
): Batch {
  return async <T>(work: (transaction: VfsTransaction) => T | Promise<T>, options: BatchOptions = {}): Promise<T> => {
    const expect = expectedAbove(live, sync, options)
    const changes: Difference[] = []
    live.openBatches++
    forgetAll(live)
    try {
      const run = (upper: VfsTransaction): T | Promise<T> =>
        work(view(newLayers(live.lower, { sync: upper }, change => changes.push(change), live.merging)))
      const result = await upperBatch(run, { expect })
      if (changes.length > 0) publish(changes)
      return result
    } finally {
      live.openBatches--
    }
  }
}

/** Checks the expectations now. They still hold at the end if the upper layer has not changed, so they become expectations for it. */
function expectedAbove(live: Layers, sync: VfsSync, { expect = new Map() }: BatchOptions): Map<VfsPath, number> {
  const above = new Map<VfsPath, number>()
  for (const [path, rev] of expect) {
    const found = runNow(statIfAny({ sync }, path))?.rev ?? 0
    if (found !== rev) throw stale('commit', path, rev, found)
    const at = placeAbove(live, sync, path)
    if (at !== undefined) above.set(at, runNow(statIfAny(live.upper, at))?.rev ?? 0)
  }
  return above
}

/** The place in the upper layer for `path`; `undefined` if its parent directory does not exist. */
function placeAbove(live: Layers, sync: VfsSync, path: VfsPath): VfsPath | undefined {
  try {
    const real = realOrMissing(sync, path)
    if (real === rootPath) return entriesOf(rootPath)
    const directory = runNow(directoryAt(live, dirname(real), 'stat'))
    const entry = entryPath(directory, basename(real))
    return runNow(statIfAny({ sync }, real))?.kind === 'directory' ? entriesOf(entry) : entry
  } catch (error) {
    if (isVfsError(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return undefined
    throw error
  }
}

/** A missing entry may be created later, so it is expected under the name that it would have. */
function realOrMissing(sync: VfsSync, path: VfsPath): VfsPath {
  try {
    return sync.realpath(path)
  } catch (error) {
    if (!isVfsError(error, 'ENOENT') || path === rootPath) throw error
    return childPath(sync.realpath(dirname(path)), basename(path))
  }
}
