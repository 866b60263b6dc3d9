// The rows and cells of tables in RTF, which come as a stream: the end of a cell, the end of a row. A table in a cell ends its cells and rows
// by other words.

import { nestedTable, table } from './markdown.ts'

interface OpenRow {
  readonly cells: string[]
  /** The right edges of its cells, in twips. */
  readonly edges: readonly number[]
}

interface OpenTable {
  readonly rows: OpenRow[]
  cells: string[]
  /** The blocks of the cell that is not finished. */
  blocks: string[]
}

/** Two edges that are nearer than this are one: programs round them. */
const edgeTolerance = 60

export class RtfTables {
  /** By depth: the first is on the page, each other one is in a cell of the one before it. */
  #open: OpenTable[] = []
  #edges: number[] = []

  /** Adds a block to the open cell. */
  add(depth: number, block: string): void {
    this.#at(depth).blocks.push(block)
  }

  endCell(depth: number): void {
    const { cells, blocks } = this.#at(depth)
    cells.push(blocks.join('\n'))
    blocks.length = 0
  }

  endRow(depth: number): void {
    const open = this.#at(depth)
    if (open.cells.length > 0) open.rows.push({ cells: open.cells, edges: depth === 1 ? this.#edges : [] })
    open.cells = []
  }

  startEdges(): void {
    this.#edges = []
  }

  edge(twips: number): void {
    this.#edges.push(twips)
  }

  /** The whole table; '' if none is open. */
  end(): string {
    if (this.#open.length === 0) return ''
    const { rows, cells, blocks } = this.#at(1)
    const last = [...cells, ...(blocks.length === 0 ? [] : [blocks.join('\n')])]
    this.#open = []
    return table(inColumns(last.length === 0 ? rows : [...rows, { cells: last, edges: [] }]))
  }

  /** The table at a depth; deeper ones end, because the text continues outside of them. */
  #at(depth: number): OpenTable {
    for (let open = this.#open.at(-1); open !== undefined && this.#open.length > depth; open = this.#open.at(-1)) {
      if (open.cells.length > 0) open.rows.push({ cells: open.cells, edges: [] })
      this.#open.pop()
      this.#open.at(-1)?.blocks.push(...[nestedTable(open.rows.map(({ cells }) => cells)), ...open.blocks].filter(Boolean))
    }
    while (this.#open.length < depth) this.#open.push({ rows: [], cells: [], blocks: [] })
    const open = this.#open[depth - 1]
    if (open === undefined) throw new RangeError(`A table has the depth ${depth}`)
    return open
  }
}

/** A cell that is as wide as several others is followed by empty ones. */
function inColumns(rows: readonly OpenRow[]): string[][] {
  const columns: number[] = []
  for (const edge of rows.flatMap(({ edges }) => edges).sort((a, b) => a - b)) {
    if (edge - (columns.at(-1) ?? Number.NEGATIVE_INFINITY) > edgeTolerance) columns.push(edge)
  }
  return rows.map(({ cells, edges }) => {
    const shown = cells.findLastIndex(cell => cell !== '') < edges.length ? cells.slice(0, edges.length || undefined) : cells
    // Edges that do not grow, or that are not one for each cell, say nothing about columns.
    const isUsable = shown.length === edges.length && edges.every((edge, index) => index === 0 || edge > (edges[index - 1] ?? 0))
    if (!isUsable) return shown
    let column = 0
    return shown.flatMap((cell, index) => {
      const first = column
      const edge = edges[index] ?? 0
      while (column < columns.length && (columns[column] ?? 0) <= edge + edgeTolerance) column++
      return [cell, ...Array.from({ length: Math.max(0, column - first - 1) }, () => '')]
    })
  })
}
