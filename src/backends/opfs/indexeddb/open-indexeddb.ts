// Opens a store in IndexedDB, and opens it again whenever a write could not be stored.

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

/** `onReplay` receives what the store held at the first opening; `feed` is asked at each opening. */
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
  /** The log of the first opening. */
  readonly open: OpenLog
  readonly lives: Lives
  /** From now on every operation is refused with `failure`. */
  end(failure: VfsError): void
}

/** A store whose commits are stored a moment later, and which returns to the stored state when a commit cannot be stored. */
export interface Lives {
  /** Resolves when all commits are stored, if operations wait for that. Rejects after `onFailed` was called for a commit that is lost. */
  stored(): Promise<void>
  /** Called when committed changes that were not stored are lost. */
  onFailed: ((failure: VfsError) => void) | undefined
  /** Called when the store continues from its stored state, after `failure`. */
  onReopened: ((open: OpenLog, failure: VfsError) => void) | undefined
  /** Opens the store again now instead of with the next operation. Rejects as that operation would. */
  reopen(): Promise<void>
}

/** When maintenance fails on a full disk, it is tried again after this time, and then after twice as long. */
const firstPauseMs = 2_000
const longestPauseMs = 120_000

/** `own` takes ownership of the blocks. It is called again after each failure, and rejects if the store no longer exists. */
export async function openBlocks(own: () => Promise<BlockStore>, options: BlockBackendOptions): Promise<OpenedBlocks> {
  const lives = new BlockLives(own, options)
  const first = await lives.begin(undefined)
  const backend = acknowledgedBackend(first, failure => lives.begin(failure), {
    caps: { ...storedCaps, sync: false },
    recipe: options.recipe,
    isAwaited: lives.isAwaited,
    onClose: options.onClose,
  })
  // Every operation, even a lookup, first opens the store again.
  lives.openAgain = async () => void (await backend.lookup(rootPath))
  return { backend, open: first.open, lives, end: failure => lives.end(failure) }
}

class BlockLives implements Lives {
  onFailed: Lives['onFailed']
  onReopened: Lives['onReopened']
  openAgain: () => Promise<void> = async () => {}
  /** Whether an operation is answered only after the database has stored it. */
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

  /** Opens what the database holds, after the previous opening ended with `after`. */
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
        // On a full disk the first change would fail together with a reserve, because a database frees space at a time of its choice.
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
