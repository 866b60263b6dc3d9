// The revisions that one call wrote, so that a host can tell later whether a file is still as the call left it. They come from the changes
// that are attributed to the call, so that all tools and the shell provide them. A filesystem that does not report each change has none.

import type { Details } from '../core/errors.ts'
import { displayPath, isInside, parsePath, type VfsPath } from '../core/path.ts'
import type { Change } from '../vfs/backend.ts'
import { maxListedChanges } from './shell-changes.ts'
import type { Session } from './session.ts'

export interface WrittenRevisions {
  /** For `details` of the result: `revisions` by path as in `changed`, and `revisionCount` if the list was shortened. */
  readonly details: () => Details
  readonly stop: () => void
}

/** Watches the writes of the call of `session`. */
export async function watchWritten({ vfs, root, by }: Pick<Session, 'vfs' | 'root' | 'by'>): Promise<WrittenRevisions> {
  const revisions = new Map<VfsPath, number>()
  if ((await vfs.caps()).watch !== 'exact') return { details: () => ({}), stop: () => undefined }
  const note = ({ type, kind, path, oldPath, rev }: Change): void => {
    if (oldPath !== undefined) {
      for (const [moved, itsRev] of [...revisions]) {
        if (!isInside(moved, oldPath)) continue
        revisions.delete(moved)
        revisions.set(parsePath(`${path}${moved.slice(oldPath.length)}`), itsRev)
      }
    }
    if (type === 'delete') revisions.delete(path)
    else if (kind === 'file') revisions.set(path, rev)
  }
  const stop = await vfs.watch('/', ({ changes }) => {
    for (const change of changes) if (change.by?.callId === by.callId && change.by?.session === by.session) note(change)
  })
  return {
    details() {
      if (revisions.size === 0) return {}
      const listed = [...revisions].slice(0, maxListedChanges).map(([path, rev]) => [displayPath(path, root), rev])
      const count = revisions.size > listed.length ? { revisionCount: revisions.size } : {}
      return { revisions: Object.fromEntries(listed), ...count }
    },
    stop,
  }
}
