// Work on files without changing them: a filesystem that shows another one, keeps every change separately, and can list the changes,
// discard them, or apply them. The shown filesystem is the lower layer, and the changes are in the upper layer.

import { checkBackend } from './input.ts'
import { defined } from '../core/record.ts'
import { AnchorageError } from '../core/errors.ts'
import { resolveDotDot, rootPath, type VfsPath } from '../core/path.ts'
import type { Difference, VfsBackend, VfsCaps, VfsSync } from './backend.ts'
import { statIfAny } from './derived/exists.ts'
import { isVfsError, VfsError, ifThere } from './error.ts'
import { createFeed } from './feed.ts'
import { type Agreed, applySteps, type PlannedApply, planSteps } from './overlay/apply.ts'
import { overlayBatch } from './overlay/batch.ts'
import { changesOf, undone } from './overlay/changes.ts'
import { isLeft } from './overlay/conflicts.ts'
import { readContainers } from './overlay/containers.ts'
import { KeptBases } from './overlay/kept-bases.ts'
import { forgetAll, type Layers, lowerRev, newLayers, recordedBy } from './overlay/layers.ts'
import type { MergeContents, Merging } from './overlay/merges.ts'
import { pruneSteps } from './overlay/prune.ts'
import { behind, createQueue, type Door, inTurns, promised, type Queue } from './overlay/turns.ts'
import { snapshotOf, viewNow, viewWaiting } from './overlay/views.ts'
import { offerPatch, patchOffer } from './patch-offer.ts'
import { composedRecipe } from './recipe.ts'
import { runNow, runWaiting, type Steps } from './steps.ts'
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
  checkBackend('overlay', lower)
  if (givenUpper !== undefined) checkBackend('overlay', givenUpper)
  return overlayOf(lower, givenUpper, undefined).files
}

/** An overlay in memory that can merge files that were changed on both sides. */
export interface MergingOverlay {
  readonly files: OverlayBackend
  /** The changes that `apply` would merge, and those that it would leave. */
  planned(): Promise<PlannedApply>
  /** As that of `files`, but what cannot be merged stays a change. `agreed` throws if it does not agree to the plan. */
  apply(agreed: Agreed): Promise<void>
  /** The content of a file of the lower layer when it was first changed here, if it was kept. */
  contentBefore(path: VfsPath): Uint8Array | undefined
}

/** Files of up to 1 MiB, 32 MiB in all, can be merged. Others, and removed ones, are left if they were changed on both sides. */
export function mergingOverlay(lower: VfsBackend, mergeContents: MergeContents): MergingOverlay {
  return overlayOf(lower, undefined, { bases: new KeptBases(), mergeContents })
}

function overlayOf(lower: VfsBackend, givenUpper: VfsBackend | undefined, merging: Merging | undefined): MergingOverlay {
  const upper = givenUpper ?? treeInMemory()
  if (upper.caps.symlinks === 'none' || upper.caps.readonly)
    throw new VfsError('ENOTSUP', 'overlay', { hint: 'the upper layer must support files and symlinks' })
  const feed = createFeed()
  const layers = newLayers(lower, upper, () => {}, merging)
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
  const empty = async (left: readonly VfsPath[] = []): Promise<void> => {
    forgetAll(layers)
    if (!caps.sync || upper.batch === undefined) await run(pruneSteps(layers, left))
    else await upper.batch(transaction => runNow(pruneSteps({ ...layers, upper: { sync: transaction } }, left)))
    merging?.bases.keepOnly(path => isLeft(left, path))
  }

  const apply = async (agreed?: Agreed): Promise<void> => {
    if (lower.caps.readonly)
      throw new VfsError('EROFS', 'apply', { path: rootPath, hint: 'the lower filesystem cannot be written' })
    await alone('apply', async () => {
      const { merges, left } = await applyTo(lower, layers, caps.sync, agreed)
      await empty(left)
      const changes: Difference[] = []
      for (const { path } of merges) {
        const stat = await run(statIfAny(lower, path, { follow: false }))
        if (stat !== undefined) changes.push({ type: 'modify', path, kind: stat.kind, rev: lowerRev(stat.rev) })
      }
      if (changes.length > 0) feed.publish(changes)
    })
  }

  const usedBy = (origin: string | undefined): OverlayBackend => {
    const own = recordedBy(layers, change => feed.publish([change], origin))
    const view = caps.sync ? viewNow(own) : undefined
    const sync = view && behind(door, view)
    const batch = sync === undefined ? undefined : batchOf(own, sync, upper, turn, changes => feed.publish(changes, origin))
    const files: OverlayBackend = {
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
      apply: () => apply(),
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
    offerPatch(sync ?? files, path => (view === undefined ? {} : patchOffer({ sync: view }, path)))
    return files
  }
  return {
    files: usedBy(undefined),
    planned: () => queue(() => run(planned(layers))),
    apply,
    contentBefore: path => merging?.bases.at(path)?.bytes,
  }
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

function* planned(layers: Layers): Steps<PlannedApply> {
  return yield* planSteps(layers, yield* readContainers(layers))
}

/**
 * Uses a transaction of the lower layer if it has them. Otherwise applies one by one, with an error that says so if that is interrupted.
 */
async function applyTo(lower: VfsBackend, layers: Layers, isSync: boolean, agreed: Agreed | undefined): Promise<PlannedApply> {
  const own = { ...layers, directories: new Map() }
  if (lower.batch !== undefined) {
    return await lower.batch(transaction => {
      const steps = applySteps({ ...own, lower: { sync: transaction } }, agreed)
      return isSync ? runNow(steps) : runWaiting(steps)
    })
  }
  try {
    return await runWaiting(applySteps(own, agreed))
  } catch (error) {
    // Only `apply` itself checks before anything is changed. Another ESTALE is that of a write.
    if (isVfsError(error, 'ESTALE') && error.syscall === 'apply') throw error
    throw new AnchorageError(
      'batch-partial',
      'Applying was interrupted, and the lower filesystem cannot undo what was done before. The changes are all still in the overlay; remove the cause and check the files before you apply again.',
      { cause: error },
    )
  }
}

/** Changes are reported by real path. In an asynchronous filesystem the real path is unknown here. */
function realIfNow(sync: VfsSync | undefined, path: VfsPath): VfsPath {
  return ifThere(() => sync?.realpath(path), 'ENOENT', 'ENOTDIR') ?? resolveDotDot(path)
}
