// A search looks at the bytes of thousands of files and keeps none of them; copying them costs more than looking. So a filesystem may
// show this package's own readers what it holds. That is no part of the port, and nothing that hosts or tools are given leads to it:
// a door found by an object's identity cannot be carried along by a wrapper that shows other files under the same paths.

import type { VfsPath } from '../core/path.ts'
import type { VfsSync } from './backend.ts'

declare const borrowedBrand: unique symbol

/**
 * Bytes that still belong to the filesystem: to be looked at now, never written, kept or handed on. They may be a part of a block
 * that other files lie in, so their `buffer` is nobody's business. What is to be kept is a `slice()`.
 */
export interface BorrowedBytes {
  readonly [borrowedBrand]: true
  readonly length: number
  readonly [index: number]: number
  indexOf(byte: number, fromIndex?: number): number
  /** Borrowed too. */
  subarray(start?: number, end?: number): BorrowedBytes
  /** A copy, which is the caller's. */
  slice(start?: number, end?: number): Uint8Array
}

type Reader = Pick<VfsSync, 'read'>

/** What a file holds: bytes, or something that has them in memory if there is `view`, and reads a copy if not. */
interface Lent {
  readonly length: number
  slice(): Uint8Array
  readonly view?: () => Uint8Array
}

const lenders = new WeakMap<Reader, (path: VfsPath) => Lent | undefined>()

/** The content of the file at `path`, uncopied; `undefined` where `reader` does not lend: read it. Throws as `read` does. */
export function borrow(reader: Reader, path: VfsPath): BorrowedBytes | undefined {
  // The one place where bytes become borrowed ones.
  const lent = lenders.get(reader)?.(path)
  return lent && ((inMemory(lent) ?? lent.slice()) as unknown as BorrowedBytes)
}

/**
 * The content of the file at `path` as it is now, if that is in memory and takes no copy. A filesystem that lends never changes bytes
 * that it holds, so these may be kept after the file was replaced. They must not be written or handed on.
 */
export function keep(reader: Reader, path: VfsPath): Uint8Array | undefined {
  const lent = lenders.get(reader)?.(path)
  return lent && inMemory(lent)
}

function inMemory(lent: Lent): Uint8Array | undefined {
  return lent instanceof Uint8Array ? lent : lent.view?.()
}

/** For a function that takes bytes and is known not to write, keep or return them, nor their `buffer`. */
export function asInput(bytes: BorrowedBytes): Uint8Array {
  return bytes as unknown as Uint8Array
}

/** Lets {@link borrow} find what `look` shows. `reader` must show the same content under the same path. */
export function lend(reader: Reader, look: (path: VfsPath) => Lent | undefined): void {
  lenders.set(reader, look)
}

/** `wrapper` lends what the reader that it stands for does, as long as there is one: `inner` may throw when that has ended. */
export function lendFor(wrapper: Reader, inner: () => Reader): void {
  lenders.set(wrapper, path => lenders.get(inner())?.(path))
}
