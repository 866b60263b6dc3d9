// The cells of a sheet, at any positions, as a readable table.

import { table } from './markdown.ts'

/** Zero-based. */
export interface Cell {
  readonly row: number
  readonly column: number
  readonly text: string
}

/** A table with more columns would not be readable, so its cells are listed by name instead. */
const tableMaxColumns = 60

/** A sheet as Markdown; '' if it is empty. Reports the shown range if it does not begin at A1. */
export function sheetTable(cells: readonly Cell[]): string {
  const shown = cells.filter(({ text }) => text.trim() !== '')
  if (shown.length === 0) return ''
  const columns = [...new Set(shown.map(({ column }) => column))].sort((a, b) => a - b)
  const [firstColumn = 0, lastColumn = 0] = [columns[0], columns.at(-1)]
  if (columns.length > tableMaxColumns) return shown.map(cell => `${cellName(cell.row, cell.column)}: ${cell.text}`).join('\n')
  // Joins columns that are far apart, so that one cell in column XFD does not make sixteen thousand.
  const isSparse = lastColumn - firstColumn >= tableMaxColumns
  const positions = new Map(isSparse ? columns.map((column, index) => [column, index]) : [])
  const width = isSparse ? columns.length : lastColumn - firstColumn + 1
  const rows: string[][] = []
  let current = -1
  let first = 0
  for (const { row, column, text } of shown) {
    if (row !== current) {
      if (current === -1) first = row
      // Empty rows separate the blocks above and below.
      else if (row > current + 1) rows.push([])
      rows.push(Array.from({ length: width }, () => ''))
      current = row
    }
    const line = rows.at(-1)
    if (line !== undefined) line[positions.get(column) ?? column - firstColumn] = text
  }
  const names = isSparse ? `columns ${columns.map(columnName).join(', ')}` : ''
  const range = first === 0 && firstColumn === 0 ? '' : `${cellName(first, firstColumn)}:${cellName(current, lastColumn)}`
  const place = [range, names].filter(Boolean).join(', ')
  return `${place === '' ? '' : `<!-- ${place} -->\n`}${table(rows)}`
}

function columnName(column: number): string {
  let name = ''
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name
  return name
}

export function cellName(row: number, column: number): string {
  return `${columnName(column)}${row + 1}`
}

/** `B12` as zero-based numbers. */
export function cellAt(name: string): { readonly row: number; readonly column: number } | undefined {
  const [, letters, digits] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/i.exec(name) ?? []
  if (letters === undefined || digits === undefined) return undefined
  const column = [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
  return { row: Number(digits) - 1, column }
}
