// Work on files without changing them: a filesystem that shows another one, keeps every change separately, and can list the changes,
// discard them, or apply them. The shown filesystem is the lower layer, and the changes are in the upper layer.

import { defined } from '../core/record.ts'
import { AnchorageError } from '../core/errors.ts'
import { childPath, resolveDotDot, rootPath, type VfsPath } from '../core/path.ts'
import type { Difference, VfsBackend, VfsCaps, VfsSync } from './backend.ts'
import { removeTree } from './derived/remove-tree.ts'
import { isVfsError, VfsError } from './error.ts'
import { createFeed } from './feed.ts'
import { applySteps } from './overlay/apply.ts'
import { overlayBatch } from './overlay/batch.ts'
import { changesOf, undone } from './overlay/changes.ts'
import { forgetAll, type Layers, namesIn, newLayers, recordedBy } from './overlay/layers.ts'
import { behind, createQueue, type Door, inTurns, promised, type Queue } from './overlay/turns.ts'
import { snapshotOf, viewNow, viewWaiting } from './overlay/views.ts'
import { composedRecipe } from './recipe.ts'
import { type Primitives, runNow, runWaiting, type Steps } from './steps.ts'
import { createTreeStore } from './tree/store.ts'
import { treeBackend } from './tree/tree-backend.ts'

/** A filesystem that keeps changes separately until they are applied or dropped. */
export interface OverlayBackend extends VfsBackend {
  /**
   * The changes since the overlay was empty, by path, as {@link Difference}s. They are read from the upper layer, in time proportional to
   * its size. A file that was moved and then written is reported as one deleted and one created file.
   */
  changes(): Promise<readonly Difference[]>
  /** Discards all changes; the lower layer shows again. */
  drop(): Promise<void>
  /**
   * Applies all changes to the lower layer, as one batch if it has batches, and empties the overlay. The visible files stay the same, with
   * new revisions. ESTALE, without changes, if a touched entry has changed in the lower layer since then. EROFS if the lower layer cannot
   * be written. Meanwhile asynchronous changes wait, and those of `sync` fail with EBUSY; so do this and `drop` while a batch is open.
   */
  apply(): Promise<void>
}

/**
 * `lower` with every change kept in `upper`, by default in memory. `upper` belongs to the overlay from its root on, must support symlinks
 * (otherwise ENOTSUP), and must not be written by other code. A persistent one restores the changes when it is given again with the same
 * `lower`. Other code may read `lower`, and should not write it meanwhile: files that were not touched here show their new state, and
 * `apply` refuses files that were changed on both sides.
 *
 * The overlay has separate revisions and inode numbers. A file keeps its inode number, mode and time if only its name or attributes change.
 * Two names of one file in the lower layer become two files at the first write. Each synchronous call makes several writes to the upper
 * layer. If the upper layer is persistent, use `batch` or the asynchronous primitives, which are atomic even if a tab ends.
 */
