// A filesystem whose log is stored a moment after it is written: an operation is answered when the database has it. What the database
// refuses is undone by going back to what it holds: everything that was not answered yet is refused, and those who watch list again.

import type { BackendRecipe, ChangeBatch, Unsubscribe, VfsBackend, VfsCaps, WatchOptions } from '../../../vfs/backend.ts'
import { VfsError } from '../../../vfs/error.ts'
import type { VfsPath } from '../../../core/path.ts'
import { actingAs } from '../../../vfs/origin.ts'
import { storageError } from '../log/failure.ts'
import type { BlockStorage } from './block-storage.ts'

/** One life of the store, from opening it to closing it or to the first thing that could not be stored. */
export interface StoredLife {
  readonly backend: VfsBackend
  readonly storage: BlockStorage
  /** What could not be stored. Set before anybody who waited is told. */
  readonly failure: () => VfsError | undefined
}

export interface AcknowledgedOptions {
  readonly caps: VfsCaps
  readonly recipe: BackendRecipe
  /** Whether an operation waits until it is stored. Without that only `flush` does. */
  readonly isAwaited: boolean
  /** After everything else. */
  readonly onClose: () => void
}

interface Watch {
  readonly path: VfsPath
  readonly listener: (batch: ChangeBatch) => void
  readonly options: WatchOptions | undefined
  end: Unsubscribe
}

/** `reopen` opens what is stored, after `failure`. It has no synchronous side, for nothing can be answered at once. */
export function acknowledgedBackend(
  first: StoredLife,
  reopen: (failure: VfsError) => Promise<StoredLife>,
  options: AcknowledgedOptions,
): VfsBackend {
  let life = first
  let reopening: Promise<StoredLife> | undefined
  let closing: Promise<void> | undefined
  /** What was answered and is lost: `flush` tells it once. */
  let untold: VfsError | undefined
  let told: VfsError | undefined
  const watches = new Set<Watch>()

  const goBack = async (failure: VfsError): Promise<StoredLife> => {
    const failed = life
    // That it could not store the rest is what brought us here.
    await failed.backend.close().catch(() => {})
    life = await reopen(failure)
    for (const watch of watches) {
      watch.end()
      watch.end = subscribe(watch.path, watch.listener, watch.options)
      watch.listener({ changes: [], overflow: true })
    }
    return life
  }

  const usable = async (): Promise<StoredLife> => {
    if (closing !== undefined) throw new VfsError('EBADF', 'open', { hint: 'this filesystem was closed' })
    const failure = life.failure()
    if (failure === undefined) return life
    // Somebody else has it: taking it back would be two writers taking turns.
    if (failure.code === 'EBUSY') throw failure
    if (reopening === undefined) {
      if (!options.isAwaited && failure !== told) untold ??= failure
      reopening = goBack(failure).finally(() => {
        reopening = undefined
      })
    }
    return await reopening
  }

  const usableNow = (syscall: string): VfsBackend => {
    if (life.failure() === undefined) return life.backend
    throw new VfsError('EAGAIN', syscall, { hint: 'the store is going back to what it holds; try again' })
  }

  const subscribe = (path: VfsPath, listener: Watch['listener'], watchOptions: WatchOptions | undefined): Unsubscribe =>
    life.backend.watch?.(path, listener, watchOptions) ?? (() => {})

  const reading = async <T>(work: (fs: VfsBackend) => Promise<T>): Promise<T> => await work((await usable()).backend)

  const writing = async <T>(work: (fs: VfsBackend) => Promise<T>): Promise<T> => {
    const { backend, storage, failure } = await usable()
    const result = await work(backend)
    if (options.isAwaited) await toldBy(storage, failure)
    return result
  }

  const usedBy = (origin: string | undefined): VfsBackend => {
    const changing = <T>(work: (fs: VfsBackend) => Promise<T>): Promise<T> => writing(fs => work(actingAs(fs, origin)))
    return {
      caps: options.caps,
      recipe: options.recipe,
      lookup: (path, lookupOptions) => reading(fs => fs.lookup(path, lookupOptions)),
      list: path => reading(fs => fs.list(path)),
      read: (path, range) => reading(fs => fs.read(path, range)),
      readlink: path => reading(fs => fs.readlink(path)),
      realpath: path => reading(fs => fs.realpath(path)),
      async write(path, data, writeOptions) {
        // The caller may go on with its array as soon as the call returns.
        const copy = new Uint8Array(data)
        return await changing(fs => fs.write(path, copy, writeOptions))
      },
      mkdir: (path, mkdirOptions) => changing(fs => fs.mkdir(path, mkdirOptions)),
      remove: (path, kind) => changing(fs => fs.remove(path, kind)),
      rename: (from, to, renameOptions) => changing(fs => fs.rename(from, to, renameOptions)),
      link: (existing, path) => changing(fs => fs.link(existing, path)),
      symlink: (target, path) => changing(fs => fs.symlink(target, path)),
      setattr: (path, attributes) => changing(fs => fs.setattr(path, attributes)),
      batch: (work, batchOptions) =>
        changing(async fs => {
          if (fs.batch === undefined) throw new Error('a stored filesystem has batches')
          return await fs.batch(work, batchOptions)
        }),
      snapshot() {
        const taken = usableNow('snapshot').snapshot?.()
        if (taken === undefined) throw new Error('a stored filesystem has snapshots')
        return taken
      },
      fork(snapshot) {
        const forked = usableNow('snapshot').fork?.(snapshot)
        if (forked === undefined) throw new Error('a stored filesystem has forks')
        return forked
      },
      diff: (from, to) => reading(async fs => (await fs.diff?.(from, to)) ?? []),
      watch(path, listener, watchOptions) {
        const watch = { path, listener, options: watchOptions, end: subscribe(path, listener, watchOptions) }
        watches.add(watch)
        return () => {
          watches.delete(watch)
          watch.end()
        }
      },
      usage: () => reading(async fs => (await fs.usage?.()) ?? { bytes: 0, nodes: 0 }),
      async flush() {
        const { backend, storage, failure } = await usable()
        if (untold !== undefined) {
          const lost = untold
          untold = undefined
          throw lost
        }
        try {
          await backend.flush()
          await toldBy(storage, failure)
        } catch (error) {
          told = failure()
          throw told ?? storageError(error, 'flush')
        }
      },
      close() {
        closing ??= (async () => {
          try {
            await reopening
            await life.backend.close()
          } catch (error) {
            throw life.failure() ?? storageError(error, 'close')
          } finally {
            options.onClose()
          }
        })()
        return closing
      },
      as: usedBy,
    }
  }
  return usedBy(undefined)
}

/** Until everything that was written is in the database. */
async function toldBy(storage: BlockStorage, failure: () => VfsError | undefined): Promise<void> {
  try {
    await storage.stored()
  } catch (error) {
    throw failure() ?? storageError(error, 'write')
  }
}
