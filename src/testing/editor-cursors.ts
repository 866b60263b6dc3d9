// Where a cursor may be after a change by someone else: its text moved it, and text that was put exactly where it stood may go to either side.

import type { TextReplacement } from '../text/text-change.ts'

/** Offsets in UTF-16 code units. */
export interface CursorRange {
  readonly first: number
  readonly last: number
}

/** A change may come in several steps. `edits` have positions before all of them, ascending. */
export function cursorsAfter(before: CursorRange, edits: readonly TextReplacement[]): CursorRange {
  return { first: placesAfter(before.first, edits).first, last: placesAfter(before.last, edits).last }
}

function placesAfter(offset: number, edits: readonly TextReplacement[]): CursorRange {
  let [first, last] = [offset, offset]
  for (const { from, to, insert } of edits) {
    const inserted = insert.length
    if (to < offset) {
      first += inserted - (to - from)
      last += inserted - (to - from)
    } else if (from <= offset) {
      // It stood in or at the replaced text: it is anywhere in the new one.
      first -= offset - from
      last += inserted - (offset - from)
    }
  }
  return { first: Math.min(first, last), last: Math.max(first, last) }
}
