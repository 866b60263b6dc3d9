// A script that reads a file and writes it back (`sed -i`, `jq … > f`) could silently undo a change that others made in between.
// Each run therefore records the revision at which it last saw each file, and passes it with a write. If the file has changed
// since, the write fails with ESTALE.

import type { ReadRange, Stat, WriteOptions } from '../../vfs/backend.ts'
import { isVfsError, VfsError, ifThereLater } from '../../vfs/error.ts'
import type { Vfs } from '../../vfs/vfs.ts'

export interface SeenRevisions {
  /** Records that the run has read `path` at revision `rev`. */
  remember(path: string, rev: number): void
  read(path: string, range?: ReadRange): Promise<Uint8Array>
  write(path: string, data: Uint8Array | string, options: WriteOptions): Promise<Stat>
  /** Runs `work`, which changes something other than the content of `path`. */
  keep(path: string, work: () => Promise<void>): Promise<void>
  /**
   * Called before the entry at `path`, with everything below it, is replaced or removed. Throws ESTALE if others have changed it
   * since it was seen.
   */
  check(path: string): Promise<void>
  forgetBelow(path: string): void
}

/** Above this number of files, those seen longest ago are forgotten. */
const maxSeen = 100_000

/** Revisions are recorded by the path that the script uses. A second path to the same file counts as another file. */
export function createSeenRevisions(vfs: Vfs): SeenRevisions {
  const revisions = new Map<string, number>()
  // Directories that hold, or held, a file that was seen. Most paths that are moved or removed are none of them.
  const directories = new Set<string>()
  const remember = (path: string, rev: number): void => {
    if (!revisions.delete(path)) {
      let directory = parentOf(path)
      while (!directories.has(directory)) {
        directories.add(directory)
        directory = parentOf(directory)
      }
    }
    revisions.set(path, rev)
    for (const oldest of revisions.keys()) {
      if (revisions.size <= maxSeen) break
      revisions.delete(oldest)
    }
  }
  const seenBelow = (path: string): readonly (readonly [string, number])[] =>
    directories.has(path) ? [...revisions].filter(([known]) => known.startsWith(`${path}/`)) : []
  /** An append overwrites nothing, so it needs no check. Changes by others in between do not count as seen. */
  const append = async (path: string, data: Uint8Array | string, options: WriteOptions): Promise<Stat> => {
    const known = revisions.get(path)
    const isCurrent = known !== undefined && (await vfs.stat(path)).rev === known
    const stat = await vfs.writeFile(path, data, options)
    if (isCurrent) remember(path, stat.rev)
    return stat
  }
  return {
    remember,
    async read(path, range) {
      // The revision is read before the content, so that a change in between is noticed.
      const { rev } = await vfs.stat(path)
      const bytes = await vfs.readFile(path, range)
      remember(path, rev)
      return bytes
    },
    async write(path, data, options) {
      if (options.append === true) return append(path, data, options)
      const ifRev = revisions.get(path)
      try {
        const stat = await vfs.writeFile(path, data, ifRev === undefined ? options : { ...options, ifRev })
        remember(path, stat.rev)
        return stat
      } catch (error) {
        if (!isVfsError(error, 'ESTALE') || ifRev === undefined) throw error
        const hint = 'somebody else wrote it after this command had read it; nothing was overwritten, run the command again'
        throw new VfsError('ESTALE', 'open', { path, hint, cause: error })
      }
    },
    async keep(path, work) {
      const known = revisions.get(path)
      if (known === undefined) return work()
      const before = await vfs.stat(path)
      await work()
      if (before.rev === known) remember(path, (await vfs.stat(path)).rev)
    },
    async check(path) {
      const own = revisions.get(path)
      for (const [known, rev] of own === undefined ? seenBelow(path) : [[path, own] as const]) {
        const now = await revisionOf(vfs, known)
        // The file was removed in the meantime, so there is no content to lose.
        if (now === undefined || now === rev) continue
        const hint = 'somebody else wrote it after this command had read it; nothing was changed, run the command again'
        throw new VfsError('ESTALE', 'rename', { path: known, hint })
      }
    },
    forgetBelow(path) {
      revisions.delete(path)
      for (const [known] of seenBelow(path)) revisions.delete(known)
    },
  }
}

/** The parent of `/a` and of `/` is the empty text, which is its own parent. */
function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

async function revisionOf(vfs: Vfs, path: string): Promise<number | undefined> {
  return (await ifThereLater(() => vfs.lstat(path)))?.rev
}
