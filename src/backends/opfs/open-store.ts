// Opens the store of a name for the tab that holds its lock: in OPFS, otherwise in IndexedDB, otherwise in memory with a warning. An
// existing store is opened where it is, or not at all. It is never replaced with a new one.

import { defined } from '../../core/record.ts'
import { AnchorageError } from '../../core/errors.ts'
import type { FullBackend } from '../../vfs/backend.ts'
import { VfsError } from '../../vfs/error.ts'
import { createTreeStore } from '../../vfs/tree/store.ts'
import { treeCaps } from '../../vfs/tree/caps.ts'
import { treeBackend } from '../../vfs/tree/tree-backend.ts'
import type { StoreDatabase } from './indexeddb/database.ts'
import type { Lives } from './indexeddb/open-indexeddb.ts'
import { storageError } from './log/failure.ts'
import { openLog, type OpenLog, type OpenLogOptions } from './log/open.ts'
import type { LogStorage } from './log/storage.ts'
import type { MirrorReport } from './mirror/mirror.ts'
import type { StoreSettings } from './options.ts'
import { type DirectoryHandle, type Platform, quotaOf } from './platform.ts'
import { storedBackend } from './stored-backend.ts'
import {
  findOpfs,
  findStore,
  type Found,
  messageInOpfs,
  missing,
  type Persistence,
  probeHandles,
  type StorageKind,
} from './store-place.ts'
import { openSyncHandles } from './sync-handles.ts'

export interface OpenedStore {
  readonly backend: FullBackend
  readonly persistence: Persistence
  /** The log; missing if the files are in memory. */
  readonly open: OpenLog | undefined
  /** Only for a store in IndexedDB. */
  readonly lives?: Lives
  /** The origin's private directory, for a store in OPFS. */
  readonly root: DirectoryHandle | undefined
  /** From now on every operation is refused with `failure`. */
  end(failure: VfsError): void
}

/** `feed` and `onReplay` are for a tab that takes over from another one; see `OpenLogOptions`. */
export interface StoreContext extends Pick<OpenLogOptions, 'feed' | 'onReplay'> {
  readonly settings: StoreSettings
  readonly platform: Platform
  readonly onProblem: (problem: VfsError) => void
  readonly onMirror?: (report: MirrorReport) => void
  /** Receives a function that updates the mirror, each time this tab has opened the files. */
  readonly onMirrorOpened?: (flushMirror: () => Promise<MirrorReport>) => void
  /** Releases what was held for the store. Called last. */
  readonly onClose: () => void
}

/** The caller holds the store's lock. Rejects as `openOpfs` in `index.ts` does, after closing everything that it opened. */
export async function openStore(context: StoreContext): Promise<OpenedStore> {
  const { settings, onProblem } = context
  const { mirror } = settings
  if (mirror === undefined) return await openPlace(context)
  const { mirrorMatcher, withMirror } = await import('./mirror/attach.ts')
  // An invalid glob is reported before anything is opened.
  mirrorMatcher(mirror)
  const opened = await openPlace(context)
  const listeners = { onMirror: context.onMirror ?? (() => {}), onProblem }
  const mirrored = await withMirror(opened.backend, opened.root, mirror, listeners)
  context.onMirrorOpened?.(mirrored.flush)
  return { ...opened, backend: mirrored.backend }
}

async function openPlace(context: StoreContext): Promise<OpenedStore> {
  const { settings, platform } = context
  const { name, storage: wanted } = settings
  const isWanted = (kind: StorageKind): boolean => wanted.includes(kind)
  let opfs = isWanted('opfs') ? await findOpfs(platform) : missing('its options leave OPFS out')
  if (opfs.is === 'there') {
    const directory = await findStore(opfs.value, name)
    if (directory !== undefined) return await inOpfs(opfs.value, directory, context)
    const probed = await probeHandles(opfs.value)
    if (probed.is === 'missing') opfs = probed
  }
  const database = await findDatabase(context)
  if (database.is === 'there') {
    try {
      const lost = await database.value.lost()
      if (lost !== undefined)
        throw goneStore(name, `the browser found the databases of this site damaged and removed them (${lost})`)
      const home = await database.value.home()
      if (home === 'indexeddb') {
        if (!isWanted('indexeddb')) throw elsewhere(name, 'IndexedDB', 'its options leave IndexedDB out')
        return await inIndexedDb(database.value, opfs, context)
      }
      if (opfs.is === 'there') {
        if (home === 'opfs' && (await database.value.isMade()))
          throw goneStore(name, 'its files were removed from the origin private file system')
        // Record the place first. Otherwise a browser session without OPFS would create a second, empty store of this name.
        await database.value.setHome('opfs')
        const opened = await inOpfs(opfs.value, await madeDirectory(opfs.value, name), context)
        // From now on a missing directory is an error. If this cannot be recorded, the store still works.
        await database.value.setMade().catch((error: unknown) => context.onProblem(storageError(error, 'open')))
        database.value.close()
        return opened
      }
      if (home === 'opfs') throw elsewhere(name, 'the origin private file system', opfs.reason)
      if (isWanted('indexeddb')) {
        await database.value.setHome('indexeddb')
        return await inIndexedDb(database.value, opfs, context)
      }
    } catch (error) {
      database.value.close()
      throw error instanceof AnchorageError ? error : storageError(error, 'open')
    }
    database.value.close()
  }
  if (opfs.is === 'there') return await inOpfs(opfs.value, await madeDirectory(opfs.value, name), context)
  const reason = `${opfs.reason}, and ${isWanted('indexeddb') && database.is === 'missing' ? database.reason : 'its options leave IndexedDB out'}`
  if (isWanted('memory')) return inMemory(reason, context)
  throw new VfsError('ENOTSUP', 'open', {
    path: name,
    hint: `${reason}; open it in another browser or window, or add 'memory' to its storage`,
  })
}