export function overlay(lower: VfsBackend, givenUpper?: VfsBackend): OverlayBackend {
  const upper = givenUpper ?? treeInMemory()
  if (upper.caps.symlinks === 'none' || upper.caps.readonly) {
    throw new VfsError('ENOTSUP', 'overlay', { hint: 'the upper layer must support files and symlinks' })
  }
  const feed = createFeed()
  const layers = newLayers(lower, upper, () => {})
  const caps = overlayCaps(lower, upper)
  const queue = createQueue()
  const door: Door = { isShut: false }
  const turn: Queue = work => (door.isShut ? queue(work) : work())

  const run = async <T>(steps: Steps<T>): Promise<T> => (caps.sync ? runNow(steps) : runWaiting(steps))

  /** Allows no changes in between, so that none can be discarded without being seen. */
  const alone = (syscall: string, act: () => Promise<void>): Promise<void> =>
    queue(async () => {
      if (layers.openBatches > 0) throw new VfsError('EBUSY', syscall, { hint: 'a batch is open; try again when it has ended' })
      door.isShut = true
      try {
        await act()
      } finally {
        door.isShut = false
        forgetAll(layers)
      }
    })

  /** All or nothing if the upper layer has transactions. */
  const empty = async (): Promise<void> => {
    if (!caps.sync || upper.batch === undefined) await run(emptySteps(upper))
    else await upper.batch(transaction => runNow(emptySteps({ sync: transaction })))
  }

  const usedBy = (origin: string | undefined): OverlayBackend => {
    const own = recordedBy(layers, change => feed.publish([change], origin))
    const sync = caps.sync ? behind(door, viewNow(own)) : undefined
    const batch = sync === undefined ? undefined : batchOf(own, sync, upper, turn, changes => feed.publish(changes, origin))
    return {
      ...(sync === undefined
        ? inTurns(viewWaiting(own), queue)
        : promised(sync, turn, upper.caps.persistent ? batch : undefined)),
      caps,
      ...defined({ sync, batch, snapshot: caps.snapshots ? () => snapshotOf(lower, upper, feed.seq) : undefined }),
      as: usedBy,
      watch: (path, listener, options) => feed.watch(realIfNow(sync, path), listener, options),
      changes: () => queue(() => run(changesOf(layers))),
      drop: () =>
        alone('drop', async () => {
          const lost = await run(changesOf(layers))
          await empty()
          if (lost.length > 0) feed.publish(undone(lost))
        }),
      async apply() {
        if (lower.caps.readonly) {
          throw new VfsError('EROFS', 'apply', { path: rootPath, hint: 'the lower filesystem cannot be written' })
        }
        await alone('apply', async () => {
          await applyTo(lower, layers, caps.sync)
          await empty()
        })
      },
      async usage() {
        const [below, above] = await Promise.all([lower.usage?.(), upper.usage?.()])
        return { bytes: (below?.bytes ?? 0) + (above?.bytes ?? 0), nodes: (below?.nodes ?? 0) + (above?.nodes ?? 0) }
      },
      placeFiles: root => lower.placeFiles?.(root),
      ...composedRecipe('overlay', { lower, ...(givenUpper === undefined ? {} : { upper: givenUpper }) }),
      flush: () => upper.flush(),
      async close() {
        await Promise.all([lower.close(), upper.close()])
      },
    }
  }
  return usedBy(undefined)
}

function treeInMemory(): VfsBackend {
  const store = createTreeStore(Date.now)
  return treeBackend(() => store)
}

function overlayCaps({ caps: below, ...lower }: VfsBackend, { caps: above, ...upper }: VfsBackend): VfsCaps {
  const isSync = lower.sync !== undefined && upper.sync !== undefined
  return {
    ...above,
    sync: isSync,
    transactions: isSync && upper.batch !== undefined,
    snapshots: isSync && lower.snapshot !== undefined && upper.snapshot !== undefined,
    // Reports all changes that are made here. Changes that others make to the lower layer are not reported.
    watch: 'exact',
    caseSensitive: above.caseSensitive && below.caseSensitive,
    maxNameBytes: Math.min(above.maxNameBytes, below.maxNameBytes),
    maxFileBytes: Math.min(above.maxFileBytes, below.maxFileBytes),
  }
}

function batchOf(
  layers: Layers,
  sync: VfsSync,
  upper: VfsBackend,
  turn: Queue,
  publish: (changes: readonly Difference[]) => void,
): VfsBackend['batch'] {
  if (upper.batch === undefined) return undefined
  const batch = overlayBatch(layers, sync, upper.batch.bind(upper), viewNow, publish)
  return (work, options) => turn(() => batch(work, options))
}

function* emptySteps(upper: Primitives): Steps<void> {
  for (const name of yield* namesIn(upper, rootPath)) yield* removeTree(upper, childPath(rootPath, name), { recursive: true })
}

/**
 * Uses a transaction of the lower layer if it has them. Otherwise applies one by one, with an error that says so if that is interrupted.
 */
async function applyTo(lower: VfsBackend, layers: Layers, isSync: boolean): Promise<void> {
  const own = { ...layers, directories: new Map() }
  if (lower.batch !== undefined) {
    await lower.batch(transaction => {
      const steps = applySteps({ ...own, lower: { sync: transaction } })
      return isSync ? runNow(steps) : runWaiting(steps)
    })
    return
  }
  try {
    await runWaiting(applySteps(own))
  } catch (error) {
    if (isVfsError(error, 'ESTALE')) throw error
    throw new AnchorageError(
      'batch-partial',
      'Applying was interrupted, and the lower filesystem cannot undo what was done before. The changes are all still in the overlay; remove the cause and check the files before you apply again.',
      { cause: error },
    )
  }
}

/** Changes are reported by real path. In an asynchronous filesystem the real path is unknown here. */
function realIfNow(sync: VfsSync | undefined, path: VfsPath): VfsPath {
  try {
    return sync?.realpath(path) ?? resolveDotDot(path)
  } catch (error) {
    if (isVfsError(error, 'ENOENT', 'ENOTDIR')) return resolveDotDot(path)
    throw error
  }
}
