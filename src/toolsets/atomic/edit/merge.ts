// Merges parallel calls on one snapshot if they change different lines. The decision uses the lines that each call names, not the results,
// so that it does not depend on which call was first.

import { ToolError } from '../../../core/errors.ts'
import type { AppliedEdit } from '../../../text/hashline/apply.ts'
import type { Hunk } from '../../../text/hashline/parse.ts'
import { applyToDocument } from './apply.ts'
import type { PlannedEdit } from './plan.ts'
import type { EditSettings } from './settings.ts'

/** Lines that one call changes (`isChanged`) or uses as an anchor, 1-based and inclusive. */
interface Claim {
  readonly start: number
  readonly end: number
  readonly isChanged: boolean
}

/** Throws `ToolError` `edit-parallel-overlap` when one of the edits changes a line that another changes or is anchored to. */
export function refuseOverlap(edits: readonly PlannedEdit[]): void {
  const [first] = edits
  if (first === undefined) return
  const claims = edits
    .flatMap((edit, call) => claimsOf(edit).map(claim => ({ ...claim, call })))
    .sort((left, right) => left.start - right.start || left.end - right.end)
  for (const [index, claim] of claims.entries()) {
    for (const other of claims.slice(index + 1)) {
      if (other.start > claim.end) break
      if (other.call === claim.call || !(claim.isChanged || other.isChanged)) continue
      throw new ToolError(
        'edit-parallel-overlap',
        `${edits.length} edits of ${first.file.display} were sent at once, and two of them touch line ${other.start}. None of them was applied.`,
        {
          nextStep: 'Your tags still hold. Send one edit that says what these lines should be, then the others.',
          details: { path: first.file.display, line: other.start, calls: edits.length },
        },
      )
    }
  }
}

/** All edits of one file, applied as one script. */
export function applyTogether(settings: EditSettings, edits: readonly PlannedEdit[]): Promise<AppliedEdit> {
  const [first] = edits
  if (first === undefined) throw new Error('no edits to apply')
  return applyToDocument(
    settings,
    first.file.path,
    first.loaded.document,
    edits.flatMap(edit => edit.hunks),
  )
}

function claimsOf({ hunks, applied, loaded }: PlannedEdit): readonly Claim[] {
  return hunks.map(hunk => {
    switch (hunk.kind) {
      case 'replace':
      case 'delete':
        return { start: hunk.start, end: hunk.end, isChanged: true }
      case 'insert':
        return anchorClaim(insertAnchor(hunk, loaded.document.lines.length))
      case 'insert-after-block':
        return anchorClaim(resolvedEnd(hunk, applied))
      case 'replace-block':
      case 'delete-block':
        return { start: hunk.line, end: resolvedEnd(hunk, applied), isChanged: true }
    }
  })
}

function anchorClaim(line: number): Claim {
  return { start: line, end: line, isChanged: false }
}

function insertAnchor({ at }: Extract<Hunk, { readonly kind: 'insert' }>, lineCount: number): number {
  if ('line' in at) return at.line
  // There is no anchor before the first line and after the last.
  return at.place === 'head' ? 0 : lineCount + 1
}

function resolvedEnd(hunk: Extract<Hunk, { readonly line: number }>, { blockResolutions }: AppliedEdit): number {
  const found = blockResolutions.find(({ kind, line }) => kind === hunk.kind && line === hunk.line)
  return found?.landing ?? found?.end ?? hunk.line
}
