// A file as it is to become, told before it is written: so that it can be reviewed, ordered and committed with others.

import type { VfsPath } from '../core/path.ts'

export interface PlannedWrite {
  readonly path: VfsPath
  readonly display: string
  readonly bytes: Uint8Array
  /** The `rev` that the new content is based on; 0 for "was not there". */
  readonly baseRev: number
  /** Permission bits to set afterwards; absent: kept, or the default of a new file. */
  readonly mode?: number
  /** Where the bytes are no text but what changes in them is: that, for those who review it. */
  readonly inside?: {
    /** `b.zip:src/a.txt` */
    readonly display: string
    /** `undefined` for what was not there, or is no text. */
    readonly before: string | undefined
    /** `undefined` for what is removed, or is no text. */
    readonly after: string | undefined
  }
}
