// What the model sees of an edit: the fresh header of each file, what was noticed, and the changed lines with their new numbers.

import { formatHeader } from '../../../text/hashline/format.ts'
import type { PlannedEdit } from './plan.ts'

/** Rows of one file's diff in the text; the whole diff is in `details.diff`. */
const maxDiffRows = 120

export function renderEdit(
  sections: readonly { readonly edit: PlannedEdit; readonly tag: string }[],
  warnings: readonly string[],
): string {
  const blocks = sections.map(({ edit, tag }) =>
    [
      formatHeader(edit.file.display, tag),
      ...[...edit.section.warnings, ...edit.applied.warnings].map(warning => `Warning: ${warning}`),
      ...cutRows(edit.diff.rows, edit.file.display),
    ].join('\n'),
  )
  return [...warnings.map(warning => `Warning: ${warning}`), blocks.join('\n\n')].join('\n')
}

function cutRows(diff: string, path: string): readonly string[] {
  const rows = diff === '' ? [] : diff.split('\n')
  if (rows.length <= maxDiffRows) return rows
  return [...rows.slice(0, maxDiffRows), `[${rows.length - maxDiffRows} more diff rows. Read ${path} to see the rest.]`]
}
