// A change feed that can lose its position. When a whole tree arrives instead of changes, watchers get an overflow and must list again.

import type { VfsPath } from '../../../core/path.ts'
import type { ChangeBatch, Unsubscribe, WatchOptions } from '../../../vfs/backend.ts'
import { createFeed, type Feed } from '../../../vfs/feed.ts'

export interface FollowingFeed extends Feed {
  /** Continues from `seq`; the changes before it are unknown here. */
  skipTo(seq: number): void
}

interface Watch {
  readonly path: VfsPath
  readonly listener: (batch: ChangeBatch) => void
  readonly options: WatchOptions
  end: Unsubscribe
}

export function followingFeed(): FollowingFeed {
  let feed = createFeed()
  const watches = new Set<Watch>()
  return {
    get seq() {
      return feed.seq
    },
    publish: (changes, origin) => feed.publish(changes, origin),
    watch(path, listener, options = {}) {
      const watch: Watch = { path, listener, options, end: feed.watch(path, listener, options) }
      watches.add(watch)
      return () => {
        watches.delete(watch)
        watch.end()
      }
    },
    skipTo(seq) {
      feed = createFeed(seq)
      for (const watch of watches) {
        const { path, listener, options } = watch
        watch.end()
        // `sinceSeq` is ahead of this feed, so the changes in between are unknown: start with an overflow.
        watch.end = feed.watch(path, listener, { ...options, sinceSeq: seq + 1 })
      }
    },
  }
}
