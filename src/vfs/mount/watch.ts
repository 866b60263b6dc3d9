// One stream of changes from several filesystems, by their names in the whole and under numbers of its own.

import { isInside, rootPath, type VfsPath } from '../../core/path.ts'
import type { Change, ChangeBatch, Unsubscribe, VfsBackend, WatchOptions } from '../backend.ts'
import { locate, type Mount, outerPath } from './table.ts'

type Watch = NonNullable<VfsBackend['watch']>

/** `undefined` if one of the filesystems cannot be watched: silence about a part would look like stillness. */
export function mountedWatch(mounts: readonly Mount<VfsBackend>[]): Watch | undefined {
  if (mounts.some(mount => mount.on.watch === undefined)) return undefined
  let seq = 0
  return (path: VfsPath, listener: (batch: ChangeBatch) => void, options: WatchOptions = {}): Unsubscribe => {
    const { recursive = true, sinceSeq } = options
    let isEnded = false
    const tell = (batch: ChangeBatch): void => {
      if (!isEnded) listener(batch)
    }
    // Nobody counted before this watch, so what came before is not known.
    if (sinceSeq !== undefined && sinceSeq !== seq) queueMicrotask(() => tell({ changes: [], overflow: true }))
    const holder = locate(mounts, path)
    const watched = [holder, ...below(mounts, path, recursive)]
    const ends = watched.map(({ mount, inner }) =>
      mount.on.watch?.(inner, batch => tell({ overflow: batch.overflow, changes: batch.changes.map(change => seenFrom(mount, change, ++seq)) }), {
        recursive,
      }),
    )
    return () => {
      isEnded = true
      for (const end of ends) end?.()
    }
  }
}

function below(mounts: readonly Mount<VfsBackend>[], path: VfsPath, recursive: boolean): { mount: Mount<VfsBackend>; inner: VfsPath }[] {
  if (!recursive) return []
  return mounts.filter(mount => mount.path !== path && isInside(mount.path, path)).map(mount => ({ mount, inner: rootPath }))
}

function seenFrom(mount: Mount, change: Change, seq: number): Change {
  const path = outerPath(mount, change.path)
  return change.oldPath === undefined ? { ...change, seq, path } : { ...change, seq, path, oldPath: outerPath(mount, change.oldPath) }
}
