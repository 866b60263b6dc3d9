// Performs one action on the host in such a way that it can be undone. A removed or replaced entry is renamed to a backup in the root,
// because restoring it then needs neither memory nor disk space, and restores the same node. No action can remove the root. If the root is
// another filesystem, the content is kept in memory.

import { childPath, rootPath, type VfsPath } from '../../core/path.ts'
import { isVfsError, VfsError } from '../error.ts'
import type { Action } from './draft.ts'
import { fromHost } from './host-errors.ts'
import type { HostStat } from './host.ts'
import type { LiveDisk } from './live-disk.ts'

export interface Done {
  /** Undoes the action without a trace. */
  readonly undo: () => void
  /** Makes the action final: removes the backup for `undo`. */
  readonly keep: () => void
}

/** `asideName` must not exist in any directory. */
export function act(disk: LiveDisk, action: Action, asideName: string): Done {
  const { host } = disk
  const { path } = action
  const aside = childPath(rootPath, asideName)
  const quiet = (work: () => void): void => disk.quietly([path], work)
  const undoOnly = (undo: () => void): Done => ({ undo, keep: () => {} })
  const fromAside: Done = {
    undo: () => disk.quietly([path, aside], () => host.rename(aside, path)),
    keep: () => disk.discard(aside),
  }

  switch (action.kind) {
    case 'write': {
      const { bytes, options } = action
      const old = host.lstat(path)
      if (old === undefined) {
        disk.write(path, bytes, options)
        return undoOnly(() => quiet(() => host.unlink(path)))
      }
      if (host.replacesFiles && old.nlink === 1 && linkAside(disk, path, aside)) {
        doOrElse(
          () => disk.write(path, bytes, { ...options, isAside: true }),
          () => disk.discard(aside),
        )
        return fromAside
      }
      const restore = rewriting(disk, path, old)
      disk.write(path, bytes, options)
      return undoOnly(restore)
    }
    case 'mkdir':
      disk.mkdir(path, action.mode)
      return undoOnly(() => quiet(() => host.rmdir(path)))
    case 'symlink':
      disk.symlink(action.target, path)
      return undoOnly(() => quiet(() => host.unlink(path)))
    case 'link':
      disk.link(action.existing, path)
      return undoOnly(() => quiet(() => host.unlink(path)))
    case 'unlink': {
      if (moveAside(disk, path, aside)) return fromAside
      const restore = rewriting(disk, path, existing(disk, path))
      disk.unlink(path)
      return undoOnly(restore)
    }
    case 'rmdir': {
      const old = existing(disk, path)
      disk.rmdir(path)
      return undoOnly(() => quiet(() => remake(disk, path, old)))
    }
    case 'rename': {
      const { from } = action
      const replaced = host.lstat(path)
      const back = (): void => disk.quietly([from, path], () => host.rename(path, from))
      const hasAside = replaced !== undefined && replaced.kind !== 'directory' && linkAside(disk, path, aside)
      const restore = replaced === undefined || hasAside ? () => {} : rewriting(disk, path, replaced)
      doOrElse(
        () => disk.rename(from, path),
        () => {
          if (hasAside) disk.discard(aside)
        },
      )
      return {
        undo: () => {
          back()
          if (hasAside) fromAside.undo()
          else restore()
        },
        keep: () => {
          if (hasAside) fromAside.keep()
        },
      }
    }
    case 'setattr': {
      const { mode, mtimeMs, atimeMs } = existing(disk, path)
      disk.setattr(path, action.attributes)
      return undoOnly(() => host.setattr(path, { mode, mtimeMs, atimeMs }))
    }
  }
}

/** Creates a second name for the entry at `path`; `false` if the host cannot. */
function linkAside(disk: LiveDisk, path: VfsPath, aside: VfsPath): boolean {
  return unlessRefused(path, () => {
    disk.ledger.expectNames(existing(disk, path))
    disk.quietly([path, aside], () => disk.host.link(path, aside))
  })
}

function moveAside(disk: LiveDisk, path: VfsPath, aside: VfsPath): boolean {
  return unlessRefused(path, () => disk.putAside(path, aside))
}

function unlessRefused(path: VfsPath, work: () => void): boolean {
  try {
    work()
    return true
  } catch (error) {
    if (isVfsError(fromHost(error, path), 'EPERM', 'EACCES', 'ENOTSUP', 'EMLINK', 'EXDEV')) return false
    throw error
  }
}

function doOrElse(work: () => void, onFailure: () => void): void {
  try {
    work()
  } catch (error) {
    onFailure()
    throw error
  }
}

/** Reads all of `old`, and returns a function that writes it again. */
function rewriting(disk: LiveDisk, path: VfsPath, old: HostStat): () => void {
  const { host } = disk
  const { mode, mtimeMs } = old
  switch (old.kind) {
    case 'directory':
      return () => disk.quietly([path], () => remake(disk, path, old))
    case 'symlink': {
      const target = host.readlink(path)
      return () => disk.quietly([path], () => host.symlink(target, path))
    }
    case 'file': {
      const bytes = host.read(path, 0, Infinity)
      return () =>
        disk.quietly([path], () => host.write(path, bytes, { mode, mtimeMs, append: false, existing: host.lstat(path) }))
    }
  }
}

function remake({ host }: LiveDisk, path: VfsPath, { mode, mtimeMs }: HostStat): void {
  host.mkdir(path, mode)
  host.setattr(path, { mtimeMs })
}

function existing(disk: LiveDisk, path: VfsPath): HostStat {
  const found = disk.host.lstat(path)
  if (found === undefined)
    throw new VfsError('ESTALE', 'commit', { path, hint: 'it was removed meanwhile; look again and retry' })
  return found
}
