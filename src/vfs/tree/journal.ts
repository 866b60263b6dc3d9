// Stores a tree's edits before they are visible. A tree without a journal is in memory only.

import type { Edit } from './edit.ts'
import type { FileContent } from './node.ts'

export interface Journal {
  /**
   * The content of a file after an edit with it is admitted. `data` belongs to the caller and is copied. `before` is the file's previous
   * content, which usually has much in common with it; with `isAppended` the content is `before` followed by `data`. With `isGiven` the
   * caller gives `data` away, and it is taken where that saves a copy.
   */
  hold(data: Uint8Array, before?: FileContent, isAppended?: boolean, isGiven?: boolean): FileContent
  /** The content `before` with `data` from byte `at` on, which is not after its end. `data` is copied. */
  patch(before: FileContent, data: Uint8Array, at: number): FileContent
  /**
   * Stores `edits`, all of them or none. Called before they are visible in the tree, so that an edit that cannot be stored has no effect.
   * Throws `VfsError`: ENOSPC, EIO.
   */
  admit(edits: readonly Edit[]): void
  /** The same for edits by `origin`. Present only if origins are stored or reported. */
  readonly as?: (origin: string) => Journal
}
