// Implements the port over a host. Synchronous and asynchronous calls run the same code.

import { asynchronous } from '../asynchronous.ts'
import type { VfsBackend, VfsCaps } from '../backend.ts'
import { createFeed, type Feed } from '../feed.ts'
import { offerPatch } from '../patch-offer.ts'
import { watchedPath } from '../watched-path.ts'
import { fromHost } from './host-errors.ts'
import type { HostFs } from './host.ts'
import { Ledger } from './ledger.ts'
import { liveDisk } from './live-disk.ts'
import { createNotices } from './notices.ts'
import { hostedPrimitives, type UnnumberedChange } from './primitives.ts'
import { removeLeftovers, transactOnHost } from './transaction.ts'

type Complete = VfsBackend & Required<Pick<VfsBackend, 'sync' | 'batch' | 'watch'>>

interface HostedBackend extends Complete {
  readonly as: (origin: string) => HostedBackend
}

export interface Hosted {
  readonly backend: HostedBackend
  readonly feed: Feed
  readonly ledger: Ledger
}

/** `caps` describes the host. The features that this backend adds (`sync`, `transactions`) are always true. */
export function hostedBackend(host: HostFs, caps: VfsCaps, clock: () => number): Hosted {
  const ledger = new Ledger(clock)
  const disk = liveDisk(host, ledger)
  const feed = createFeed()
  const notices = createNotices(disk)
  const leftovers = new Set<() => void>()
  const { maxFileBytes } = caps
  const noticing = whileWatched(() =>
    host.notices?.(path => {
      const change = notices.look(path)
      if (change !== undefined) feed.publish([change])
    }),
  )
  const usedBy = (origin: string | undefined): Hosted['backend'] => {
    const publish = (changes: readonly UnnumberedChange[]): void => {
      notices.ours(changes)
      feed.publish(changes, origin)
    }
    const sync = hostedPrimitives(disk, { maxFileBytes, within: act => host.within(act), record: change => publish([change]) })
    if (host.patch !== undefined)
      offerPatch(sync, path => ({
        isInPlace: true,
        within: act => host.within(act),
        settle: () => host.within(() => host.settle?.(path)),
      }))
    return {
      ...asynchronous(sync),
      caps: { ...caps, sync: true, transactions: true },
      sync,
      async flush() {
        const problem = host.within(() => removeLeftovers(leftovers))
        host.flush()
        if (problem !== undefined) throw fromHost(problem, '/')
      },
      async close() {
        noticing.stop()
        host.close()
      },
      batch: (work, options) => transactOnHost({ disk, leftovers, maxFileBytes, publish }, work, options),
      watch(path, listener, options) {
        const end = noticing.begin()
        const unsubscribe = feed.watch(watchedPath(sync, path), listener, options)
        return () => {
          unsubscribe()
          end()
        }
      },
      as: usedBy,
    }
  }
  return { backend: usedBy(undefined), feed, ledger }
}

interface WhileWatched {
  begin(): () => void
  stop(): void
}

/** Calls `start` for the first watcher, and the function that it returned after the last one. */
function whileWatched(start: () => (() => void) | undefined): WhileWatched {
  let watchers = 0
  let stopStarted: (() => void) | undefined
  const stop = (): void => {
    stopStarted?.()
    stopStarted = undefined
  }
  return {
    begin() {
      if (watchers === 0) stopStarted = start()
      watchers++
      let hasEnded = false
      return () => {
        if (hasEnded) return
        hasEnded = true
        if (--watchers === 0) stop()
      }
    },
    stop,
  }
}
