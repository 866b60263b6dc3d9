// Opens a store in IndexedDB, and again whenever something could not be stored.

import type { BackendRecipe, VfsBackend } from '../../../vfs/backend.ts'
import { VfsError } from '../../../vfs/error.ts'
import { storedCaps } from '../caps.ts'
import type { Log } from '../log/log.ts'
import { storageError } from '../log/failure.ts'
import type { OnDamage } from '../log/mount.ts'
import { openLog } from '../log/open.ts'
import type { Durability } from '../maintenance.ts'
import { storedBackend } from '../stored-backend.ts'
import { acknowledgedBackend, type StoredLife } from './acknowledged-backend.ts'
import { openBlockStorage } from './block-storage.ts'
import type { BlockStore } from './blocks.ts'

export interface BlockBackendOptions {
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
  /** From now on everything is refused with `failure`. */
  end(failure: VfsError): void
}

/** Upkeep that fails on a full disk is tried again after this long, and then after twice as long. */
const firstPauseMs = 2_000
const longestPauseMs = 120_000

/** `own` opens the blocks for us alone; it is called once more after each failure, and rejects if the store is no longer there. */
export async function openBlocks(own: () => Promise<BlockStore>, options: BlockBackendOptions): Promise<OpenedBlocks> {
  let ended: VfsError | undefined
  let log: Log | undefined
  let pauseMs = firstPauseMs

  const live = async (after: VfsError | undefined): Promise<StoredLife> => {
    if (ended !== undefined) throw ended
    let failure: VfsError | undefined
    let ownLog: Log | undefined
    const blocks = await own()
    try {
      const storage = await openBlockStorage(blocks, error => {
        failure = storageError(error, 'write')
        ownLog?.end(failure)
        options.onProblem(failure)
      })
      const open = openLog(storage, {
        onDamage: options.onDamage,
        flushEach: options.durability === 'op',
        ...(options.clock === undefined ? {} : { clock: options.clock }),
      })
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
      return { backend, storage, failure: () => failure }
    } catch (error) {
      blocks.close()
      throw error
    }
  }

  const backend = acknowledgedBackend(await live(undefined), live, {
    caps: { ...storedCaps, sync: false },
    recipe: options.recipe,
    isAwaited: options.durability !== 'lazy',
    onClose: options.onClose,
  })
  return {
    backend,
    end(failure) {
      ended = failure
      log?.end(failure)
    },
  }
}
