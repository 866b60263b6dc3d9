// What tools see of a file that is open in an editor.

import type { Stat } from '../vfs/backend.ts'
import { VfsError } from '../vfs/error.ts'
import type { BufferDocument } from './document.ts'

/** Whether tools see the text instead of the file. */
export function isShown(document: BufferDocument): boolean {
  return document.isDirty && document.conflict?.kind !== 'removed' && document.conflict?.kind !== 'not-text'
}

/** What tools see instead of the file's stat, which is `undefined` for a file that does not exist yet. */
export function shownStat(document: BufferDocument, stat: Stat | undefined): Stat {
  return {
    ...(stat ?? { kind: 'file', mode: document.mode ?? 0o644, ino: document.viewRev, nlink: 1 }),
    kind: 'file',
    sizeBytes: shownBytes(document).length,
    rev: document.viewRev,
    mtimeMs: Math.max(document.changedAtMs, (stat?.mtimeMs ?? 0) + 1),
    ctimeMs: Math.max(document.changedAtMs, (stat?.ctimeMs ?? 0) + 1),
  }
}

/** The bytes that tools see. Throws `VfsError` EIO while half of a character is typed. */
export function shownBytes(document: BufferDocument): Uint8Array {
  try {
    return document.bytes()
  } catch (cause) {
    throw new VfsError('EIO', 'read', {
      path: document.path,
      hint: 'its text in the editor contains an incomplete character; try again when it is complete',
      cause,
    })
  }
}
