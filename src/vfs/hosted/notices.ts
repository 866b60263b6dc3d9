// A host's notices of changes are hints: they arrive late, may be merged, and include our changes. So each notice only causes a lookup of
// its path, and changes that watchers already know are not reported again.

import { dirname, rootPath, type VfsPath } from '../../core/path.ts'
import { isVfsError } from '../error.ts'
import { fromHost } from './host-errors.ts'
import type { HostStat } from './host.ts'
import type { LiveDisk } from './live-disk.ts'
import type { UnnumberedChange } from './primitives.ts'

/** How long after our removal of an entry the host may still report it. */
const echoMs = 5_000
const maxEchoes = 10_000

export interface Notices {
  /** Records changes that we made. */
  ours(changes: readonly UnnumberedChange[]): void
  /** Something may have happened at `path`. Returns what to report. */
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

/** An entry that is removed while we look at it counts as missing. */
function lookAt({ host }: LiveDisk, path: VfsPath): HostStat | undefined {
  try {
    return host.within(() => (path === rootPath || host.isPlainDirectory(dirname(path)) ? host.lstat(path) : undefined))
  } catch (error) {
    if (isVfsError(fromHost(error, path), 'ESTALE', 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}