async function findDatabase({ settings, platform, onProblem }: StoreContext): Promise<Found<StoreDatabase>> {
  if (!platform.hasIndexedDb) return missing('there is no IndexedDB on this page')
  const { openStoreDatabase } = await import('./indexeddb/database.ts')
  try {
    return { is: 'there', value: await openStoreDatabase(settings.name) }
  } catch (error) {
    const failure = storageError(error, 'open')
    onProblem(failure)
    return missing(`IndexedDB does not open (${failure.hint ?? failure.code})`)
  }
}

async function madeDirectory(root: DirectoryHandle, name: string): Promise<DirectoryHandle> {
  try {
    return await (await root.getDirectoryHandle('anchorage', { create: true })).getDirectoryHandle(name, { create: true })
  } catch (error) {
    throw storageError(error, 'open')
  }
}

async function inOpfs(root: DirectoryHandle, directory: DirectoryHandle, context: StoreContext): Promise<OpenedStore> {
  const { settings, platform, onProblem, onClose } = context
  const { name, durability, onDamage } = settings
  let storage: LogStorage | undefined
  try {
    storage = await openSyncHandles(directory, name)
    const { feed, onReplay } = context
    const open = openLog(storage, {
      onDamage,
      flushEach: durability === 'op',
      ...defined({ feed, onReplay }),
    })
    const opened = storage
    const quotaBytes = quotaOf(platform)
    const recipe = { kind: 'opfs', ...settings }
    return {
      backend: storedBackend(open, storage, { recipe, durability, quotaBytes, onProblem, onClose }),
      persistence: { name, storage: 'opfs', persistent: true, message: messageInOpfs },
      open,
      root,
      end(failure) {
        open.log.end(failure)
        // The next holder of the lock cannot open the files before they are closed.
        opened.close().catch((error: unknown) => onProblem(storageError(error, 'close')))
      },
    }
  } catch (error) {
    await storage?.close()
    throw error instanceof AnchorageError ? error : storageError(error, 'open')
  }
}

async function inIndexedDb(database: StoreDatabase, opfs: Found<unknown>, context: StoreContext): Promise<OpenedStore> {
  const { settings, platform, onProblem, onClose, feed, onReplay } = context
  const { name, durability, onDamage } = settings
  const [{ openBlocks }, { openStoreDatabase }] = await Promise.all([
    import('./indexeddb/open-indexeddb.ts'),
    import('./indexeddb/database.ts'),
  ])
  let first: StoreDatabase | undefined = database
  const own = async (): Promise<Awaited<ReturnType<StoreDatabase['own']>>> => {
    const opened = first ?? (await openStoreDatabase(name))
    first = undefined
    // The user may have deleted this site's data meanwhile. The files in memory must not be mistaken for stored ones.
    if ((await opened.home()) !== 'indexeddb') {
      opened.close()
      throw new VfsError('EIO', 'open', {
        path: name,
        hint: 'the stored files were deleted while they were in use; reload the page',
      })
    }
    return await opened.own()
  }
  const opened = await openBlocks(own, {
    recipe: { kind: 'opfs', ...settings },
    durability,
    onDamage,
    quotaBytes: quotaOf(platform),
    onProblem,
    onClose,
    ...defined({ feed, onReplay }),
  })
  const why = opfs.is === 'missing' ? opfs.reason : 'they were first stored there'
  const message = `The files are kept in IndexedDB, because ${why}.`
  const persistence = { name, storage: 'indexeddb', persistent: true, message } as const
  const { backend, open, lives } = opened
  return { backend, persistence, open, lives, root: undefined, end: failure => opened.end(failure) }
}

function inMemory(reason: string, { settings, onClose }: StoreContext): OpenedStore {
  const message = `The files are kept in memory only and are lost with this page: ${reason}.`
  const store = createTreeStore(Date.now)
  let ended: VfsError | undefined
  const backend = treeBackend(
    () => {
      if (ended !== undefined) throw ended
      return store
    },
    { recipe: { kind: 'opfs', ...settings } },
  )
  return {
    backend: {
      ...backend,
      caps: { ...treeCaps, notice: message },
      async close() {
        await backend.close()
        onClose()
      },
    },
    persistence: { name: settings.name, storage: 'memory', persistent: false, message },
    open: undefined,
    root: undefined,
    end(failure) {
      ended ??= failure
    },
  }
}

function goneStore(name: string, why: string): AnchorageError {
  return new AnchorageError(
    'store-missing',
    `The stored filesystem ${JSON.stringify(name)} is gone: ${why}. It was not replaced with an empty one. ` +
      'Next: tell the user, remove the rest with deleteStore, and open it again as a new store; or open a store of another name.',
    { details: { name } },
  )
}

function elsewhere(name: string, place: string, reason: string): AnchorageError {
  return new AnchorageError(
    'store-elsewhere',
    `The stored filesystem ${JSON.stringify(name)} is kept in ${place}, which cannot be used now: ${reason}. Nothing was changed, and ` +
      'it was not replaced with an empty one. Next: open it where it can be used (the same browser, not a private window), or open a store of another name.',
    { details: { name, place } },
  )
}
