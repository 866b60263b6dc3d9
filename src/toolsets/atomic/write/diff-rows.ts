// The changed lines in a result. The complete diff is in `details.diff`; repeating a whole file in the text would be costly.

/** Rows of one file's diff in the text of a result. */
const maxDiffRows = 120
const maxRowCharacters = 160

/** The rows of a diff, cut with a note. */
export function cutDiffRows(diff: string, path: string): readonly string[] {
  const rows =
    diff === '' ? [] : diff.split('\n').map(row => (row.length > maxRowCharacters ? `${row.slice(0, maxRowCharacters)}…` : row))
  if (rows.length <= maxDiffRows) return rows
  const left = rows.length - maxDiffRows
  return [...rows.slice(0, maxDiffRows), `[${left} more diff ${left === 1 ? 'row' : 'rows'}. Read ${path} to see the rest.]`]
}
