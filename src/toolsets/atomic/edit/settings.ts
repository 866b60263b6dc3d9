// Options of a host for atomic's edits in one session.

import type { BlockResolver } from '../../../text/hashline/blocks.ts'

/** How `edit` of atomic treats inexact scripts and blocks. */
export interface EditOptions {
  /**
   * Whether a replacement that is off by one line at its edge is corrected if the intended lines are provable; a correction is always
   * reported. Default true.
   */
  readonly repairs?: boolean | undefined
  /**
   * A function of the host that finds the ends of blocks in the file at an absolute path; for `undefined` the built-in grammars are used. A
   * function cannot be sent to a worker.
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
