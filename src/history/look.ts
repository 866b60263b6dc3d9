// Small operations on entries, without following symlinks, for undoing, replaying and recording.

import { sameBytes } from '../core/same-bytes.ts'
import { childPath, dirname, type VfsPath } from '../core/path.ts'
import type { Stat, VfsSync } from '../vfs/backend.ts'
import type { RecordedEntry } from './step-record.ts'
import { ifThere } from '../vfs/error.ts'

/** The entry itself. `undefined` if it does not exist. */
export function statOf(files: Pick<VfsSync, 'lookup'>, path: VfsPath): Stat | undefined {
  return ifThere(() => files.lookup(path, { follow: false }), 'ENOENT', 'ENOTDIR', 'ELOOP')
}

/** Restores the recorded entry at `path`, and creates its parent directories. Returns whether the entry was different. */
export function putEntry(files: VfsSync, path: VfsPath, { kind, mode, content, target }: RecordedEntry): boolean {
  let stat = statOf(files, path)
  if (stat !== undefined && (stat.kind !== kind || (kind === 'symlink' && files.readlink(path) !== target))) {
    removeEntries(files, path)
    stat = undefined
  }
  if (stat === undefined) {
    makeParents(files, path)
    if (kind === 'directory') files.mkdir(path, { mode })
    else if (kind === 'symlink') files.symlink(target ?? '', path)
    else files.write(path, content ?? new Uint8Array(), { mode })
    return true
  }
  const isNewContent = content !== undefined && !sameBytes(files.read(path), content)
  if (isNewContent) files.write(path, content)
  const isNewMode = kind !== 'symlink' && stat.mode !== mode
  if (isNewMode) files.setattr(path, { mode, follow: false })
  return isNewContent || isNewMode
}

/** Removes the entry. Returns whether it existed. */
export function removeEntries(files: VfsSync, path: VfsPath): boolean {
  const stat = statOf(files, path)
  if (stat === undefined) return false
  if (stat.kind !== 'directory') files.remove(path, 'file')
  else {
    for (const { name } of files.list(path)) removeEntries(files, childPath(path, name))
    files.remove(path, 'directory')
  }
  return true
}

/** Creates the parent directories of `path`. A file in the place of one is removed. */
export function makeParents(files: VfsSync, path: VfsPath): void {
  const parent = dirname(path)
  if (parent === path) return
  const stat = statOf(files, parent)
  if (stat?.kind === 'directory') return
  if (stat !== undefined) removeEntries(files, parent)
  makeParents(files, parent)
  files.mkdir(parent)
}
