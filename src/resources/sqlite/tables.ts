// What a database holds: its tables, their columns, and how a row of one is found.

import type { Connection, SqlValue } from './connection.ts'
import { quoteName } from './rows.ts'

export interface Table {
  readonly name: string
  readonly kind: 'table' | 'view' | 'virtual'
}

export interface Column {
  readonly name: string
  /** Its place in the primary key from 1 on; 0 when it is not part of it. */
  readonly keyPosition: number
}

/** Tables and views, by name. SQLite's own are left out. */
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

/** Where a row is: a condition of SQL with one parameter. */
export interface RowPlace {
  readonly where: string
  readonly parameter: SqlValue
  readonly values: readonly SqlValue[]
  readonly columns: readonly string[]
}

/** A row has no key that one text can stand for. */
export class NoSingleKey extends Error {
  readonly keyColumns: readonly string[]

  constructor(keyColumns: readonly string[]) {
    super('no single key')
    this.keyColumns = keyColumns
  }
}

/** The row whose primary key, or else whose rowid, is `key`. Throws {@link NoSingleKey}. */
export async function findRow(connection: Connection, table: Table, key: string): Promise<RowPlace | undefined> {
  const keyColumns = (await columnsOf(connection, table.name)).filter(column => column.keyPosition > 0).map(({ name }) => name)
  const [only] = keyColumns
  if (table.kind === 'view') throw new NoSingleKey([])
  if (only !== undefined && keyColumns.length === 1) return findBy(connection, table.name, quoteName(only), key)
  try {
    return await findBy(connection, table.name, 'rowid', key)
  } catch (error) {
    // A table without rowid says so when it is asked.
    if (error instanceof Error && /no such column/.test(error.message)) throw new NoSingleKey(keyColumns)
    throw error
  }
}

async function findBy(connection: Connection, table: string, column: string, key: string): Promise<RowPlace | undefined> {
  // The column's own type decides how text is compared; only a column without a type needs to be asked for a number too.
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
