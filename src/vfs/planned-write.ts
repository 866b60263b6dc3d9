// A planned change of a file, described before it is written, so that it can be reviewed, ordered and committed with others.

import type { VfsPath } from '../core/path.ts'

export interface PlannedWrite {
  readonly path: VfsPath
  readonly display: string
  readonly bytes: Uint8Array
  /** The `rev` that the new content is based on; 0 if the file did not exist. */
  readonly baseRev: number
  /** Permission bits to set afterwards; absent: kept, or the default of a new file. */
  readonly mode?: number
  /** Set if the file changed since the session saw it: how many lines that version loses and gains. */
  readonly unseen?: { readonly removed: number; readonly added: number }
  /** For a binary file whose changed part is text: that text, for a review. */
  readonly inside?: {
    /** `b.zip:src/a.txt` */
    readonly display: string
    /** `undefined` if it did not exist, or is not text. */
    readonly before: string | undefined
    /** `undefined` if it is removed, or is not text. */
    readonly after: string | undefined
  }
}
