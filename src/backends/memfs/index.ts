// For hosts that already use memfs: their volume becomes the workspace's filesystem, with the rules that memfs lacks. A host that only
// needs files in memory should use `memory()`, which is smaller, many times faster, and has snapshots.

import { checkMember } from '../../core/errors.ts'
import { defined } from '../../core/record.ts'
import { parsePath } from '../../core/path.ts'
import type { Change, EntryKind, VfsBackend, VfsCaps, VfsSync } from '../../vfs/backend.ts'
import { hostedCaps } from '../../vfs/hosted/caps.ts'
import { type Hosted, hostedBackend } from '../../vfs/hosted/hosted-backend.ts'
import { callPrimitive, keptArguments, mapWaiting, primitiveNames } from '../../vfs/port.ts'
import { memfsHost } from './memfs-host.ts'
import { listen, type MemfsVolume, type VolumeEvent } from './volume.ts'

export type { MemfsStats, MemfsVolume } from './volume.ts'

const caps: VfsCaps = { ...hostedCaps, persistent: false, mtime: 'exact' }

/**
 * A filesystem over a memfs `Volume`: the given one, which its owner may continue to use, or a new one. Memfs is loaded only for a new one,
 * with the first operation; until then there is no synchronous side, so `caps.sync` is false and `sync` is missing.
 *
 * Renames that would destroy data, links and modes follow POSIX as in every backend, instead of memfs's rules. Modes are stored and not
 * enforced. Revisions, inode numbers and strictly increasing times are stored beside the volume.
 */
export function memfs(volume?: MemfsVolume): VfsBackend {
  if (volume !== undefined) checkMember('memfs', volume, 'openSync', 'a Volume of memfs')
  return volume === undefined ? onNewVolume() : onVolume(volume).backend
}

function onVolume(volume: MemfsVolume): Hosted {
  let depth = 0
  const quietly = <T>(act: () => T): T => {
    depth++
    try {
      return act()
    } finally {
      depth--
    }
  }
  const hosted = hostedBackend(memfsHost(volume, quietly), caps, Date.now)
  const end = listen(volume, event => {
    if (depth === 0) heard(hosted, event)
  })
  const close = async (): Promise<void> => end?.()
  return { ...hosted, backend: { ...hosted.backend, close } }
}

/** Another user of the volume has changed it. */
function heard({ backend, ledger, feed }: Hosted, event: VolumeEvent): void {
  const key = String(event.ino)
  if (event.type === 'create' && event.nlink <= 1) ledger.forget(key)
  else if (event.type === 'delete' && event.nlink <= 1) ledger.forget(key)
  else if (event.type !== 'move') ledger.mistrust(key)
  const path = parsePath(event.path)
  const now = found(backend.sync, event.path)
  const change: Omit<Change, 'seq'> = {
    type: event.type,
    path,
    ...defined({ oldPath: event.oldPath === undefined ? undefined : parsePath(event.oldPath) }),
    kind: now?.kind ?? 'file',
    rev: now?.rev ?? 0,
  }
  feed.publish([change])
}

function found(sync: VfsSync, path: string): { readonly kind: EntryKind; readonly rev: number } | undefined {
  try {
    return sync.lookup(parsePath(path), { follow: false })
  } catch {
    // The event names a path that is invalid here (memfs allows longer names); its change is still reported.
    return undefined
  }
}

function onNewVolume(): VfsBackend {
  let loading: Promise<Hosted> | undefined
  const hosted = (): Promise<Hosted> =>
    (loading ??= import('./engine.ts').then(
      ({ createVolume }) => onVolume(createVolume()),
      (error: unknown) => {
        // The next operation tries to load it again, because the network may be back.
        loading = undefined
        throw error
      },
    ))
  return lazily(hosted)
}

function lazily(hosted: () => Promise<Hosted>, origin?: string): VfsBackend {
  const seen = async (): Promise<Hosted['backend']> => {
    const { backend } = await hosted()
    return origin === undefined ? backend : backend.as(origin)
  }
  return {
    caps: { ...caps, sync: false },
    ...mapWaiting(primitiveNames, async (name, args) => {
      const kept = keptArguments(args)
      return callPrimitive((await seen()).sync, name, kept)
    }),
    flush: async () => {},
    close: async () => {},
    batch: async (work, options) => {
      return (await seen()).batch(work, options)
    },
    watch(path, listener, options) {
      let end: (() => void) | undefined
      let isEnded = false
      void hosted().then(({ backend }) => {
        if (!isEnded) end = backend.watch(path, listener, options)
      })
      return () => {
        isEnded = true
        end?.()
      }
    },
    as: name => lazily(hosted, name),
  }
}
