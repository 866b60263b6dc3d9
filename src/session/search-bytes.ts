// A search looks at thousands of files and keeps hardly any, so it looks at what the filesystem holds, where that is in memory,
// instead of a copy. Waiting for what is there at once would cost more than looking at it, so nothing here waits then.

import type { VfsPath } from '../core/path.ts'
import type { Stat, VfsSync } from '../vfs/backend.ts'
import { asInput, borrow } from '../vfs/borrow.ts'
import { isVfsError } from '../vfs/error.ts'

/** A filesystem that answers at once. */
export type ReaderAtOnce = Pick<VfsSync, 'lookup' | 'read'>

/** The entry itself, a symlink included; `undefined` when nothing is there. */
export function lookupAtOnce(reader: ReaderAtOnce, path: VfsPath): Stat | undefined {
  try {
    return reader.lookup(path, { follow: false })
  } catch (error) {
    if (isVfsError(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

/** To be searched now, and neither written nor kept: of what is kept, make a `slice()`. `undefined` when no file is there. */
export function bytesAtOnce(reader: ReaderAtOnce, path: VfsPath): Uint8Array | undefined {
  try {
    const borrowed = borrow(reader, path)
    return borrowed === undefined ? reader.read(path) : asInput(borrowed)
  } catch (error) {
    if (isVfsError(error, 'ENOENT', 'ENOTDIR', 'EISDIR')) return undefined
    throw error
  }
}
