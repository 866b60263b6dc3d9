// Follows a path across mounts. The target of a symlink is a path in the whole, in whichever filesystem the link is, so no filesystem may
// resolve it alone.

import { childPath, dirname, pathNames, rootPath, type VfsPath } from '../../core/path.ts'
import type { Stat } from '../backend.ts'
import { statIfAny } from '../derived/exists.ts'
import { VfsError } from '../error.ts'
import { endingSlash, maxSymlinkHops, targetNames } from '../link-target.ts'
import { call, type Primitives, type Steps } from '../steps.ts'
import { holdsMount, isMountPoint, locate, type Located, type Mount } from './table.ts'

export interface MountPlace<On extends Primitives> extends Located<On> {
  /** Real: no '..', no symlink before the last name. Its parent directory exists. */
  readonly path: VfsPath
  /** The stat in the filesystem that holds it; `undefined` if it has nothing there, though a mount may be below. */
  readonly stat: Stat | undefined
}

/**
 * As `resolve` of the tree: ENOENT, ENOTDIR and ELOOP for the names before the last one. `isMaking`: whether a missing file will be
 * created.
 */
export function* resolveMounted<On extends Primitives>(
  mounts: readonly Mount<On>[],
  path: VfsPath,
  follow: boolean,
  syscall: string,
  isMaking = false,
): Steps<MountPlace<On>> {
  let current: VfsPath = rootPath
  const pending = pathNames(path).toReversed()
  let hops = 0
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (name === '.' || name === endingSlash) continue
    if (name === '..') {
      current = dirname(current)
      continue
    }
    const next = childPath(current, name)
    // Linux creates no file under a name with a '/' at the end, not even if the name leads to an existing file.
    if (isMaking && pending.length === 1 && pending[0] === endingSlash) throw new VfsError('EISDIR', syscall, { path })
    const isLast = pending.length === 0
    if (isMountPoint(mounts, next)) {
      current = next
      continue
    }
    const { mount, inner } = locate(mounts, next)
    const stat = yield* statIfAny(mount.on, inner, { follow: false })
    if (stat?.kind === 'symlink' && (!isLast || follow)) {
      if (++hops > maxSymlinkHops) throw new VfsError('ELOOP', syscall, { path })
      const target = yield* call(mount.on, 'readlink', inner)
      pending.push(...targetNames(target).toReversed())
      if (target.startsWith('/')) current = rootPath
      continue
    }
    if (!isLast && stat?.kind !== 'directory' && !holdsMount(mounts, next))
      throw new VfsError(stat === undefined ? 'ENOENT' : 'ENOTDIR', syscall, { path })
    if (isLast) return { path: next, mount, inner, stat }
    current = next
  }
  const { mount, inner } = locate(mounts, current)
  return { path: current, mount, inner, stat: yield* statIfAny(mount.on, inner) }
}
