// Output modes. A mode receives the columns first, then each row, then the end, and returns the text to print.

import type { SqlValue } from '../connection.ts'
import { largest } from '../../../core/many.ts'

/** A value with SQLite's text for it. */
export interface Cell {
  readonly value: SqlValue
  readonly text: string
}

export interface Look {
  readonly hasHeaders: boolean
  readonly columnSeparator: string
  readonly rowSeparator: string
  readonly nullValue: string
  /** For the mode `insert`. */
  readonly tableName: string
}

export interface Printer {
  row(cells: readonly Cell[]): string
  end(): string
}

type Mode = (columns: readonly string[], look: Look) => Printer

const separated =
  (shown: (cell: Cell, look: Look) => string, shownName: (name: string, look: Look) => string): Mode =>
  (columns, look) => {
    let hasBegun = false
    const line = (texts: readonly string[]): string => texts.join(look.columnSeparator) + look.rowSeparator
    return {
      row: cells => {
        const header = look.hasHeaders && !hasBegun ? line(columns.map(name => shownName(name, look))) : ''
        hasBegun = true
        return header + line(cells.map(cell => shown(cell, look)))
      },
      end: () => '',
    }
  }

const plain = ({ value, text }: Cell, look: Look): string => (value === null ? look.nullValue : text)

// A text with a control character, a blank, a quote or a non-ASCII character is quoted.
// oxlint-disable-next-line no-control-regex -- these are the characters that need quotes
const needsCsvQuotes = /[\0-\x20"'\x7f-\uffff]/

function csvField(text: string, { columnSeparator }: Look): string {
  const isQuoted = text === '' || needsCsvQuotes.test(text) || text.includes(columnSeparator)
  return isQuoted ? `"${text.replaceAll('"', '""')}"` : text
}

const json: Mode = columns => {
  let count = 0
  return {
    row: cells => {
      const fields = cells.map(({ value, text }, index) => `${jsonText(columns[index] ?? '')}:${jsonValue(value, text)}`)
      count += 1
      return `${count === 1 ? '[' : ',\n'}{${fields.join(',')}}`
    },
    end: () => (count === 0 ? '' : ']\n'),
  }
}

function jsonValue(value: SqlValue, text: string): string {
  if (value === null) return 'null'
  if (value instanceof Uint8Array) return jsonText(Array.from(value, byte => String.fromCharCode(byte)).join(''))
  return typeof value === 'string' ? jsonText(value) : numberText(value, text)
}

function jsonText(text: string): string {
  return JSON.stringify(text)
}

/** A number that converts back to the same value. */
function numberText(value: number | bigint, text: string): string {
  if (typeof value === 'bigint' || /^-?\d+$/.test(text)) return text
  if (!Number.isFinite(value)) return value > 0 ? '1e999' : '-1e999'
  if (Number(text) === value) return text
  const shortest = String(value)
  return /[.]/.test(shortest) ? shortest : shortest.replace(/(?=e|$)/, '.0')
}

export function literal({ value, text }: Cell): string {
  if (value === null) return 'NULL'
  if (value instanceof Uint8Array) return `X'${Array.from(value, byte => byte.toString(16).padStart(2, '0')).join('')}'`
  return typeof value === 'string' ? quoted(value) : numberText(value, text)
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

const insert: Mode = (columns, { hasHeaders, tableName }) => ({
  row: cells => {
    const names = hasHeaders ? `(${columns.map(identifier).join(',')})` : ''
    return `INSERT INTO ${identifier(tableName)}${names} VALUES(${cells.map(escapedLiteral).join(',')});\n`
  },
  end: () => '',
})

/** A literal on one line. */
export function escapedLiteral(cell: Cell): string {
  const text = literal(cell)
  if (typeof cell.value !== 'string' || !/[\r\n]/.test(text)) return text
  let shown = text
  for (const [character, escape, code] of [
    ['\r', '\\r', 13],
    ['\n', '\\n', 10],
  ] as const) {
    if (!text.includes(character)) continue
    let marker: string = escape
    for (let count = 0; text.includes(marker); count++) marker = `(${escape}${count})`
    shown = `replace(${shown.replaceAll(character, marker)},'${marker}',char(${code}))`
  }
  return shown
}

const keywords = new Set(
  'add all alter and as autoincrement between case check collate commit constraint create default deferrable delete distinct drop else escape except exists foreign from group having if in index insert intersect into is isnull join limit not notnull null on or order primary references select set table then to transaction union unique update using values when where'.split(
    ' ',
  ),
)

/** A name in SQL, quoted if necessary. */
export function identifier(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) && !keywords.has(name.toLowerCase()) ? name : `"${name.replaceAll('"', '""')}"`
}

const htmlEntities: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;', "'": '&#39;' }

const html: Mode = (columns, look) => {
  let hasBegun = false
  const row = (tag: string, texts: readonly string[]): string => {
    const cells = texts.map(text => `<${tag}>${text.replace(/[<>&"']/g, found => htmlEntities[found] ?? found)}</${tag}>\n`)
    return `<TR>${cells.join('')}</TR>\n`
  }
  return {
    row: cells => {
      const header = look.hasHeaders && !hasBegun ? row('TH', columns) : ''
      hasBegun = true
      return (
        header +
        row(
          'TD',
          cells.map(cell => plain(cell, look)),
        )
      )
    },
    end: () => '',
  }
}

/** What `EXPLAIN QUERY PLAN` gives, as a tree. Its columns are the number of a step, that of the step above, one unused, and a text. */
export function planPrinter(): Printer {
  const steps: (readonly [number: string, above: string, text: string])[] = []
  const below = (above: string, prefix: string): string =>
    steps
      .filter(step => step[1] === above)
      .map(([number, , text], index, all) => {
        const isLast = index === all.length - 1
        return `${prefix}${isLast ? '`' : '|'}--${text}\n${below(number, `${prefix}${isLast ? ' ' : '|'}  `)}`
      })
      .join('')
  return {
    row: ([number, above, , text]) => {
      steps.push([number?.text ?? '', above?.text ?? '', text?.text ?? ''])
      return ''
    },
    end: () => `QUERY PLAN\n${below('0', '')}`,
  }
}

const line: Mode = (columns, look) => {
  const width = largest(columns.map(widthOf), 5)
  let count = 0
  return {
    row: cells => {
      const lines = cells.map((cell, index) => `${padStart(columns[index] ?? '', width)} = ${plain(cell, look)}\n`)
      count += 1
      return (count === 1 ? '' : '\n') + lines.join('')
    },
    end: () => '',
  }
}

interface Grid {
  readonly widths: readonly number[]
  readonly hasHeaders: boolean
  /** The lines of a row; a cell with several lines makes several. */
  readonly lines: (texts: readonly string[], isHeader?: boolean) => string
}

/** A mode that needs the widths of all rows before it prints the first. */
const grid =
  (show: (grid: Grid, columns: readonly string[], rows: readonly (readonly string[])[]) => string, edges: Edges): Mode =>
  (columns, look) => {
    const rows: string[][] = []
    return {
      row: cells => {
        rows.push(cells.map(cell => plain(cell, look)))
        return ''
      },
      end: () => {
        if (rows.length === 0) return ''
        const widths = columns.map((name, index) =>
          largest(
            rows.map(row => largest((row[index] ?? '').split('\n').map(widthOf))),
            widthOf(name),
          ),
        )
        const lines = (texts: readonly string[], isHeader = false): string => {
          const parts = texts.map(text => text.split('\n'))
          const height = largest(parts.map(({ length }) => length))
          return Array.from({ length: height }, (_, at) => {
            const cells = parts.map((part, index) => {
              const width = widths[index] ?? 0
              return isHeader && edges.centers ? center(part[at] ?? '', width) : padEnd(part[at] ?? '', width)
            })
            return `${edges.left}${cells.join(edges.between)}${edges.right}\n`
          }).join('')
        }
        return show({ widths, hasHeaders: look.hasHeaders, lines }, columns, rows)
      },
    }
  }

interface Edges {
  readonly left: string
  readonly between: string
  readonly right: string
  readonly centers: boolean
}

function rule(widths: readonly number[], [left, dash, between, right]: readonly [string, string, string, string]): string {
  return `${left}${widths.map(width => dash.repeat(width + 2)).join(between)}${right}\n`
}

const column = grid(
  ({ widths, hasHeaders, lines }, columns, rows) =>
    (hasHeaders ? lines(columns) + lines(widths.map(width => '-'.repeat(width))) : '') + rows.map(row => lines(row)).join(''),
  { left: '', between: '  ', right: '', centers: false },
)

const framed = (
  edges: Edges,
  top: readonly [string, string, string, string],
  middle: readonly [string, string, string, string],
  bottom: readonly [string, string, string, string],
): Mode =>
  grid(
    ({ widths, lines }, columns, rows) =>
      rule(widths, top) +
      lines(columns, true) +
      rule(widths, middle) +
      rows.map(row => lines(row)).join('') +
      rule(widths, bottom),
    edges,
  )

const markdown = grid(
  ({ widths, lines }, columns, rows) =>
    lines(columns, true) + rule(widths, ['|', '-', '|', '|']) + rows.map(row => lines(row)).join(''),
  { left: '| ', between: ' | ', right: ' |', centers: true },
)

function widthOf(text: string): number {
  return Array.from(text).length
}

function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - widthOf(text))) + text
}

