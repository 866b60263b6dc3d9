// A host's notices of what others do are hints: they come late, may be merged, and include our own changes. So each only makes us look
// at a path, and what watchers know already is not told again.

import { dirname, rootPath, type VfsPath } from '../../core/path.ts'
import { isVfsError } from '../error.ts'
import { fromHost } from './host-errors.ts'
import type { HostStat } from './host.ts'
import type { LiveDisk } from './live-disk.ts'
import type { UnnumberedChange } from './primitives.ts'

/** How long after a removal of ours the host may still tell of it. */
const echoMs = 5_000
const maxEchoes = 10_000

export interface Notices {
  /** Of changes that we made. */
  ours(changes: readonly UnnumberedChange[]): void
  /** Something may have happened at `path`. Gives what to tell. */
  look(path: VfsPath | undefined): UnnumberedChange | undefined
}

export function createNotices(disk: LiveDisk): Notices {
  const removedAtMs = new Map<VfsPath, number>()
  const isEcho = (path: VfsPath): boolean => {
    const atMs = removedAtMs.get(path)
    return atMs !== undefined && disk.ledger.stamps.nowMs() - atMs < echoMs
  }
  return {
    ours(changes) {
      for (const { type, path, oldPath } of changes) {
        const gone = type === 'delete' ? path : oldPath
        if (gone === undefined) continue
        if (removedAtMs.size >= maxEchoes) removedAtMs.clear()
        removedAtMs.set(gone, disk.ledger.stamps.nowMs())
      }
    },
    look(path) {
      if (path === undefined) return { type: 'modify', path: rootPath, kind: 'directory', rev: 0 }
      const found = lookAt(disk, path)
      if (found === undefined) return isEcho(path) ? undefined : { type: 'delete', path, kind: 'file', rev: 0 }
      const news = disk.ledger.news(found)
      return news === undefined ? undefined : { ...news, path, kind: found.kind }
    },
  }
}

/** What is removed while we look at it is gone. */
function lookAt({ host }: LiveDisk, path: VfsPath): HostStat | undefined {
  try {
    return host.within(() => (path === rootPath || host.isPlainDirectory(dirname(path)) ? host.lstat(path) : undefined))
  } catch (error) {
    if (isVfsError(fromHost(error, path), 'ESTALE', 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}
