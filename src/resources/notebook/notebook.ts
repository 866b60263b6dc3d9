// The JSON of a notebook, and the same with other cells. What did not change stays byte for byte.

import { isRecord } from '../../core/record.ts'
import type { Cell, CellType, EditedCell } from './cells.ts'
import { elementsOf, membersOf, type ObjectMember, type Span } from './json-spans.ts'

interface NotebookCell extends Cell, Span {
  /** Where its source lies; `undefined` when it has none. */
  readonly sourceAt: ObjectMember | undefined
  readonly isSourceList: boolean
  readonly outputs: readonly unknown[]
}

export interface Notebook {
  /** With its byte order mark. */
  readonly text: string
  readonly cells: readonly NotebookCell[]
  readonly cellsAt: ObjectMember
  /** Cells of this version have an `id`. */
  readonly hasIds: boolean
}

const cellTypes: ReadonlySet<unknown> = new Set(['code', 'markdown', 'raw'])

/** `undefined` for JSON that is not a notebook of a known version. Throws `SyntaxError` for invalid JSON. */
export function parseNotebook(text: string): Notebook | undefined {
  const value: unknown = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text)
  if (!isRecord(value) || !Array.isArray(value['cells'])) return undefined
  const cells: readonly unknown[] = value['cells']
  const rootAt = text.indexOf('{')
  const cellsAt = membersOf(text, rootAt).get('cells')
  if (cellsAt === undefined) return undefined
  const spans = elementsOf(text, cellsAt.start)
  const parsed: NotebookCell[] = []
  for (const [index, cell] of cells.entries()) {
    const span = spans[index]
    if (!isRecord(cell) || span === undefined || !cellTypes.has(cell['cell_type'])) return undefined
    const source = cell['source'] ?? ''
    const isSourceList = Array.isArray(source)
    if (!isSourceList && typeof source !== 'string') return undefined
    parsed.push({
      ...span,
      type: cell['cell_type'] as CellType,
      source: isSourceList ? source.map(String).join('') : source,
      sourceAt: membersOf(text, span.start).get('source'),
      isSourceList,
      outputs: Array.isArray(cell['outputs']) ? cell['outputs'] : [],
    })
  }
  const [major, minor] = [Number(value['nbformat']), Number(value['nbformat_minor'])]
  return { text, cells: parsed, cellsAt, hasIds: major > 4 || (major === 4 && minor >= 5) }
}

/** The text of the notebook with `edited` in place of its cells. */
export function withCells(notebook: Notebook, edited: readonly EditedCell[]): string {
  const { text, cells, cellsAt } = notebook
  const isSameShape = edited.length === cells.length && edited.every(({ id }, index) => id === index)
  const parts = edited.map(cell => cellText(notebook, cell))
  if (isSameShape) {
    let result = ''
    let at = 0
    for (const [index, { start, end }] of cells.entries()) {
      result += text.slice(at, start) + (parts[index] ?? '')
      at = end
    }
    return result + text.slice(at)
  }
  const { between, open, close } = separators(notebook)
  const list = parts.length === 0 ? '[]' : `[${open}${parts.join(`,${between}`)}${close}]`
  return text.slice(0, cellsAt.start) + list + text.slice(cellsAt.end)
}

/** The blanks around the cells as they are, so that a new cell looks like the others. */
function separators({ text, cells, cellsAt }: Notebook): {
  readonly between: string
  readonly open: string
  readonly close: string
} {
  const [first, second] = cells
  const last = cells.at(-1)
  if (first === undefined || last === undefined) {
    const outer = indentAt(text, cellsAt.start)
    const end = lineEnd(text)
    return text.includes('\n')
      ? { between: `${end}${outer} `, open: `${end}${outer} `, close: `${end}${outer}` }
      : { between: '', open: '', close: '' }
  }
  const open = text.slice(cellsAt.start + 1, first.start)
  const between = second === undefined ? open : text.slice(first.end, second.start).replace(',', '')
  return { between, open, close: text.slice(last.end, cellsAt.end - 1) }
}

function cellText(notebook: Notebook, edited: EditedCell): string {
  const { text, cells } = notebook
  const old = edited.id === undefined ? undefined : cells[edited.id]
  if (old === undefined) return newCell(notebook, edited)
  const own = text.slice(old.start, old.end)
  if (old.type !== edited.type) return retyped(notebook, own, edited, old)
  if (old.source === edited.source) return own
  if (old.sourceAt === undefined) return retyped(notebook, own, edited, old)
  const { start, end } = old.sourceAt
  const source = sourceText(notebook, edited.source, old.isSourceList, indentAt(text, start))
  return text.slice(old.start, start) + source + text.slice(end, old.end)
}

function retyped(notebook: Notebook, own: string, { type, source }: EditedCell, old: NotebookCell): string {
  const cell = JSON.parse(own) as Record<string, unknown>
  cell['cell_type'] = type
  cell['source'] = linesOf(source)
  if (type === 'code') {
    cell['execution_count'] ??= null
    cell['outputs'] ??= []
  } else if (old.type === 'code') {
    delete cell['execution_count']
    delete cell['outputs']
  }
  return formatted(notebook, cell)
}

function newCell(notebook: Notebook, { type, source }: EditedCell): string {
  return formatted(notebook, {
    cell_type: type,
    ...(type === 'code' ? { execution_count: null } : {}),
    ...(notebook.hasIds ? { id: freshId(notebook, source) } : {}),
    metadata: {},
    ...(type === 'code' ? { outputs: [] } : {}),
    source: linesOf(source),
  })
}

/** Depends only on the source, so that the same write gives the same file; another one if the notebook has it already. */
function freshId({ text }: Notebook, source: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < source.length; index++) hash = Math.imul(hash ^ source.charCodeAt(index), 0x01000193) >>> 0
  let id = hash.toString(16).padStart(8, '0')
  while (text.includes(`"${id}"`)) id = (hash = (hash + 1) >>> 0).toString(16).padStart(8, '0')
  return id
}

function formatted({ text, cells, cellsAt }: Notebook, cell: unknown): string {
  if (!text.includes('\n')) return JSON.stringify(cell)
  const first = cells[0]
  const outer = first === undefined ? `${indentAt(text, cellsAt.start)} ` : indentAt(text, first.start)
  return JSON.stringify(cell, null, unitOf(text)).replaceAll('\n', `${lineEnd(text)}${outer}`)
}

function unitOf(text: string): string {
  return /^\uFEFF?\{\s*\n([ \t]+)/.exec(text)?.[1] ?? ' '
}

function lineEnd(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at) + 1, at))?.[0] ?? ''
}

function linesOf(source: string): readonly string[] {
  return source === '' ? [] : source.split(/(?<=\n)/)
}

function sourceText({ text }: Notebook, source: string, isList: boolean, indent: string): string {
  if (!isList) return JSON.stringify(source)
  const lines = linesOf(source).map(line => JSON.stringify(line))
  if (lines.length === 0) return '[]'
  if (!text.includes('\n')) return `[${lines.join(',')}]`
  const end = lineEnd(text)
  return `[${end}${lines.map(line => `${indent}${unitOf(text)}${line}`).join(`,${end}`)}${end}${indent}]`
}
