// A search looks at the bytes of thousands of files and keeps none of them, and copying them costs more than searching. So a filesystem may
// show its bytes to this package's readers. This is not part of the port, and hosts and tools cannot reach it. Lenders are found by object
// identity, so a wrapper that shows other files under the same paths does not inherit the wrong one.

import type { VfsPath } from '../core/path.ts'
import type { Dirent, VfsSync } from './backend.ts'

declare const borrowedBrand: unique symbol

/**
 * Bytes that still belong to the filesystem. Look at them now, and never write, keep or pass them on. They may be a part of a block that
 * contains other files, so do not use their `buffer`. To keep some, use `slice()`.
 */
export interface BorrowedBytes {
  readonly [borrowedBrand]: true
  readonly length: number
  readonly [index: number]: number
  indexOf(byte: number, fromIndex?: number): number
  /** Also borrowed. */
  subarray(start?: number, end?: number): BorrowedBytes
  /** A copy, which belongs to the caller. */
  slice(start?: number, end?: number): Uint8Array
}

type Reader = Pick<VfsSync, 'read'>

/** The content of a file. With `view` its bytes are in memory; without it, `slice` reads a copy. */
interface Lent {
  readonly length: number
  slice(): Uint8Array
  readonly view?: () => Uint8Array
}

interface Lender {
  readonly at: (path: VfsPath) => Lent | undefined
  /** Of an entry of one of the reader's listings. Only where a reader shows one moment: an entry does not tell that its file was replaced. */
  readonly listed?: ((entry: Dirent) => Lent | undefined) | undefined
}

const lenders = new WeakMap<Reader, Lender>()

/** The content of the file at `path` without a copy; `undefined` if `reader` does not lend, so read it. Throws as `read` does. */
export function borrow(reader: Reader, path: VfsPath): BorrowedBytes | undefined {
  // The only place where bytes become borrowed bytes.
  const lent = lenders.get(reader)?.at(path)
  return lent && ((inMemory(lent) ?? lent.slice()) as unknown as BorrowedBytes)
}

/**
 * The current content of the file at `path`, if it is in memory. A filesystem that lends never changes the bytes that it holds, so the
 * caller may keep what is returned, and ask for the bytes after the file was replaced. They must not be written or passed on.
 */
export function keep(reader: Reader, path: VfsPath): Kept | undefined {
  const lent = lenders.get(reader)?.at(path)
  if (lent instanceof Uint8Array) return { length: lent.length, bytes: () => lent }
  return lent?.view && { length: lent.length, bytes: () => lent.view?.() ?? lent.slice() }
}

/**
 * The content of an entry that `reader` has listed, as {@link keep} gives it, if it is not larger: following a path costs more than to
 * search a small file.
 */
export function keepListed(reader: Reader, entry: Dirent, maxBytes: number): Uint8Array | undefined {
  const lent = lenders.get(reader)?.listed?.(entry)
  return lent !== undefined && lent.length <= maxBytes ? inMemory(lent) : undefined
}

/** A content that stays as it is. */
export interface Kept {
  readonly length: number
  readonly bytes: () => Uint8Array
}

function inMemory(lent: Lent): Uint8Array | undefined {
  return lent instanceof Uint8Array ? lent : lent.view?.()
}

/** For a function that takes bytes and is known not to write, keep or return them or their `buffer`. */
export function asInput(bytes: BorrowedBytes): Uint8Array {
  return bytes as unknown as Uint8Array
}

/** Lets {@link borrow} find what `look` returns. `reader` must show the same content under the same path. */
export function lend(reader: Reader, at: Lender['at'], listed?: Lender['listed']): void {
  lenders.set(reader, { at, listed })
}

/** `wrapper` lends what the reader behind it lends. `inner` may throw after that reader has ended. */
export function lendFor(wrapper: Reader, inner: () => Reader): void {
  lenders.set(wrapper, {
    at: path => lenders.get(inner())?.at(path),
    listed: entry => lenders.get(inner())?.listed?.(entry),
  })
}
