// The structure of a database: `.tables`, `.indexes`, `.schema` and `.dump`.

import type { Connection } from '../connection.ts'
import { escapedLiteral, identifier, type Cell } from './modes.ts'
import { largest } from '../../../core/many.ts'

interface Entry {
  readonly kind: string
  readonly name: string
  readonly sql: string | null
}

async function entriesOf(connection: Connection, pattern: string | undefined): Promise<readonly Entry[]> {
  const { rows } = await connection.query(
    `SELECT type, name, sql FROM sqlite_schema WHERE ?1 IS NULL OR tbl_name LIKE ?1 ESCAPE '\\' ORDER BY rowid`,
    { parameters: [pattern ?? null] },
  )
  return rows.map(([kind, name, sql]) => ({ kind: String(kind), name: String(name), sql: typeof sql === 'string' ? sql : null }))
}

const lineWidth = 80

/** Sorted names in columns, each from top to bottom. */
export async function names(connection: Connection, kinds: readonly string[], pattern: string | undefined): Promise<string> {
  const entries = await entriesOf(connection, kinds.includes('index') ? pattern : undefined)
  const isWanted = likeTest(kinds.includes('index') ? undefined : pattern)
  const found = entries
    .filter(({ kind, name }) => kinds.includes(kind) && !name.startsWith('sqlite_') && isWanted(name))
    .map(({ name }) => name)
    .sort()
  if (found.length === 0) return ''
  const width = largest(found.map(name => Array.from(name).length))
  const columns = Math.max(1, Math.floor(lineWidth / (width + 2)))
  const height = Math.ceil(found.length / columns)
  return Array.from({ length: height }, (_, line) =>
    found
      .filter((_name, index) => index % height === line)
      .map(name => name + ' '.repeat(width - Array.from(name).length))
      .join('  '),
  )
    .map(line => `${line}\n`)
    .join('')
}

function likeTest(pattern: string | undefined): (name: string) => boolean {
  if (pattern === undefined) return () => true
  const source = pattern
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('%', '.*')
    .replaceAll('_', '.')
  const regex = new RegExp(`^${source}$`, 'is')
  return name => regex.test(name)
}

export async function schema(connection: Connection, pattern: string | undefined): Promise<string> {
  let text = ''
  for (const { kind, name, sql } of await entriesOf(connection, pattern)) {
    if (sql === null) continue
    const columns = kind === 'view' ? await columnsOf(connection, name) : []
    text += `${created(sql)}${columns.length === 0 ? '' : `\n/* ${identifier(name)}(${columns.map(identifier).join(',')}) */`};\n`
  }
  return text
}

async function columnsOf(connection: Connection, table: string): Promise<readonly string[]> {
  const { rows } = await connection.query('SELECT name FROM pragma_table_info(?)', { parameters: [table] })
  return rows.map(([name]) => String(name))
}

/** The statements that create the database again, one by one. */
export async function dump(
  connection: Connection,
  pattern: string | undefined,
  print: (text: string) => Promise<void>,
): Promise<void> {
  await print('PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n')
  const isWanted = likeTest(pattern)
  const entries = (await entriesOf(connection, undefined)).filter(({ name }) => isWanted(name))
  for (const { kind, name, sql } of entries) {
    if (kind !== 'table' || sql === null) continue
    if (/^create\s+virtual\s/i.test(sql)) throw new Error(`the virtual table ${name} cannot be dumped here`)
    if (name === 'sqlite_sequence') await print('DELETE FROM sqlite_sequence;\n')
    else if (!name.startsWith('sqlite_')) await print(`${created(sql)};\n`)
    else continue
    const source = new TextEncoder().encode(`SELECT * FROM ${identifier(name)}`)
    await connection.runNext(source, 0, {
      onRow: async (cells: readonly Cell[]) =>
        print(`INSERT INTO ${identifier(name)} VALUES(${cells.map(escapedLiteral).join(',')});\n`),
    })
  }
  for (const { kind, sql } of entries) if (kind !== 'table' && sql !== null) await print(`${sql};\n`)
  await print('COMMIT;\n')
}

/** As the program prints it: with this kind of quotes around a table's name. */
function created(sql: string): string {
  return sql.replace(/^CREATE TABLE (?=['"])/, 'CREATE TABLE IF NOT EXISTS ')
}
