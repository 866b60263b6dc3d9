// Where a filesystem registers how it shows its bytes without a copy: see borrow.ts. It is separate, because every filesystem registers and
// only a search borrows.

import type { VfsPath } from '../core/path.ts'
import type { Dirent, VfsSync } from './backend.ts'

export type Reader = Pick<VfsSync, 'read'>

/** The content of a file. With `view` its bytes are in memory; without it, `slice` reads a copy. `peek` may read, and does not copy. */
export interface Lent {
  readonly length: number
  slice(): Uint8Array
  readonly view?: () => Uint8Array
  readonly peek?: () => Uint8Array
  readonly readAhead?: (contents: readonly Lent[]) => void
}

export interface Lender {
  readonly at: (path: VfsPath) => Lent | undefined
  /** The file of an entry in a listing. Only for readers of a snapshot: an entry does not show that its file was replaced later. */
  readonly listed?: ((entry: Dirent) => Lent | undefined) | undefined
}

/** Only for borrow.ts. A function returns the reader behind a wrapper. */
export const lenders: WeakMap<Reader, Lender | (() => Reader)> = new WeakMap()

/** Lets borrow.ts find what `look` returns. `reader` must show the same content under the same path. */
export function lend(reader: Reader, at: Lender['at'], listed?: Lender['listed']): void {
  lenders.set(reader, { at, listed })
}

/** `wrapper` lends what the reader behind it lends. `inner` may throw after that reader has ended. */
export function lendFor(wrapper: Reader, inner: () => Reader): void {
  lenders.set(wrapper, inner)
}
