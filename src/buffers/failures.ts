// Errors of open files.

import { AnchorageError } from '../core/errors.ts'
import type { BufferDocument } from './document.ts'

export function alsoOpen(path: string): AnchorageError {
  return new AnchorageError(
    'buffer-lost',
    `${path} is open in another editor, with other text in the same lines as the text that was not saved. Next: copy that text, and merge it by hand.`,
  )
}

export function keptChanging(path: string): AnchorageError {
  return new AnchorageError('buffer-busy', `${path} kept changing, so it was not saved. Next: save it again.`)
}

export function conflictError(document: BufferDocument): AnchorageError {
  const why =
    document.conflict?.kind === 'removed'
      ? 'the file was removed'
      : document.conflict?.kind === 'not-text'
        ? 'the file is no longer text'
        : 'the file changed on disk in the same lines'
  return new AnchorageError(
    'buffer-conflict',
    `${document.path} was not saved, because ${why}. Next: save it with { overwrite: true }, or take what is on disk with revert().`,
    { details: { path: document.path } },
  )
}
