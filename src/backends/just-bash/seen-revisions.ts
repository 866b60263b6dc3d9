// A script that reads a file and writes it back (`sed -i`, `jq … > f`) would undo in silence what somebody else wrote in between. So a
// run keeps the revision at which it last saw each file, and a write names it: what changed meanwhile is ESTALE instead of lost.

import type { ReadRange, Stat, WriteOptions } from '../../vfs/backend.ts'
import { isVfsError, VfsError } from '../../vfs/error.ts'
import type { Vfs } from '../../vfs/vfs.ts'

export interface SeenRevisions {
  /** The run read `path` when it had this revision. */
  remember(path: string, rev: number): void
  read(path: string, range?: ReadRange): Promise<Uint8Array>
  write(path: string, data: Uint8Array | string, options: WriteOptions): Promise<Stat>
  /** The run itself changes something about `path` that is not its content. */
  keep(path: string, work: () => Promise<void>): Promise<void>
  /** What is at `path`, or below it, is about to be replaced or removed: throws ESTALE when somebody else wrote it since it was seen. */
  check(path: string): Promise<void>
  forgetBelow(path: string): void
}

/** Beyond this the files seen longest ago count as not seen. */
const maxSeen = 100_000

/** By the name that the script uses: a second name for the same file is a file of its own here. */
export function createSeenRevisions(vfs: Vfs): SeenRevisions {
  const revisions = new Map<string, number>()
  const remember = (path: string, rev: number): void => {
    revisions.delete(path)
    revisions.set(path, rev)
    for (const oldest of revisions.keys()) {
      if (revisions.size <= maxSeen) break
      revisions.delete(oldest)
    }
  }
  /** Takes nothing away from others; but what they wrote does not become seen by it. */
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
      // Before the content: what changes in between is then found to have changed.
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
      for (const [known, rev] of own === undefined ? revisions : [[path, own] as const]) {
        if (known !== path && !known.startsWith(`${path}/`)) continue
        const now = await revisionOf(vfs, known)
        // Removed meanwhile: there is nothing left to lose.
        if (now === undefined || now === rev) continue
        const hint = 'somebody else wrote it after this command had read it; nothing was changed, run the command again'
        throw new VfsError('ESTALE', 'rename', { path: known, hint })
      }
    },
    forgetBelow(path) {
      revisions.delete(path)
      for (const known of revisions.keys()) if (known.startsWith(`${path}/`)) revisions.delete(known)
    },
  }
}

async function revisionOf(vfs: Vfs, path: string): Promise<number | undefined> {
  try {
    return (await vfs.lstat(path)).rev
  } catch (error) {
    if (isVfsError(error)) return undefined
    throw error
  }
}
