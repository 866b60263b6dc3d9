// Follows paths name by name, so that a link leads where it would if the filesystem's root were the machine's, and never out of it.

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
 * `follow`: whether a symlink in the last place is followed. `isMaking`: whether a file is made if none is there.
 * Throws ENOENT, ENOTDIR or ELOOP for what lies before the last name.
 */
export function resolve(disk: Disk, path: VfsPath, follow: boolean, syscall: string, isMaking = false): Place {
  return resolvePlain(disk, path, follow) ?? resolveFully(disk, path, follow, syscall, isMaking)
}

/** The usual case, in one look: every name before the last is a directory. */
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
    // Linux makes no file under a name that asks for a directory, not even where it would find one to write to.
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

/** What lies at a real path; nothing where a name on the way is no directory. */
export function atRealPath(disk: Disk, path: VfsPath): DiskStat | undefined {
  if (path !== rootPath && !disk.isPlainDirectory(dirname(path))) return undefined
  return disk.lstat(path)
}
