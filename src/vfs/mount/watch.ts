// One stream of changes from several filesystems, by their names in the whole. Its numbers are the sums of theirs, so that the
// number of a snapshot, which is taken of all at one moment, fits in.

import { resolveDotDot, rootPath } from '../../core/path.ts'
import type { Change, Unsubscribe, VfsBackend } from '../backend.ts'
import { createFeed, type Feed } from '../feed.ts'
import { type Mount, outerPath } from './table.ts'

export interface MountedWatch {
  readonly watch: NonNullable<VfsBackend['watch']>
  end(): void
}

/** `undefined` if one of the filesystems cannot be watched: silence about a part would look like stillness. */
export function mountedWatch(mounts: readonly Mount<VfsBackend>[]): MountedWatch | undefined {
  if (mounts.some(mount => mount.on.watch === undefined)) return undefined
  let feed: Feed | undefined
  let ends: readonly (Unsubscribe | undefined)[] = []

  /** Listens to all of them from the first watch on; what came before that is not known. */
  const start = (): Feed => {
    const started = createFeed(mounts.reduce((sum, mount) => sum + (mount.on.snapshot?.().seq ?? 0), 0))
    ends = mounts.map(mount =>
      mount.on.watch?.(rootPath, ({ changes }) =>
        // What became real together was made by one.
        started.publish(
          changes.map(change => seenFrom(mount, change)),
          changes[0]?.origin,
        ),
      ),
    )
    return started
  }
  return {
    // Symlinks are not followed here: where they lead across mounts only waiting could tell.
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
