// Opens the store of a name in this worker: the lock first, then its files, then what they hold.

import { AnchorageError } from '../../core/errors.ts'
import { VfsError } from '../../vfs/error.ts'
import type { VfsBackend } from '../../vfs/backend.ts'
import { acquireLock } from './lock.ts'
import type { Log } from './log/log.ts'
import type { OnDamage } from './log/mount.ts'
import { openLog } from './log/open.ts'
import { storageError } from './log/failure.ts'
import type { LogStorage } from './log/storage.ts'
import type { Durability } from './maintenance.ts'
import { browserPlatform, type DirectoryHandle, type Platform } from './platform.ts'
import { storedBackend } from './stored-backend.ts'
import { openSyncHandles } from './sync-handles.ts'

const namePattern = /^[\w.-]{1,64}$/
/** The tab before us may take a moment to go. */
const lockWaitMs = 3_000

export interface OpfsOptions {
  /** Which store: letters, digits, '.', '_' and '-'. Stores of one origin are apart from each other. */
  readonly name: string
  /** Default `group`. */
  readonly durability?: Durability
  /** Default `refuse`: a damaged store is an error, and stays as it is. `cut` goes back to the last state before the damage. */
  readonly onDamage?: OnDamage
}

export interface OpenOpfsOptions extends OpfsOptions {
  /** Hears of upkeep that could not be done and is tried again, such as a checkpoint on a full disk. Default: nobody. */
  readonly onProblem?: (problem: VfsError) => void
}

/** The options that an object holds, such as a recipe that came from a page. Throws `AnchorageError` `opfs-options`. */
export function parseOptions(options: Readonly<Record<string, unknown>>): Required<OpfsOptions> {
  const { name, durability = 'group', onDamage = 'refuse' } = options
  if (typeof name !== 'string' || !namePattern.test(name) || /^\.*$/.test(name)) {
    throw new AnchorageError(
      'opfs-options',
      `A store's name has 1 to 64 letters, digits, '.', '_' or '-', not ${JSON.stringify(name)}. Next: give another name.`,
    )
  }
  return {
    name,
    durability: oneOf(['op', 'group', 'lazy'], durability, 'durability'),
    onDamage: oneOf(['refuse', 'cut'], onDamage, 'onDamage'),
  }
}

function oneOf<T extends string>(values: readonly T[], value: unknown, option: string): T {
  const found = values.find(known => known === value)
  if (found !== undefined) return found
  throw new AnchorageError(
    'opfs-options',
    `${option} is one of ${values.join(', ')}, not ${JSON.stringify(value)}. Next: correct it.`,
  )
}

/**
 * The stored filesystem of `name`, ready, with its synchronous side; in a dedicated worker only. Where nothing is stored under that name
 * yet, an empty one is made.
 *
 * Throws `VfsError` EBUSY (another tab has it open), ENOTSUP (this scope or browser cannot hold it), ENOSPC or EIO, and
 * `AnchorageError` `store-damaged`, `store-newer` or `opfs-options`. It never gives an empty filesystem in place of one that is there.
 */
export async function openOpfs(options: OpenOpfsOptions): Promise<VfsBackend> {
  const settings = parseOptions({ ...options })
  const platform = browserPlatform()
  // Found out before the lock is waited for.
  const root = await rootDirectory(platform)
  let log: Log | undefined
  const lock = await acquireLock(platform.locks, `anchorage:opfs:${settings.name}`, lockWaitMs, () =>
    log?.end(new VfsError('EBUSY', 'write', { hint: 'another tab took this stored filesystem over; reload this one' })),
  )
  let storage: LogStorage | undefined
  try {
    const parent = await root.getDirectoryHandle('anchorage', { create: true })
    storage = await openSyncHandles(await parent.getDirectoryHandle(settings.name, { create: true }), settings.name)
    const open = openLog(storage, { onDamage: settings.onDamage, flushEach: settings.durability === 'op' })
    log = open.log
    return storedBackend(open, storage, {
      recipe: { kind: 'opfs', ...settings },
      durability: settings.durability,
      quotaBytes: async () => (await platform.storage?.estimate?.())?.quota,
      onProblem: options.onProblem ?? (() => {}),
      onClose: () => lock.release(),
    })
  } catch (error) {
    await storage?.close()
    lock.release()
    throw error instanceof AnchorageError ? error : storageError(error, 'open')
  }
}

async function rootDirectory({ storage }: Platform): Promise<DirectoryHandle> {
  const missing = (hint: string, cause?: unknown): VfsError => new VfsError('ENOTSUP', 'open', { hint, cause })
  if (storage?.getDirectory === undefined) {
    throw missing(
      'there is no origin private file system here (an insecure page, or no browser); use memory() from anchorage/fs/memory',
    )
  }
  if (!('FileSystemSyncAccessHandle' in globalThis)) {
    throw missing('stored files can be opened in a dedicated worker only; use connectWorkspace from anchorage/client')
  }
  try {
    return await storage.getDirectory()
  } catch (error) {
    throw missing(
      'the browser keeps no files for this page, as in a private window; use memory() from anchorage/fs/memory',
      error,
    )
  }
}
