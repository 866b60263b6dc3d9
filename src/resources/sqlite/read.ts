// The content behind an address of a database.

import { ToolError } from '../../core/errors.ts'
import type { DatabaseAddress, RowSelection } from './address.ts'
import { rowLimits } from './address.ts'
import { conditionProblem } from './condition.ts'
import type { Connection, QueryOptions, Rows } from './connection.ts'
import { jsonRow, quoteName } from './rows.ts'
import { columnsOf, findRow, type Table } from './tables.ts'

export interface ShownRows {
  readonly text: string
  readonly notes: readonly string[]
}

/** Limits for the listed tables, and for the rows counted in each: counting all would read everything. */
const tablesMax = 500
const countedMax = 50_000
/** Full-text tables and similar ones that a query may use. */
const virtualMax = 50

type Pause = () => Promise<void>

/** Throws `ToolError` `sqlite-refused` for an invalid selection, and SQLite's errors. */
export async function showAddress(
  connection: Connection,
  address: DatabaseAddress,
  tables: readonly Table[],
  pause: Pause,
): Promise<ShownRows> {
  switch (address.kind) {
    case 'tables':
      return listTables(connection, tables, pause)
    case 'query':
      await openVirtualTables(connection, tables)
      return shownRows(await connection.query(address.sql, { ...foreign(pause), maxRows: rowLimits.query }), 'query')
    case 'schema':
      return shownRows(await schemaRows(connection, address.table), 'schema')
    case 'row':
      return showRow(connection, address, tables)
    case 'table': {
      const schema = shownRows(await schemaRows(connection, address.table), 'schema')
      const sample = await connection.query(`SELECT * FROM ${quoteName(address.table)}`, {
        ...foreign(pause),
        maxRows: rowLimits.sample,
      })
      const more = sample.hasMore
        ? [
            `The first ${rowLimits.sample} rows are shown. For others: ${address.table}?limit=20&offset=5, ?where=…, ?order=…, or :KEY`,
          ]
        : []
      return { text: `# ${address.table}\nSchema:\n${schema.text}\nRows:\n${shownRows(sample, 'sample').text}`, notes: more }
    }
    case 'rows': {
      await openVirtualTables(connection, tables)
      const rows = await selectRows(connection, address.table, address.selection, pause)
      const shown = shownRows(rows, 'rows')
      const next = address.selection.offset + rows.rows.length
      return rows.hasMore ? { ...shown, notes: [`More rows follow. Continue with offset=${next}`] } : shown
    }
  }
}

/** The rows of a table from `offset`, in stored order: what a search reads. */
export async function pageOfRows(
  connection: Connection,
  table: string,
  limit: number,
  offset: number,
  pause: Pause,
): Promise<string> {
  return shownRows(await selectRows(connection, table, { limit, offset, where: undefined, order: [] }, pause), 'rows').text
}

/** The number of rows in a table, at most `most` plus one. */
export async function countRows(connection: Connection, table: string, most: number, pause?: Pause): Promise<number> {
  const { rows } = await connection.query(`SELECT count(*) FROM (SELECT 1 FROM ${quoteName(table)} LIMIT ?)`, {
    parameters: [most + 1],
    ...(pause === undefined ? {} : { pause }),
  })
  return Number(rows[0]?.[0] ?? 0)
}

async function listTables(connection: Connection, tables: readonly Table[], pause: Pause): Promise<ShownRows> {
  const lines: string[] = []
  for (const { name, kind } of tables.slice(0, tablesMax)) {
    if (kind === 'view') {
      lines.push(JSON.stringify({ view: name }))
      continue
    }
    const count = await countRows(connection, name, countedMax, pause)
    lines.push(JSON.stringify({ table: name, rows: count > countedMax ? `${countedMax}+` : count }))
    await pause()
  }
  const left = tables.length - lines.length
  return { text: lines.join('\n'), notes: left > 0 ? [`${left} more tables are not listed; name one to read it`] : [] }
}

async function showRow(
  connection: Connection,
  { table, key }: Extract<DatabaseAddress, { kind: 'row' }>,
  tables: readonly Table[],
): Promise<ShownRows> {
  const found = await findRow(connection, tableNamed(tables, table), key)
  if (found === undefined) return { text: '', notes: [`${table} has no row with the key ${JSON.stringify(key)}`] }
  return { text: jsonRow(found.columns, found.values), notes: [] }
}

export function tableNamed(tables: readonly Table[], name: string): Table {
  return tables.find(table => table.name === name) ?? { name, kind: 'table' }
}

async function selectRows(connection: Connection, table: string, selection: RowSelection, pause: Pause): Promise<Rows> {
  const { where, order, limit, offset } = selection
  const problem = where === undefined ? undefined : conditionProblem(where)
  if (problem !== undefined) {
    throw new ToolError('sqlite-refused', `The condition ${JSON.stringify(where)} is not one expression: ${problem}.`, {
      nextStep: "Write one expression of SQL, such as where=age > 30 AND name LIKE 'A%', or a whole query as ?q=select …",
    })
  }
  const columns = await columnsOf(connection, table)
  const ordered = order.map(({ name, isDescending }) => {
    const column =
      columns.find(known => known.name === name) ?? columns.find(known => known.name.toLowerCase() === name.toLowerCase())
    if (column === undefined && name.toLowerCase() !== 'rowid') {
      throw new ToolError('sqlite-refused', `${table} has no column ${JSON.stringify(name)} to order by.`, {
        nextStep: `Columns: ${columns.map(known => known.name).join(', ')}. Write order=name or order=name:desc,age.`,
      })
    }
    return `${quoteName(column?.name ?? name)}${isDescending ? ' DESC' : ''}`
  })
  const sql = [
    `SELECT * FROM ${quoteName(table)}`,
    ...(where === undefined || where.trim() === '' ? [] : [`WHERE (${where})`]),
    ...(ordered.length === 0 ? [] : [`ORDER BY ${ordered.join(', ')}`]),
    // Reads one more than is shown, to know whether more follow.
    `LIMIT ${limit + 1} OFFSET ${offset}`,
  ].join(' ')
  return connection.query(sql, { ...foreign(pause), maxRows: limit })
}

function schemaRows(connection: Connection, table: string): Promise<Rows> {
  return connection.query('SELECT cid, name, type, "notnull", dflt_value, pk FROM pragma_table_info(?)', { parameters: [table] })
}

function foreign(pause: Pause): QueryOptions {
  return { isForeign: true, pause }
}

/** On first use, such a table reads its own tables, which a query from outside may not do. */
export async function openVirtualTables(connection: Connection, tables: readonly Table[]): Promise<void> {
  for (const { name, kind } of tables.filter(table => table.kind === 'virtual').slice(0, virtualMax)) {
    try {
      await connection.query(`SELECT * FROM ${quoteName(name)} LIMIT 0`)
    } catch {
      // A missing module: only a query that uses this table needs it, and reports it then.
      void kind
    }
  }
}

function shownRows({ columns, rows, hasMore }: Rows, what: 'query' | 'rows' | 'sample' | 'schema'): ShownRows {
  return {
    text: rows.map(values => jsonRow(columns, values)).join('\n'),
    notes:
      hasMore && what === 'query'
        ? [`The first ${rowLimits.query} rows are shown. Add LIMIT and OFFSET to the query for others`]
        : [],
  }
}
