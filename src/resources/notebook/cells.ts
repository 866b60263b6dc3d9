// A notebook's cells as one text: a marker row `# %% [code] cell:0` for each, then its source. And back: cells are known by the number in
// their marker, so that everything else of a cell stays with it.

import { ToolError } from '../../core/errors.ts'

export type CellType = 'code' | 'markdown' | 'raw'

export interface Cell {
  readonly type: CellType
  readonly source: string
}

/** A cell as the text has it. `id` is the number of the cell that it was. */
export interface EditedCell extends Cell {
  readonly id: number | undefined
}

const marker = /^# %% \[(code|markdown|raw)\](?: cell:(\d+))?$/
/** A row of a source that looks like a marker gets one '%' more. */
const markerLike = /^# %%+ \[(?:code|markdown|raw)\](?: cell:\d+)?$/

export function textOfCells(cells: readonly Cell[]): string {
  return cells
    .flatMap(({ type, source }, index) => [
      `# %% [${type}] cell:${index}`,
      ...(source === '' ? [] : source.split('\n').map(row => (markerLike.test(row) ? row.replace('%%', '%%%') : row))),
    ])
    .join('\n')
}

/** Throws `ToolError` for a text without a marker at its start, and for one that lost a marker and kept the rows below it. */
export function cellsOfText(text: string, before: readonly Cell[], display: string): readonly EditedCell[] {
  const cells: { readonly type: CellType; readonly id: number | undefined; readonly rows: string[] }[] = []
  const taken = new Set<number>()
  if (text === '') return []
  for (const row of text.split('\n')) {
    const match = marker.exec(row)
    if (match !== null) {
      const number = match[2] === undefined ? undefined : Number(match[2])
      const isFree = number !== undefined && number < before.length && !taken.has(number)
      if (isFree) taken.add(number)
      cells.push({ type: match[1] as CellType, id: isFree ? number : undefined, rows: [] })
      continue
    }
    const current = cells.at(-1)
    if (current === undefined) throw noMarker(display)
    current.rows.push(markerLike.test(row) ? row.replace('%%%', '%%') : row)
  }
  const edited = cells.map(({ type, id, rows }) => ({ type, id, source: rows.join('\n') }))
  refuseMerged(edited, before, taken, display)
  return edited
}

function noMarker(display: string): ToolError {
  return new ToolError('notebook-marker', `The first row of ${display} must be the marker of a cell. Nothing was written.`, {
    nextStep: 'Begin with a row such as "# %% [code] cell:0" or, for a new cell, "# %% [markdown]".',
    details: { path: display },
  })
}

/** A marker that is gone while its rows are still there would make them part of the cell above, and drop what else the cell holds. */
function refuseMerged(edited: readonly EditedCell[], before: readonly Cell[], taken: ReadonlySet<number>, display: string): void {
  for (const [index, { source }] of before.entries()) {
    if (taken.has(index) || source.trim() === '') continue
    const swallowing = edited.find(cell => {
      const own = cell.id === undefined ? '' : (before[cell.id]?.source ?? '')
      return cell.source.includes(source) && !own.includes(source) && cell.source.length > source.length
    })
    if (swallowing === undefined) continue
    throw new ToolError(
      'notebook-marker',
      `The marker of cell:${index} of ${display} is gone, and its rows are not. Nothing was written.`,
      {
        nextStep: `Keep the row "# %% [${before[index]?.type ?? 'code'}] cell:${index}", or remove its rows too to remove the cell.`,
        details: { path: display, cell: index },
      },
    )
  }
}
