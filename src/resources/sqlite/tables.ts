// The tables of a database, their columns, and how to find a row.

import type { Connection, SqlValue } from './connection.ts'
import { quoteName } from './rows.ts'

export interface Table {
  readonly name: string
  readonly kind: 'table' | 'view' | 'virtual'
}

export interface Column {
  readonly name: string
  /** Its position in the primary key, from 1; 0 if it is not part of it. */
  readonly keyPosition: number
}

/** Tables and views, by name, without SQLite's own. */
export async function tablesOf(connection: Connection): Promise<readonly Table[]> {
  const { rows } = await connection.query(
    `SELECT name, type, sql FROM sqlite_master
     WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
  )
  return rows.flatMap(([name, type, sql]) =>
    typeof name === 'string'
      ? [{ name, kind: type === 'view' ? 'view' : /^\s*create\s+virtual/i.test(String(sql)) ? 'virtual' : 'table' } as const]
      : [],
  )
}

/** The columns that a row has for `select *`. */
export async function columnsOf(connection: Connection, table: string): Promise<readonly Column[]> {
  const { rows } = await connection.query('SELECT name, pk FROM pragma_table_info(?)', { parameters: [table] })
  return rows.map(([name, pk]) => ({ name: String(name), keyPosition: Number(pk) }))
}

/** How to find a row: an SQL condition with one parameter. */
export interface RowPlace {
  readonly where: string
  readonly parameter: SqlValue
  readonly values: readonly SqlValue[]
  readonly columns: readonly string[]
}

/** The row has no key that a single text can represent. */
export class NoSingleKey extends Error {
  readonly keyColumns: readonly string[]

  constructor(keyColumns: readonly string[]) {
    super('no single key')
    this.keyColumns = keyColumns
  }
}

/** The row whose primary key, or otherwise whose rowid, is `key`. Throws {@link NoSingleKey}. */
export async function findRow(connection: Connection, table: Table, key: string): Promise<RowPlace | undefined> {
  const keyColumns = (await columnsOf(connection, table.name)).filter(column => column.keyPosition > 0).map(({ name }) => name)
  const [only] = keyColumns
  if (table.kind === 'view') throw new NoSingleKey([])
  if (only !== undefined && keyColumns.length === 1) return findBy(connection, table.name, quoteName(only), key)
  try {
    return await findBy(connection, table.name, 'rowid', key)
  } catch (error) {
    // Fails for a table without rowid.
    if (error instanceof Error && /no such column/.test(error.message)) throw new NoSingleKey(keyColumns)
    throw error
  }
}

async function findBy(connection: Connection, table: string, column: string, key: string): Promise<RowPlace | undefined> {
  // The type of the column decides how text is compared; only a column without a type must also be compared with a number.
  const asNumber = /^-?\d{1,18}$/.test(key) ? BigInt(key) : /^-?\d+\.\d+$/.test(key) ? Number(key) : undefined
  for (const parameter of [key, asNumber, ...decoded(key)]) {
    if (parameter === undefined) continue
    const where = `${column} = ?`
    const found = await connection.query(`SELECT * FROM ${quoteName(table)} WHERE ${where}`, {
      parameters: [parameter],
      maxRows: 1,
    })
    const [values] = found.rows
    if (values !== undefined) return { where, parameter, values, columns: found.columns }
  }
  return undefined
}

function decoded(key: string): readonly string[] {
  try {
    const plain = decodeURIComponent(key)
    return plain === key ? [] : [plain]
  } catch {
    return []
  }
}