function center(text: string, width: number): string {
  const spare = Math.max(0, width - widthOf(text))
  return padEnd(' '.repeat(spare >> 1) + text, width)
}

const plainRule = ['+', '-', '+', '+'] as const
const pipes: Edges = { left: '| ', between: ' | ', right: ' |', centers: true }

export const modes: Readonly<Record<string, Mode>> = {
  list: separated(plain, name => name),
  tabs: separated(plain, name => name),
  csv: separated((cell, look) => (cell.value === null ? look.nullValue : csvField(cell.text, look)), csvField),
  quote: separated(literal, quoted),
  json,
  line,
  insert,
  column,
  table: framed(pipes, plainRule, plainRule, plainRule),
  box: framed(
    { left: '│ ', between: ' │ ', right: ' │', centers: true },
    ['┌', '─', '┬', '┐'],
    ['├', '─', '┼', '┤'],
    ['└', '─', '┴', '┘'],
  ),
  markdown,
  html,
  ascii: separated(plain, name => name),
}

/** Whether the header is shown by default. */
export function showsHeaders(mode: string): boolean {
  return ['column', 'table', 'box', 'markdown'].includes(mode)
}

export function separatorsOf(mode: string): readonly [column: string, row: string] {
  switch (mode) {
    case 'csv':
      return [',', '\n']
    case 'quote':
      return [',', '\n']
    case 'tabs':
      return ['\t', '\n']
    case 'ascii':
      return ['\x1f', '\x1e']
    default:
      return ['|', '\n']
  }
}
