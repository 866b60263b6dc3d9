// Opens a store in IndexedDB, and again whenever something could not be stored.

import { rootPath } from '../../../core/path.ts'
import { defined } from '../../../core/record.ts'
import type { BackendRecipe, FullBackend } from '../../../vfs/backend.ts'
import { VfsError } from '../../../vfs/error.ts'
import { storedCaps } from '../caps.ts'
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
  readonly backend: FullBackend
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
  const lives = new BlockLives(own, options)
  const first = await lives.begin(undefined)
  const backend = acknowledgedBackend(first, failure => lives.begin(failure), {
    caps: { ...storedCaps, sync: false },
    recipe: options.recipe,
    isAwaited: lives.isAwaited,
    onClose: options.onClose,
  })
  // Every operation opens the store again first, whatever it asks for.
  lives.openAgain = async () => void (await backend.lookup(rootPath))
  return { backend, open: first.open, lives, end: failure => lives.end(failure) }
}

class BlockLives implements Lives {
  onFailed: Lives['onFailed']
  onReopened: Lives['onReopened']
  openAgain: () => Promise<void> = async () => {}
  /** Whether an operation is answered only when the database has it. */
  readonly isAwaited: boolean
  readonly #own: () => Promise<BlockStore>
  readonly #options: BlockBackendOptions
  #ended: VfsError | undefined
  #pauseMs = firstPauseMs
  #present: { readonly storage: BlockStorage; readonly open: OpenLog } | undefined

  constructor(own: () => Promise<BlockStore>, options: BlockBackendOptions) {
    this.#own = own
    this.#options = options
    this.isAwaited = options.durability !== 'lazy'
  }

  async stored(): Promise<void> {
    try {
      if (this.isAwaited) await this.#present?.storage.stored()
    } catch (error) {
      throw storageError(error, 'write')
    }
  }

  reopen(): Promise<void> {
    return this.openAgain()
  }

  end(failure: VfsError): void {
    this.#ended = failure
    this.#present?.open.log.end(failure)
  }

  /** Opens what the database holds, after the life before it ended with `after`. */
  async begin(after: VfsError | undefined): Promise<StoredLife & { readonly open: OpenLog }> {
    if (this.#ended !== undefined) throw this.#ended
    const { recipe, durability, quotaBytes, onProblem, onDamage, feed, onReplay, clock } = this.#options
    const life: { failure?: VfsError; open?: OpenLog } = {}
    const blocks = await this.#own()
    try {
      const storage = await openBlockStorage(blocks, error => {
        const failure = storageError(error, 'write')
        life.failure = failure
        life.open?.log.end(failure)
        onProblem(failure)
        this.onFailed?.(failure)
      })
      const open = openLog(storage, {
        onDamage,
        flushEach: durability === 'op',
        ...defined({
          feed,
          clock,
          onReplay: after === undefined ? onReplay : undefined,
          given: this.#present?.open.store.stamps,
        }),
      })
      life.open = open
      const isFull = after?.code === 'ENOSPC'
      if (isFull) this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs)
      const backend = storedBackend(open, storage, {
        recipe,
        durability,
        quotaBytes,
        onProblem,
        onClose: () => {},
        // On a full disk the first change would fail together with a reserve, and a database gives room back when it likes.
        isShortOfRoom: true,
        ...(isFull ? { idleMs: this.#pauseMs } : {}),
      })
      this.#present = { storage, open }
      if (after !== undefined) this.onReopened?.(open, after)
      return { backend, storage, open, failure: () => life.failure }
    } catch (error) {
      blocks.close()
      throw error
    }
  }
}
