// What a host decides about atomic's edits, for one session.

import type { BlockResolver } from '../../../text/hashline/blocks.ts'

/** How `edit` of atomic treats inexact scripts and blocks. */
export interface EditOptions {
  /**
   * Whether a replacement that slipped by a line at its edge is put right where that is provably what was meant; it is always
   * reported. Default true.
   */
  readonly repairs?: boolean | undefined
  /**
   * A host's own answer to where blocks end, for the absolute path of a file; `undefined` leaves the file to the built-in grammars.
   * A function cannot be sent to a worker.
   */
  readonly blocks?: (path: string) => BlockResolver | undefined
}

export interface EditSettings {
  readonly repairs: boolean
  readonly blocks: ((path: string) => BlockResolver | undefined) | undefined
}

export function editSettings({ repairs = true, blocks }: EditOptions = {}): EditSettings {
  return { repairs, blocks }
}
