// A search reads thousands of files and keeps hardly any, so it reads the filesystem's own bytes, if they are in memory, instead of a copy.
// Awaiting data that is available would cost more than searching it, so these functions are synchronous.

import type { VfsPath } from '../core/path.ts'
import type { Dirent, Stat, VfsSync } from '../vfs/backend.ts'
import { asInput, borrow } from '../vfs/borrow.ts'
import { isVfsError } from '../vfs/error.ts'

/** A synchronous filesystem. */
export type ReaderAtOnce = Pick<VfsSync, 'lookup' | 'read'>

/** The entry itself, even if it is a symlink; `undefined` if there is none. */
export function lookupAtOnce(reader: ReaderAtOnce, path: VfsPath): Stat | undefined {
  try {
    return reader.lookup(path, { follow: false })
  } catch (error) {
    if (isVfsError(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

export function listAtOnce(reader: Pick<VfsSync, 'list'>, path: VfsPath): readonly Dirent[] {
  try {
    return reader.list(path)
  } catch (error) {
    if (isVfsError(error, 'ENOENT', 'ENOTDIR')) return []
    throw error
  }
}

/** For searching at once. Do not write or keep them; use `slice()` to keep a part. `undefined` if there is no file. */
export function bytesAtOnce(reader: ReaderAtOnce, path: VfsPath): Uint8Array | undefined {
  try {
    const borrowed = borrow(reader, path)
    return borrowed === undefined ? reader.read(path) : asInput(borrowed)
  } catch (error) {
    if (isVfsError(error, 'ENOENT', 'ENOTDIR', 'EISDIR')) return undefined
    throw error
  }
}
