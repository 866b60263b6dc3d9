// `+4:  x` below `replace 4..4:` repeats the number that `read` printed before the line. It is taken off where every row has the number
// of its place and the lines that it replaces have no such beginning.

import type { TextDocument } from '../../../core/text.ts'
import type { Hunk } from '../../../text/hashline/parse.ts'

export interface BareHunks {
  readonly hunks: readonly Hunk[]
  readonly warnings: readonly string[]
}

export function withoutCopiedNumbers(hunks: readonly Hunk[], document: TextDocument): BareHunks {
  const warnings: string[] = []
  const bare = hunks.map(hunk => {
    if (hunk.kind !== 'replace') return hunk
    const rows = bareRows(hunk.rows, hunk.start)
    if (rows === undefined) return hunk
    const replaced = document.lines.slice(hunk.start - 1, hunk.end)
    if (replaced.some(line => /^\s*\d+:/.test(line))) return hunk
    warnings.push(`Line ${hunk.scriptLine} of the script: the line numbers at the start of its rows were left out.`)
    return { ...hunk, rows }
  })
  return { hunks: bare, warnings }
}

/** `undefined` unless the rows are numbered one after the other, from `first` on. */
function bareRows(rows: readonly string[], first: number): readonly string[] | undefined {
  const bare: string[] = []
  for (const [index, row] of rows.entries()) {
    const prefix = `${first + index}:`
    if (!row.startsWith(prefix)) return undefined
    bare.push(row.slice(prefix.length))
  }
  return bare
}
