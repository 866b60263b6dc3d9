// What a host decides about editing, for one session.

import { AnchorageError } from '../core/errors.ts'
import type { BlockResolver } from '../text/hashline/blocks.ts'

export interface EditOptions {
  /**
   * Whether a replacement that slipped by a line at its edge is put right where that is provably what was meant; it is always
   * reported. Default true.
   */
  readonly repairs?: boolean
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

/** Throws `AnchorageError` `toolset-options` for values of another type, which plain JavaScript or a worker's page may bring. */
export function editSettings(options: EditOptions | undefined): EditSettings {
  const { repairs = true, blocks } = options ?? {}
  if (typeof repairs !== 'boolean') throw new AnchorageError('toolset-options', 'edit.repairs must be true or false.')
  if (blocks !== undefined && typeof blocks !== 'function') {
    throw new AnchorageError('toolset-options', 'edit.blocks must be a function from a path to a resolver of blocks.')
  }
  return { repairs, blocks }
}
