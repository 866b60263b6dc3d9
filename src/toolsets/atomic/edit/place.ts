// Decides whether a section may touch the file as it is now, and where (atomic §4.7, §4.8): as written when the file is what its tag
// stands for; moved along with its lines when it can be proved where they went; refused in every other case.

import type { LoadedText } from '../../../session/load-text.ts'
import type { ResolvedPath } from '../../../session/resolve-path.ts'
import type { Session } from '../../../session/session.ts'
import type { Hunk, Section } from '../../../text/hashline/parse.ts'
import { refuseUnauthorized } from './refuse.ts'

export type Placement =
  | { readonly kind: 'placed'; readonly hunks: readonly Hunk[]; readonly warnings: readonly string[] }
  | { readonly kind: 'already-applied' }

/** Throws `ToolError`: `edit-tag-stale`, `edit-tag-ambiguous`, `edit-tag-unknown`. */
export function placeHunks(
  session: Session,
  target: { readonly section: Section; readonly file: ResolvedPath; readonly loaded: LoadedText },
): Promise<Placement> {
  const { section, file, loaded } = target
  const { hunks, tag } = section
  const authorization = session.snapshots.authorize(file.path, tag, loaded.normalized)
  if (authorization.kind === 'current') return Promise.resolve({ kind: 'placed', hunks, warnings: [] })
  // The head and the tail of a file are where they are, whatever it holds. An unknown tag still shows that nobody looked.
  if (authorization.kind !== 'unknown' && hunks.every(isAtEdge)) {
    const warning = `${file.display} changed since you saw it as #${tag}. Its head and tail are where they were, so the rows were inserted; read it again if the change is a surprise.`
    return Promise.resolve({ kind: 'placed', hunks, warnings: [warning] })
  }
  throw refuseUnauthorized({ section, file, document: loaded.document, authorization })
}

function isAtEdge(hunk: Hunk): boolean {
  return hunk.kind === 'insert' && (hunk.at.place === 'head' || hunk.at.place === 'tail')
}
