// Opens the store of a name in this worker, either alone or together with the other tabs that have it open.

import { checkOptions } from '../../core/argument.ts'
import { VfsError } from '../../vfs/error.ts'
import type { FullBackend } from '../../vfs/backend.ts'
import { storedCaps } from './caps.ts'
import { derivedDatabase } from './indexeddb/derived-database.ts'
import { historyDatabase } from './indexeddb/history-database.ts'
import { acquireLock, lockNameOf } from './lock.ts'
import type { OpfsBackend } from './mirror/attach.ts'
import type { MirrorReport } from './mirror/mirror.ts'
import { type OpenedStore, openStore, type StoreContext } from './open-store.ts'
import { type OpenOpfsOptions, optionNames, parseOptions, type StoreSettings } from './options.ts'
import { browserPlatform, type LockManager, quotaOf } from './platform.ts'
import { messageInOpfs, type Persistence } from './store-place.ts'
import type { Place } from './tabs/messages.ts'
import { browserNetwork, type OpenNetwork } from './tabs/network.ts'
import { keepPrivate } from './tabs/private-store.ts'
import { shareStore } from './tabs/share-store.ts'

/** How long to wait for the lock: the previous tab may take a moment to close. */
const lockWaitMs = 3_000
/** How long the tab with the files may take to answer another one. A script in its shell can legitimately keep it busy for seconds. */
const answerTimeoutMs = 10_000

/** See `openOpfs` in `index.ts`. */
export async function openOpfs(options: OpenOpfsOptions): Promise<OpfsBackend> {
  checkOptions('openOpfs', options, { ...optionNames, onProblem: 1, onPersistence: 1, onMirror: 1 })
  const settings = parseOptions({ ...options })
  const platform = browserPlatform()
  if (!platform.isDedicatedWorker) {
    throw new VfsError('ENOTSUP', 'open', {
      hint: 'stored files can be opened in a dedicated worker of a browser only; use connectWorkspace from anchorage/client there, and memory() from anchorage/fs/memory elsewhere',
    })
  }
  const network = browserNetwork(settings.name)
  const onProblem = options.onProblem ?? (problem => platform.warn(`anchorage: ${problem.message}`))
  const { onMirror } = options
  const mirror: { flush?: () => Promise<MirrorReport> } = {}
  const onMirrorOpened = (flush: () => Promise<MirrorReport>): void => {
    mirror.flush = flush
  }
  const context = { settings, platform, onProblem, onMirrorOpened, ...(onMirror === undefined ? {} : { onMirror }) }
  const { locks } = platform
  const isShared = settings.tabs === 'share' && locks !== undefined && network !== undefined
  const tell = (persistence: Persistence): void => {
    if (!persistence.persistent) platform.warn(`anchorage: ${persistence.message}`)
    options.onPersistence?.(persistence)
  }
  const { backend, owned, place } = isShared ? await shared(context, locks, network, tell) : await exclusive(context, network)
  tell(owned?.persistence ?? byAnotherTab(settings, place))
  const isKept = owned === undefined || owned.persistence.persistent
  return Object.assign(backend, {
    ...(isKept && platform.hasIndexedDb ? { derived: derivedDatabase(settings.name, onProblem) } : {}),
    // Two tabs that write would mix their numbers, so the tab that opened the files does it.
    ...(owned?.persistence.persistent === true && platform.hasIndexedDb
      ? { records: historyDatabase(settings.name, onProblem) }
      : {}),
    async flushMirror(): Promise<MirrorReport> {
      if (mirror.flush !== undefined) return await mirror.flush()
      const hint =
        settings.mirror === undefined
          ? 'this filesystem was opened without a mirror; open it with the option mirror: { globs: [...] }'
          : 'another tab has the files open and updates their mirror; nothing needs to be done here'
      throw new VfsError('ENOTSUP', 'mirror', { hint })
    },
  })
}

type Context = Omit<StoreContext, 'onClose'>

interface Opened {
  readonly backend: FullBackend
  /** The store, if this tab opened it itself. */
  readonly owned: OpenedStore | undefined
  /** Otherwise, where the files are according to the tab that has them. */
  readonly place?: Place | undefined
}

/** Older releases do not send a place; they share only stores in OPFS. */
function byAnotherTab({ name }: StoreSettings, { storage, message }: Place = inOpfs): Persistence {
  return {
    name,
    storage,
    persistent: true,
    message: `${message} Another tab has them open, and this tab works through it.`,
  }
}

const inOpfs: Place = { storage: 'opfs', message: messageInOpfs }

async function shared(
  context: Context,
  locks: LockManager,
  openNetwork: OpenNetwork,
  tell: (persistence: Persistence) => void,
): Promise<Opened> {
  const { settings, platform } = context
  return await shareStore<OpenedStore & { readonly place?: Place }>({
    name: settings.name,
    recipe: { kind: 'opfs', ...settings },
    caps: { ...storedCaps, sync: false },
    lockName: lockNameOf(settings.name),
    locks,
    openNetwork,
    openStore: hooks => openStore({ ...context, ...hooks }).then(withPlace),
    quotaBytes: quotaOf(platform),
    clientId: crypto.randomUUID(),
    now: Date.now,
    after(delayMs, work) {
      const timer = setTimeout(work, delayMs)
      return () => clearTimeout(timer)
    },
    answerTimeoutMs,
    openTimeoutMs: answerTimeoutMs,
    onTakenOver: ({ persistence }) => tell(persistence),
  })
}

function withPlace(store: OpenedStore): OpenedStore & { readonly place?: Place } {
  const { storage, message } = store.persistence
  return storage === 'memory' ? store : { ...store, place: { storage, message } }
}

async function exclusive(context: Context, openNetwork: OpenNetwork | undefined): Promise<Opened> {
  const { settings, platform } = context
  let owned: OpenedStore | undefined
  const lock = await acquireLock(platform.locks, lockNameOf(settings.name), lockWaitMs, () =>
    owned?.end(new VfsError('EBUSY', 'write', { hint: 'another tab took over this stored filesystem; reload this tab' })),
  )
  const stopRefusing = openNetwork === undefined ? () => {} : keepPrivate(openNetwork, crypto.randomUUID())
  const onClose = (): void => {
    stopRefusing()
    lock.release()
  }
  try {
    owned = await openStore({ ...context, onClose })
    return { backend: owned.backend, owned }
  } catch (error) {
    onClose()
    throw error
  }
}
