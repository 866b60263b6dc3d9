// Work on files without touching them: a filesystem that shows another one, keeps every change beside it, and can say what they are,
// throw them away, or make them real.

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

/** A filesystem that keeps changes beside the files until they are applied or dropped. */
export interface OverlayBackend extends VfsBackend {
  /**
   * What was done since the overlay was empty, by path and in the terms of {@link Difference}: told from the upper layer, so it takes
   * time in proportion to that. A file that was moved and then written is one that is gone and a new one.
   */
  changes(): Promise<readonly Difference[]>
  /** Throws all of it away; the lower shows again. */
  drop(): Promise<void>
  /**
   * Does all of it to the lower, as one batch where that has them, and empties the overlay; what is seen stays, with new revisions.
   * ESTALE, and nothing is changed, if what was touched is no longer in the lower as it was then. EROFS if the lower cannot be
   * written. Meanwhile changes wait, and those of `sync`, which cannot, are EBUSY; so are this and `drop` while a batch is open.
   */
  apply(): Promise<void>
}

/**
 * `lower` with every change kept in `upper`, by default in memory. `upper` is the overlay's own from its root on and must be able to
 * hold symlinks (ENOTSUP else); one that lasts brings the changes back when it is given again with the same `lower`. Nobody else may
 * write it. `lower` may be read by others, and should not be written meanwhile: what nobody touched here shows as it becomes, and
 * `apply` refuses where both were changed.
 *
 * Revisions and inode numbers are the overlay's own. A file keeps its inode number, mode and time when only its name or attributes
 * change. Two names that one file of the lower has become two files with the first write. Each call of the synchronous primitives
 * takes several writes of the upper: where that lasts, use `batch` or the primitives by promise, which are whole even when a tab dies.
 */
export function overlay(lower: VfsBackend, givenUpper?: VfsBackend): OverlayBackend {
  const upper = givenUpper ?? treeInMemory()
  if (upper.caps.symlinks === 'none' || upper.caps.readonly) {
    throw new VfsError('ENOTSUP', 'overlay', { hint: 'the upper layer must be able to hold files and symlinks' })
  }
  const feed = createFeed()
  const layers = newLayers(lower, upper, () => {})
  const caps = overlayCaps(lower, upper)
  const queue = createQueue()
  const door: Door = { isShut: false }
  const turn: Queue = work => (door.isShut ? queue(work) : work())

  const run = async <T>(steps: Steps<T>): Promise<T> => (caps.sync ? runNow(steps) : runWaiting(steps))

  /** Nothing is changed in between, so nothing that was done meanwhile can be thrown away unseen. */
  const alone = (syscall: string, act: () => Promise<void>): Promise<void> =>
    queue(async () => {
      if (layers.openBatches > 0) throw new VfsError('EBUSY', syscall, { hint: 'a batch is open; do it when that has ended' })
      door.isShut = true
      try {
        await act()
      } finally {
        door.isShut = false
        forgetAll(layers)
      }
    })

  /** All of it or nothing where the upper layer has transactions. */
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
    // Of all that is done here. What others do to the lower is not told.
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

/** In a transaction of the lower where it has them; else one by one, which says so when it is cut. */
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
      'Applying was cut, and the lower filesystem cannot take back what was done before. The changes are all still in the overlay; mend the cause and look at the files before you apply again.',
      { cause: error },
    )
  }
}

/** Changes are told by real path. Where symlinks lead in a filesystem that has to be waited for is not known here. */
function realIfNow(sync: VfsSync | undefined, path: VfsPath): VfsPath {
  try {
    return sync?.realpath(path) ?? resolveDotDot(path)
  } catch (error) {
    if (isVfsError(error, 'ENOENT', 'ENOTDIR')) return resolveDotDot(path)
    throw error
  }
}
