// A search looks at the bytes of thousands of files and keeps none of them, and copying them costs more than searching. So a filesystem may
// show its bytes to this package's readers. This is not part of the port, and hosts and tools cannot reach it. Lenders are found by object
// identity, so a wrapper that shows other files under the same paths does not inherit the wrong one.

import type { VfsPath } from '../core/path.ts'
import type { Dirent } from './backend.ts'
import { isVfsError } from './error.ts'
import { type Lender, lenders, type Lent, type Reader } from './lend.ts'

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
  /** A part of these bytes, which is borrowed too. */
  subarray(start?: number, end?: number): BorrowedBytes
  /** A copy, which belongs to the caller. */
  slice(start?: number, end?: number): Uint8Array
}

/** The lender behind all wrappers of `reader`. */
function lenderOf(reader: Reader): Lender | undefined {
  let lender = lenders.get(reader)
  while (typeof lender === 'function') lender = lenders.get(lender())
  return lender
}

/** The content of the file at `path` without a copy; `undefined` if `reader` does not lend, so read it. Throws as `read` does. */
export function borrow(reader: Reader, path: VfsPath): BorrowedBytes | undefined {
  // The only place where bytes become borrowed bytes.
  const lent = lenderOf(reader)?.at(path)
  return lent && ((atHand(lent) ?? lent.slice()) as unknown as BorrowedBytes)
}

/**
 * The current content of the file at `path`, if it is in memory. A filesystem that lends never changes the bytes that it holds, so the
 * caller may keep what is returned, and read its bytes after the file was replaced. They must not be written or passed on.
 */
export function keep(reader: Reader, path: VfsPath): Kept | undefined {
  const lent = lenderOf(reader)?.at(path)
  if (lent instanceof Uint8Array) return { length: lent.length, bytes: () => lent }
  return lent?.view && { length: lent.length, bytes: () => lent.view?.() ?? lent.slice() }
}

/** A file that `reader` shows, and its entry if `reader` has listed it: following a path costs more than to search a small file. */
export interface LentPlace {
  readonly path: VfsPath
  readonly entry?: Dirent | undefined
}

/**
 * The content of an entry that `reader` has listed, if it is not larger, without a copy. Use it at once, and do not write or keep it.
 * Throws as `read` does if it is in a store that cannot read it.
 */
export function borrowListed(reader: Reader, entry: Dirent, maxBytes: number): Uint8Array | undefined {
  const lent = lenderOf(reader)?.listed?.(entry)
  return lent !== undefined && lent.length <= maxBytes ? atHand(lent) : undefined
}

/**
 * The same for the entries in `[from, to)`, up to those that together have more than `maxTotalBytes`. `undefined` for one that cannot be lent
 * or is larger than `maxBytes`. One loop, because engines compile each small function that runs for thousands of files.
 */
export function borrowAllListed(
  reader: Reader,
  entries: readonly Dirent[],
  { from, to, maxBytes, maxTotalBytes }: ListedRange,
): readonly (Uint8Array | undefined)[] {
  const listed = lenderOf(reader)?.listed
  const borrowed: (Uint8Array | undefined)[] = []
  if (listed === undefined) return borrowed
  let sizeBytes = 0
  for (let index = from; index < to; index++) {
    const entry = entries[index]
    const lent = entry && listed(entry)
    if (lent === undefined || lent.length > maxBytes) borrowed.push(undefined)
    else {
      sizeBytes += lent.length
      if (sizeBytes > maxTotalBytes) break
      borrowed.push(lent instanceof Uint8Array ? lent : (lent.view?.() ?? lent.peek?.()))
    }
  }
  return borrowed
}

export interface ListedRange {
  readonly from: number
  readonly to: number
  readonly maxBytes: number
  readonly maxTotalBytes: number
}

/** The same for a path. */
export function borrowUpTo(reader: Reader, path: VfsPath, maxBytes: number): Uint8Array | undefined {
  const lent = lenderOf(reader)?.at(path)
  return lent !== undefined && lent.length <= maxBytes ? atHand(lent) : undefined
}

/** Whether reading the file at `place` together with others is faster. `undefined` if no file is there. */
export function gainsByReadingAhead(reader: Reader, place: LentPlace): boolean | undefined {
  const lent = lentAt(reader, place)
  return lent && lent.readAhead !== undefined
}

/**
 * Reads the first of the files at `places` in few accesses, about `maxBytes` of them, so that they can then be borrowed without one. Files
 * that cannot be read are left out. Returns the number of places that it went through.
 */
export function readAhead(reader: Reader, places: readonly LentPlace[], maxBytes: number): number {
  const contents: Lent[] = []
  let count = 0
  for (let sizeBytes = 0; count < places.length && sizeBytes < maxBytes; count++) {
    const place = places[count]
    const lent = place && lentAt(reader, place)
    if (lent?.readAhead === undefined) continue
    contents.push(lent)
    sizeBytes += lent.length
  }
  contents[0]?.readAhead?.(contents)
  return count
}

function lentAt(reader: Reader, { path, entry }: LentPlace): Lent | undefined {
  const lender = lenderOf(reader)
  const listed = entry && lender?.listed?.(entry)
  if (listed !== undefined) return listed
  try {
    return lender?.at(path)
  } catch (error) {
    if (isVfsError(error)) return undefined
    throw error
  }
}

/** A content that never changes. */
export interface Kept {
  readonly length: number
  readonly bytes: () => Uint8Array
}

function atHand(lent: Lent): Uint8Array | undefined {
  return lent instanceof Uint8Array ? lent : (lent.view?.() ?? lent.peek?.())
}

/** For a function that takes bytes and is known not to write, keep or return them or their `buffer`. */
export function asInput(bytes: BorrowedBytes): Uint8Array {
  return bytes as unknown as Uint8Array
}
