// Inserts, changes and deletes one row. The new database is made in memory; nothing is written here.

import { ToolError } from '../../core/errors.ts'
import { isRecord } from '../../core/record.ts'
import type { Connection, SqlValue } from './connection.ts'
import { jsonRow, quoteName } from './rows.ts'
import { columnsOf, findRow, type Column, type Table } from './tables.ts'

/** A write, checked as far as possible without the database. */
export type RowChange =
  | { readonly kind: 'insert'; readonly values: Readonly<Record<string, SqlValue>> }
  | { readonly kind: 'update'; readonly key: string; readonly values: Readonly<Record<string, SqlValue>> }
  | { readonly kind: 'delete'; readonly key: string }

export interface RowOutcome {
  readonly summary: string
  /** The row as JSON; `undefined` if there is none, or none that can be shown. */
  readonly before: string | undefined
  readonly after: string | undefined
  readonly isChanged: boolean
}

/** Throws `ToolError` `sqlite-row-invalid`. */
export async function parseRowChange(content: string, key: string | undefined): Promise<RowChange> {
  if (content.trim() === '') {
    if (key === undefined) {
      throw invalid(
        'Empty content deletes a row, and no row is named.',
        'Name the row: d.sqlite:table:KEY, or write {} to insert defaults.',
      )
    }
    return { kind: 'delete', key }
  }
  const { default: json5 } = await import('json5')
  let value: unknown
  try {
    value = json5.parse<unknown>(content)
  } catch (error) {
    throw invalid(
      `The content is not a JSON object: ${error instanceof Error ? error.message.replace(/^JSON5: /, '') : String(error)}.`,
      rowExample,
    )
  }
  if (!isRecord(value) || Array.isArray(value))
    throw invalid('The content must be one JSON object, a column for each key.', rowExample)
  const values = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, columnValue(name, each)]))
  if (key === undefined) return { kind: 'insert', values }
  if (Object.keys(values).length === 0) throw invalid('An update needs at least one column.', rowExample)
  return { kind: 'update', key, values }
}

const rowExample = "Write it as {name: 'Ada', age: 36}."

function columnValue(name: string, value: unknown): SqlValue {
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw invalid(`Column "${name}" cannot hold ${value}.`, 'Write a finite number, or null.')
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      throw invalid(
        `The number for column "${name}" is too large to be stored exactly.`,
        `Write it as a string of digits: {${name}: '…'}; SQLite makes it an integer where the column is one.`,
      )
    }
    return value
  }
  throw invalid(
    `Column "${name}" takes a string, a number, true, false or null.`,
    'Write an object or a list as a string of JSON.',
  )
}

/** Throws `ToolError`, and SQLite's errors. */
export async function applyRowChange(connection: Connection, table: Table, change: RowChange): Promise<RowOutcome> {
  if (table.kind === 'view') throw invalid(`${table.name} is a view.`, 'Write to the table that it shows.')
  switch (change.kind) {
    case 'insert':
      return insertRow(connection, table, change.values)
    case 'update':
      return updateRow(connection, table, change.key, change.values)
    case 'delete':
      return deleteRow(connection, table, change.key)
  }
}

async function insertRow(connection: Connection, table: Table, given: Readonly<Record<string, SqlValue>>): Promise<RowOutcome> {
  const columns = await columnsOf(connection, table.name)
  const entries = namedColumns(table, columns, given)
  const into = `INSERT INTO ${quoteName(table.name)}`
  const sql =
    entries.length === 0
      ? `${into} DEFAULT VALUES`
      : `${into} (${entries.map(([name]) => quoteName(name)).join(', ')}) VALUES (${entries.map(() => '?').join(', ')})`
  const after = await changeRow(
    connection,
    table,
    sql,
    entries.map(([, value]) => value),
  )
  return { summary: `Inserted row into ${table.name}`, before: undefined, after, isChanged: true }
}

async function updateRow(
  connection: Connection,
  table: Table,
  key: string,
  given: Readonly<Record<string, SqlValue>>,
): Promise<RowOutcome> {
  const entries = namedColumns(table, await columnsOf(connection, table.name), given)
  const row = await findRow(connection, table, key)
  if (row === undefined) return unchanged(`No row updated for '${key}' in ${table.name}`)
  const sets = entries.map(([name]) => `${quoteName(name)} = ?`).join(', ')
  const sql = `UPDATE ${quoteName(table.name)} SET ${sets} WHERE ${row.where}`
  const after = await changeRow(connection, table, sql, [...entries.map(([, value]) => value), row.parameter])
  return {
    summary: `Updated row '${key}' in ${table.name}`,
    before: jsonRow(row.columns, row.values),
    after,
    isChanged: true,
  }
}

async function deleteRow(connection: Connection, table: Table, key: string): Promise<RowOutcome> {
  const row = await findRow(connection, table, key)
  if (row === undefined) return unchanged(`No row deleted for '${key}' in ${table.name}`)
  await connection.query(`DELETE FROM ${quoteName(table.name)} WHERE ${row.where}`, { parameters: [row.parameter] })
  return {
    summary: `Deleted row '${key}' in ${table.name}`,
    before: jsonRow(row.columns, row.values),
    after: undefined,
    isChanged: true,
  }
}

function unchanged(summary: string): RowOutcome {
  return { summary, before: undefined, after: undefined, isChanged: false }
}

/** Returns the inserted row, if the table allows finding it. */
async function changeRow(
  connection: Connection,
  table: Table,
  sql: string,
  parameters: readonly SqlValue[],
): Promise<string | undefined> {
  const returning = table.kind === 'table' ? ' RETURNING *' : ''
  const { columns, rows } = await connection.query(sql + returning, { parameters })
  const [values] = rows
  return values === undefined ? undefined : jsonRow(columns, values)
}

/** The columns with the table's spelling. `id` stands for a primary key with another name. */
function namedColumns(
  table: Table,
  columns: readonly Column[],
  given: Readonly<Record<string, SqlValue>>,
): readonly (readonly [string, SqlValue])[] {
  const keys = columns.filter(({ keyPosition }) => keyPosition > 0)
  const seen = new Set<string>()
  return Object.entries(given).map(([name, value]) => {
    const column =
      columns.find(known => known.name === name) ??
      columns.find(known => known.name.toLowerCase() === name.toLowerCase()) ??
      (name === 'id' && keys.length === 1 ? keys[0] : undefined)
    if (column === undefined) {
      throw invalid(
        `SQLite table '${table.name}' has no column named '${name}'.`,
        `Columns: ${columns.map(known => known.name).join(', ')}.`,
      )
    }
    if (seen.has(column.name)) throw invalid(`Column '${column.name}' is given twice.`, 'Give each column once.')
    seen.add(column.name)
    return [column.name, value] as const
  })
}

function invalid(message: string, nextStep: string): ToolError {
  return new ToolError('sqlite-row-invalid', message, { nextStep })
}
