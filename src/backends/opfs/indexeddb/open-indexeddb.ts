// Opens a store in IndexedDB, and again whenever something could not be stored.

import { rootPath } from '../../../core/path.ts'
import type { BackendRecipe, VfsBackend } from '../../../vfs/backend.ts'
import { VfsError } from '../../../vfs/error.ts'
import { storedCaps } from '../caps.ts'
import type { Log } from '../log/log.ts'
import { storageError } from '../log/failure.ts'
import type { OnDamage } from '../log/mount.ts'
import { openLog, type OpenLog, type OpenLogOptions } from '../log/open.ts'
import type { Durability } from '../maintenance.ts'
import { storedBackend } from '../stored-backend.ts'
import { acknowledgedBackend, type StoredLife } from './acknowledged-backend.ts'
import { type BlockStorage, openBlockStorage } from './block-storage.ts'
import type { BlockStore } from './blocks.ts'

/** `onReplay` hears what the store held when it was first opened; `feed` is asked each time that it is. */
export interface BlockBackendOptions extends Pick<OpenLogOptions, 'feed' | 'onReplay'> {
  readonly recipe: BackendRecipe
  readonly durability: Durability
  readonly onDamage: OnDamage
  readonly quotaBytes: () => Promise<number | undefined>
  readonly onProblem: (problem: VfsError) => void
  readonly onClose: () => void
  readonly clock?: () => number
}

export interface OpenedBlocks {
  readonly backend: VfsBackend
  /** As it was first opened. */
  readonly open: OpenLog
  readonly lives: Lives
  /** From now on everything is refused with `failure`. */
  end(failure: VfsError): void
}

/** A store whose commits are stored a moment later, and that goes back to what it holds when one cannot be. */
export interface Lives {
  /** Everything that was committed is stored, where operations wait for that. Rejects once `onFailed` was told that it never will be. */
  stored(): Promise<void>
  /** Hears that what was committed and not stored is lost. */
  onFailed: ((failure: VfsError) => void) | undefined
  /** Hears that it goes on from what it holds, after `failure`. */
  onReopened: ((open: OpenLog, failure: VfsError) => void) | undefined
  /** Opens it again now, and not with the next operation. Rejects as that would. */
  reopen(): Promise<void>
}

/** Upkeep that fails on a full disk is tried again after this long, and then after twice as long. */
const firstPauseMs = 2_000
const longestPauseMs = 120_000

/** `own` opens the blocks for us alone; it is called once more after each failure, and rejects if the store is no longer there. */
export async function openBlocks(own: () => Promise<BlockStore>, options: BlockBackendOptions): Promise<OpenedBlocks> {
  let ended: VfsError | undefined
  let log: Log | undefined
  let pauseMs = firstPauseMs
  let present: BlockStorage | undefined
  let lastOpen: OpenLog | undefined
  const isAwaited = options.durability !== 'lazy'
  const lives: Lives = {
    async stored() {
      try {
        if (isAwaited) await present?.stored()
      } catch (error) {
        throw storageError(error, 'write')
      }
    },
    onFailed: undefined,
    onReopened: undefined,
    // Whatever is asked of it, it opens again first.
    reopen: async () => void (await backend.lookup(rootPath)),
  }

  const live = async (after: VfsError | undefined): Promise<StoredLife & { readonly open: OpenLog }> => {
    if (ended !== undefined) throw ended
    let failure: VfsError | undefined
    let ownLog: Log | undefined
    const blocks = await own()
    try {
      const storage = await openBlockStorage(blocks, error => {
        failure = storageError(error, 'write')
        ownLog?.end(failure)
        options.onProblem(failure)
        lives.onFailed?.(failure)
      })
      const open = openLog(storage, {
        onDamage: options.onDamage,
        flushEach: options.durability === 'op',
        ...(options.feed === undefined ? {} : { feed: options.feed }),
        ...(options.onReplay === undefined || after !== undefined ? {} : { onReplay: options.onReplay }),
        ...(options.clock === undefined ? {} : { clock: options.clock }),
        ...(lastOpen === undefined ? {} : { given: lastOpen.store.stamps }),
      })
      lastOpen = open
      log = ownLog = open.log
      const isFull = after?.code === 'ENOSPC'
      if (isFull) pauseMs = Math.min(pauseMs * 2, longestPauseMs)
      const backend = storedBackend(open, storage, {
        recipe: options.recipe,
        durability: options.durability,
        quotaBytes: options.quotaBytes,
        onProblem: options.onProblem,
        onClose: () => {},
        // On a full disk a reserve would take the first change down with it, and a database gives room back when it likes.
        isShortOfRoom: true,
        ...(isFull ? { idleMs: pauseMs } : {}),
      })
      present = storage
      if (after !== undefined) lives.onReopened?.(open, after)
      return { backend, storage, open, failure: () => failure }
    } catch (error) {
      blocks.close()
      throw error
    }
  }

  const first = await live(undefined)
  const backend = acknowledgedBackend(first, live, {
    caps: { ...storedCaps, sync: false },
    recipe: options.recipe,
    isAwaited,
    onClose: options.onClose,
  })
  return {
    backend,
    open: first.open,
    lives,
    end(failure) {
      ended = failure
      log?.end(failure)
    },
  }
}
