// Where a tree's edits are made to last before they show. A tree without one lives in memory alone.

import type { Edit } from './edit.ts'
import type { FileContent } from './node.ts'

export interface Journal {
  /**
   * What a file will hold once an edit with it is admitted. `data` belongs to the caller and is copied. `before`: what the file held so
   * far, which mostly has much in common with it.
   */
  hold(data: Uint8Array, before?: FileContent): FileContent
  /** The same for `before` with `data` behind it. */
  extend(before: FileContent, data: Uint8Array): FileContent
  /**
   * Makes `edits` last, all of them or none. It is called before they show in the tree, so that an edit which cannot be stored never
   * happened. Throws `VfsError`: ENOSPC, EIO.
   */
  admit(edits: readonly Edit[]): void
  /** The same, for edits that `origin` makes. Only where that is written down or told. */
  readonly as?: (origin: string) => Journal
}
