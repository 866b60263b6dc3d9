// Follows paths name by name, so that a link leads where it would if the filesystem's root were '/', and never out of it.

import { childPath, dirname, pathNames, rootPath, type VfsPath } from '../../core/path.ts'
import { VfsError } from '../error.ts'
import { endingSlash, maxSymlinkHops, targetNames } from '../link-target.ts'
import type { Disk, DiskStat } from './disk.ts'

export interface Place {
  /** Real: no '..', no symlink before the last name. */
  readonly path: VfsPath
  readonly node: DiskStat | undefined
}

/**
 * `follow`: whether to follow a symlink as the last name. `isMaking`: whether a missing file will be created.
 * Throws ENOENT, ENOTDIR or ELOOP for the names before the last one.
 */
export function resolve(disk: Disk, path: VfsPath, follow: boolean, syscall: string, isMaking = false): Place {
  return resolvePlain(disk, path, follow) ?? resolveFully(disk, path, follow, syscall, isMaking)
}

/** The usual case in one check: every name before the last is a directory. */
function resolvePlain(disk: Disk, path: VfsPath, follow: boolean): Place | undefined {
  if (hasDotDot(path) || (path !== rootPath && !disk.isPlainDirectory(dirname(path)))) return undefined
  const node = disk.lstat(path)
  return node?.kind === 'symlink' && follow ? undefined : { path, node }
}

function hasDotDot(path: VfsPath): boolean {
  return path.includes('/..') && pathNames(path).includes('..')
}

function resolveFully(disk: Disk, path: VfsPath, follow: boolean, syscall: string, isMaking: boolean): Place {
  let directory: VfsPath = rootPath
  const pending = pathNames(path).toReversed()
  let hops = 0
  for (;;) {
    const name = pending.pop()
    if (name === undefined) return { path: directory, node: disk.lstat(directory) }
    if (name === '.' || name === endingSlash) continue
    if (name === '..') {
      directory = dirname(directory)
      continue
    }
    // Linux creates no file under a name with a '/' at the end, not even if the name leads to an existing file.
    if (isMaking && pending.length === 1 && pending[0] === endingSlash) throw new VfsError('EISDIR', syscall, { path })
    const isLast = pending.length === 0
    const place = childPath(directory, name)
    const node = disk.lstat(place)
    if (node?.kind === 'directory') {
      directory = place
      continue
    }
    if (node?.kind === 'symlink' && (!isLast || follow)) {
      if (++hops > maxSymlinkHops) throw new VfsError('ELOOP', syscall, { path })
      const target = disk.readlink(place)
      pending.push(...targetNames(target).toReversed())
      if (target.startsWith('/')) directory = rootPath
      continue
    }
    if (!isLast) throw new VfsError(node === undefined ? 'ENOENT' : 'ENOTDIR', syscall, { path })
    return { path: place, node }
  }
}

/** The entry at a real path; `undefined` if a name on the way is not a directory. */
export function atRealPath(disk: Disk, path: VfsPath): DiskStat | undefined {
  if (path !== rootPath && !disk.isPlainDirectory(dirname(path))) return undefined
  return disk.lstat(path)
}
