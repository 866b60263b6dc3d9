// The port over a host. Synchronous and asynchronous calls are the same code.

import { resolveDotDot, type VfsPath } from '../../core/path.ts'
import { asynchronous } from '../asynchronous.ts'
import type { VfsBackend, VfsCaps, VfsSync } from '../backend.ts'
import { isVfsError } from '../error.ts'
import { createFeed, type Feed } from '../feed.ts'
import { fromHost } from './host-errors.ts'
import type { HostFs } from './host.ts'
import { Ledger } from './ledger.ts'
import { liveDisk } from './live-disk.ts'
import { hostedPrimitives, type UnnumberedChange } from './primitives.ts'
import { removeLeftovers, transactOnHost } from './transaction.ts'

export interface Hosted {
  readonly backend: VfsBackend & Required<Pick<VfsBackend, 'sync' | 'batch' | 'watch'>>
  readonly feed: Feed
  readonly ledger: Ledger
}

/** `caps` says what the host can; what this adds to it (`sync`, `transactions`) is true in any case. */
export function hostedBackend(host: HostFs, caps: VfsCaps, clock: () => number): Hosted {
  const ledger = new Ledger(clock)
  const disk = liveDisk(host, ledger)
  const feed = createFeed()
  const sync = hostedPrimitives(disk, {
    maxFileBytes: caps.maxFileBytes,
    within: act => host.within(act),
    record: change => feed.publish([change]),
  })
  const leftovers = new Set<() => void>()
  const setting = {
    disk,
    leftovers,
    maxFileBytes: caps.maxFileBytes,
    publish: (changes: readonly UnnumberedChange[]) => feed.publish(changes),
  }
  const backend: Hosted['backend'] = {
    ...asynchronous(sync),
    caps: { ...caps, sync: true, transactions: true },
    sync,
    async flush() {
      const problem = host.within(() => removeLeftovers(leftovers))
      host.flush()
      if (problem !== undefined) throw fromHost(problem, '/')
    },
    close: async () => host.close(),
    batch: (work, options) => transactOnHost(setting, work, options),
    watch: (path, listener, options) => feed.watch(realOrAsGiven(sync, path), listener, options),
  }
  return { backend, feed, ledger }
}

/** Changes are told by real path. What is missing may come to be later, so it is watched under the name it was given. */
function realOrAsGiven(fs: VfsSync, path: VfsPath): VfsPath {
  try {
    return fs.realpath(path)
  } catch (error) {
    if (isVfsError(error, 'ENOENT', 'ENOTDIR')) return resolveDotDot(path)
    throw error
  }
}
