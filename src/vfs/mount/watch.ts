// One stream of changes from several filesystems, with paths of the whole. Its sequence numbers are the sums of theirs, so that they agree
// with the number of a snapshot, which is taken of all at one moment.

import { resolveDotDot, rootPath } from '../../core/path.ts'
import type { Change, Unsubscribe, VfsBackend } from '../backend.ts'
import { createFeed, type Feed } from '../feed.ts'
import { type Mount, outerPath } from './table.ts'

export interface MountedWatch {
  readonly watch: NonNullable<VfsBackend['watch']>
  end(): void
}

/** `undefined` if one of the filesystems cannot be watched: no events from it would look like no changes. */
export function mountedWatch(mounts: readonly Mount<VfsBackend>[]): MountedWatch | undefined {
  if (mounts.some(mount => mount.on.watch === undefined)) return undefined
  let feed: Feed | undefined
  let ends: readonly (Unsubscribe | undefined)[] = []

  /** Listens to all of them from the first watch on; earlier changes are unknown. */
  const start = (): Feed => {
    const started = createFeed(mounts.reduce((sum, mount) => sum + (mount.on.snapshot?.().seq ?? 0), 0))
    ends = mounts.map(mount =>
      mount.on.watch?.(rootPath, ({ changes }) =>
        // Changes that were committed together have one origin.
        started.publish(
          changes.map(change => seenFrom(mount, change)),
          changes[0]?.origin,
        ),
      ),
    )
    return started
  }
  return {
    // Symlinks are not followed here, because following them across mounts may require waiting.
    watch: (path, listener, options) => (feed ??= start()).watch(resolveDotDot(path), listener, options),
    end() {
      for (const end of ends) end?.()
    },
  }
}

function seenFrom(mount: Mount, { type, path, oldPath, kind, rev }: Change): Omit<Change, 'seq'> {
  const change = { type, kind, rev, path: outerPath(mount, path) }
  return oldPath === undefined ? change : { ...change, oldPath: outerPath(mount, oldPath) }
}
