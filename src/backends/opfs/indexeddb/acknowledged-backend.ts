// A filesystem whose log is stored a moment after it is written. An operation is answered when the database has stored it. When the
// database refuses a write, the stored state is opened again: every unanswered operation fails, and watchers get an overflow event.

import type { BackendRecipe, ChangeBatch, Unsubscribe, FullBackend, VfsCaps, WatchOptions } from '../../../vfs/backend.ts'
import { VfsError } from '../../../vfs/error.ts'
import type { VfsPath } from '../../../core/path.ts'
import { actingAs } from '../../../vfs/origin.ts'
import { offerPatch } from '../../../vfs/patch-offer.ts'
import { callWaiting, changingNames, keptArguments, mapWaiting, readingNames } from '../../../vfs/port.ts'
import { storageError } from '../log/failure.ts'
import type { BlockStorage } from './block-storage.ts'

/** One opening of the store: it lasts until the store is closed or until the first write that could not be stored. */
export interface StoredLife {
  readonly backend: FullBackend
  readonly storage: BlockStorage
  /** Why a write could not be stored. Set before any waiting operation is rejected. */
  readonly failure: () => VfsError | undefined
}

export interface AcknowledgedOptions {
  readonly caps: VfsCaps
  readonly recipe: BackendRecipe
  /** Whether an operation waits until it is stored. If not, only `flush` waits. */
  readonly isAwaited: boolean
  /** Called last when closing. */
  readonly onClose: () => void
}

interface Watch {
  readonly path: VfsPath
  readonly listener: (batch: ChangeBatch) => void
  readonly options: WatchOptions | undefined
  end: Unsubscribe
}

/** `reopen` opens the stored state after `failure`. There is no synchronous side, because no operation can be answered at once. */
export function acknowledgedBackend(
  first: StoredLife,
  reopen: (failure: VfsError) => Promise<StoredLife>,
  options: AcknowledgedOptions,
): FullBackend {
  const lives = new StoredLives(first, reopen, options)
  const usedBy = (origin: string | undefined): FullBackend => {
    const reading = <T>(work: (fs: FullBackend) => Promise<T>): Promise<T> => lives.reading(work)
    const changing = <T>(work: (fs: FullBackend) => Promise<T>): Promise<T> => lives.changing(fs => work(actingAs(fs, origin)))
    const files: FullBackend = {
      caps: options.caps,
      recipe: options.recipe,
      ...mapWaiting(readingNames, (name, args) => reading(fs => callWaiting(fs, name, args))),
      ...mapWaiting(changingNames, (name, args) => {
        const kept = keptArguments(args)
        return changing(fs => callWaiting(fs, name, kept))
      }),
      batch: (work, batchOptions) => changing(fs => fs.batch(work, batchOptions)),
      snapshot: () => lives.usableNow('snapshot').snapshot(),
      fork: snapshot => lives.usableNow('snapshot').fork(snapshot),
      diff: (from, to) => reading(fs => fs.diff(from, to)),
      watch: (path, listener, watchOptions) => lives.watch(path, listener, watchOptions),
      usage: () => reading(fs => fs.usage()),
      flush: () => lives.flush(),
      close: () => lives.close(),
      as: usedBy,
    }
    offerPatch(files)
    return files
  }
  return usedBy(undefined)
}

/** The successive openings of a store, and the watchers that stay subscribed through all of them. */
class StoredLives {
  readonly #reopen: (failure: VfsError) => Promise<StoredLife>
  readonly #options: AcknowledgedOptions
  readonly #watches = new Set<Watch>()
  #life: StoredLife
  #reopening: Promise<StoredLife> | undefined
  #closing: Promise<void> | undefined
  /** The failure of a change that was answered and then lost. The next `flush` reports it once. */
  #untold: VfsError | undefined
  #told: VfsError | undefined

  constructor(first: StoredLife, reopen: (failure: VfsError) => Promise<StoredLife>, options: AcknowledgedOptions) {
    this.#life = first
    this.#reopen = reopen
    this.#options = options
  }

  async reading<T>(work: (fs: FullBackend) => Promise<T>): Promise<T> {
    return await work((await this.#usable()).backend)
  }

  async changing<T>(work: (fs: FullBackend) => Promise<T>): Promise<T> {
    const { backend, storage, failure } = await this.#usable()
    const result = await work(backend)
    if (this.#options.isAwaited) await stored(storage, failure)
    return result
  }

  usableNow(syscall: string): FullBackend {
    if (this.#life.failure() === undefined) return this.#life.backend
    throw new VfsError('EAGAIN', syscall, { hint: 'the store could not be written and is being opened again; try again' })
  }

  watch(path: VfsPath, listener: Watch['listener'], options: WatchOptions | undefined): Unsubscribe {
    const watch: Watch = { path, listener, options, end: () => {} }
    watch.end = this.#subscribe(watch)
    this.#watches.add(watch)
    return () => {
      this.#watches.delete(watch)
      watch.end()
    }
  }

  async flush(): Promise<void> {
    const { backend, storage, failure } = await this.#usable()
    if (this.#untold !== undefined) {
      const lost = this.#untold
      this.#untold = undefined
      throw lost
    }
    try {
      await backend.flush()
      await stored(storage, failure)
    } catch (error) {
      this.#told = failure()
      throw this.#told ?? storageError(error, 'flush')
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#closeNow()
    return this.#closing
  }

  async #closeNow(): Promise<void> {
    try {
      await this.#reopening
      await this.#life.backend.close()
    } catch (error) {
      throw this.#life.failure() ?? storageError(error, 'close')
    } finally {
      this.#options.onClose()
    }
  }

  async #usable(): Promise<StoredLife> {
    if (this.#closing !== undefined) throw new VfsError('EBADF', 'open', { hint: 'this filesystem was closed' })
    const failure = this.#life.failure()
    if (failure === undefined) return this.#life
    // Another tab has the store. If both tabs took it back each time, there would be two writers.
    if (failure.code === 'EBUSY') throw failure
    if (this.#reopening === undefined) {
      if (!this.#options.isAwaited && failure !== this.#told) this.#untold ??= failure
      this.#reopening = this.#goBack(failure).finally(() => {
        this.#reopening = undefined
      })
    }
    return await this.#reopening
  }

  async #goBack(failure: VfsError): Promise<StoredLife> {
    // Closing also fails if the rest could not be stored. That failure is the reason for opening the store again.
    await this.#life.backend.close().catch(() => {})
    this.#life = await this.#reopen(failure)
    for (const watch of this.#watches) {
      watch.end()
      watch.end = this.#subscribe(watch)
      watch.listener({ changes: [], overflow: true })
    }
    return this.#life
  }

  #subscribe({ path, listener, options }: Watch): Unsubscribe {
    return this.#life.backend.watch?.(path, listener, options) ?? (() => {})
  }
}

/** Resolves when everything that was written is in the database. */
async function stored(storage: BlockStorage, failure: () => VfsError | undefined): Promise<void> {
  try {
    await storage.stored()
  } catch (error) {
    throw failure() ?? storageError(error, 'write')
  }
}
