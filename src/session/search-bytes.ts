// A search reads thousands of files and keeps few of them, so it uses the bytes of the filesystem without a copy if they are in
// memory. Awaiting available data would cost more than searching it, so these functions are synchronous.

import type { VfsPath } from '../core/path.ts'
import type { Dirent, Stat, VfsSync } from '../vfs/backend.ts'
import { asInput, borrow, keep } from '../vfs/borrow.ts'
import { isVfsError, ifThere } from '../vfs/error.ts'

/** A synchronous filesystem. */
export type ReaderAtOnce = Pick<VfsSync, 'lookup' | 'read'>

/** The entry itself, without following a symlink. `undefined` if it does not exist. */
export function lookupAtOnce(reader: ReaderAtOnce, path: VfsPath): Stat | undefined {
  return ifThere(() => reader.lookup(path, { follow: false }), 'ENOENT', 'ENOTDIR')
}

export function listAtOnce(reader: Pick<VfsSync, 'list'>, path: VfsPath): readonly Dirent[] {
  return ifThere(() => reader.list(path), 'ENOENT', 'ENOTDIR') ?? []
}

/**
 * The bytes for an immediate search. Do not modify or retain them; use `slice()` to keep a part. `undefined` if the file does not exist.
 */
export function bytesAtOnce(reader: ReaderAtOnce, path: VfsPath): Uint8Array | undefined {
  try {
    const borrowed = borrow(reader, path)
    return borrowed === undefined ? reader.read(path) : asInput(borrowed)
  } catch (error) {
    if (isVfsError(error, 'ENOENT', 'ENOTDIR', 'EISDIR')) return undefined
    throw error
  }
}

export interface KeptBytes {
  readonly bytes: Uint8Array
  /** They belong to the filesystem and never change: the same array is the same content. Do not write them or pass them on. */
  readonly isHeld: boolean
}

/** `bytes` of the file at `path`, which a search may not keep, to keep: as they are if the filesystem holds them, else a copy. */
export function toKeep(reader: ReaderAtOnce | undefined, path: VfsPath, bytes: Uint8Array): KeptBytes {
  const isHeld = reader !== undefined && keep(reader, path)?.bytes() === bytes
  return isHeld ? { bytes, isHeld } : { bytes: bytes.slice(), isHeld }
}
