// Decides whether a section may change the present file, and where: as written if the tag is that of the file; moved with its lines if
// their new place is provable; otherwise the edit is refused.

import { documentOf } from '../../../core/text.ts'
import type { LoadedText } from '../../../session/load-text.ts'
import type { ResolvedPath } from '../../../session/resolve-path.ts'
import type { Session } from '../../../session/session.ts'
import type { Hunk, Section } from '../../../text/hashline/parse.ts'
import type { MovedHunk } from '../../../text/hashline/recover.ts'
import { blockResolverFor } from './apply.ts'
import { inNumbersOf } from './older-numbers.ts'
import { refuseUnauthorized } from './refuse.ts'
import type { EditSettings } from './settings.ts'

export type Placement =
  | { readonly kind: 'placed'; readonly hunks: readonly Hunk[]; readonly warnings: readonly string[] }
  | { readonly kind: 'already-applied' }

/** Throws `ToolError`: `edit-tag-stale`, `edit-tag-ambiguous`, `edit-tag-unknown`, `edit-rows-not-shown`, and what `applyHunks` throws. */
export async function placeHunks(
  session: Session,
  settings: EditSettings,
  target: { readonly section: Section; readonly file: ResolvedPath; readonly loaded: LoadedText },
): Promise<Placement> {
  const { section, file, loaded } = target
  const { hunks, tag } = section
  const authorization = session.snapshots.authorize(file.path, tag, loaded.normalized, loaded.tag)
  if (authorization.kind === 'current')
    return { kind: 'placed', ...(await inNumbersOf(session, settings, target, loaded.normalized)) }
  const refusal = { section, file, document: loaded.document, authorization }
  // An unknown tag means that the model has seen nothing, not even the head and the tail of the file.
  if (authorization.kind === 'unknown') throw refuseUnauthorized(refusal)
  const since = `${file.display} changed since you saw it under #${tag}.`
  if (hunks.every(isAtEdge)) {
    return {
      kind: 'placed',
      hunks,
      warnings: [`${since} Its head and tail are where they were, so the rows were inserted there.`],
    }
  }
  const { snapshot } = authorization
  if (snapshot.kind !== 'kept') throw refuseUnauthorized(refusal)
  const numbered = await inNumbersOf(session, settings, target, snapshot.text)
  const { recoverHunks } = await import('../../../text/hashline/recover.ts')
  const recovery = recoverHunks(documentOf(snapshot.text), loaded.document, numbered.hunks, {
    resolveBlock: await blockResolverFor(settings, file.path, numbered.hunks),
    repairs: settings.repairs,
  })
  switch (recovery.kind) {
    case 'already-applied':
      return recovery
    case 'refused':
      throw refuseUnauthorized({ ...refusal, conflicts: recovery.conflicts })
    case 'recovered': {
      const warning = `${since} The lines of this edit did not, so it was applied where they are now, and every other change was kept.${describeMoves(recovery.moved)}`
      return { kind: 'placed', hunks: recovery.hunks, warnings: [...numbered.warnings, warning, ...recovery.warnings] }
    }
  }
}

function isAtEdge(hunk: Hunk): boolean {
  return hunk.kind === 'insert' && (hunk.at.place === 'head' || hunk.at.place === 'tail')
}

function describeMoves([first, ...others]: readonly MovedHunk[]): string {
  if (first === undefined) return ''
  const more = others.length === 0 ? '' : `, and ${others.length} more ${others.length === 1 ? 'place' : 'places'} moved`
  return ` Line ${first.from} is line ${first.to} now${more}.`
}
