// Reads files that other writers may remove at any time. A missing file is a result here; other errors are thrown. Uses the
// synchronous side of the filesystem if there is one.

import type { VfsPath } from '../core/path.ts'
import type { Dirent, Stat, VfsSync } from '../vfs/backend.ts'
import type { Vfs } from '../vfs/vfs.ts'
import { ifThereLater } from '../vfs/error.ts'

/** A filesystem, or a snapshot of one. */
export interface FileReader extends Pick<Vfs, 'lstat' | 'readFile' | 'readdir'> {
  readonly sync?: Pick<VfsSync, 'lookup' | 'list' | 'read'>
}

/** The entry itself, without following a symlink. */
export function lstatIfThere(vfs: FileReader, path: VfsPath): Promise<Stat | undefined> {
  return ifThereLater(async () => vfs.sync?.lookup(path, { follow: false }) ?? (await vfs.lstat(path)), 'ENOENT', 'ENOTDIR')
}

export function readFileIfThere(vfs: FileReader, path: VfsPath): Promise<Uint8Array | undefined> {
  return ifThereLater(async () => vfs.sync?.read(path) ?? (await vfs.readFile(path)), 'ENOENT', 'ENOTDIR', 'EISDIR')
}

export async function readDirectoryIfThere(vfs: FileReader, path: VfsPath): Promise<readonly Dirent[]> {
  return (await ifThereLater(async () => vfs.sync?.list(path) ?? (await vfs.readdir(path)), 'ENOENT', 'ENOTDIR')) ?? []
}

export function readlinkIfThere(vfs: Vfs, path: VfsPath): Promise<string | undefined> {
  return ifThereLater(() => vfs.readlink(path), 'ENOENT', 'ENOTDIR', 'EINVAL')
}
