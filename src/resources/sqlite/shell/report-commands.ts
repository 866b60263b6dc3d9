// Commands with a dot that tell about the session, or keep a copy of the database.

import type { Connection } from '../connection.ts'
import { dump } from './catalog.ts'
import { literal } from './modes.ts'

/** What `.show` shows. */
export interface Settings {
  readonly isEchoed: boolean
  readonly hasHeaders: boolean
  readonly mode: string
  readonly nullValue: string
  readonly outputName: string
  readonly separators: readonly [column: string, row: string]
  readonly fileName: string
}

const wrapped = new Set(['box', 'table', 'markdown', 'column'])

export function shownSettings(settings: Settings): string {
  const [column, row] = settings.separators
  const rows = [
    ['echo', settings.isEchoed ? 'on' : 'off'],
    ['eqp', 'off'],
    ['explain', 'auto'],
    ['headers', settings.hasHeaders ? 'on' : 'off'],
    ['mode', settings.mode + (wrapped.has(settings.mode) ? ' --wrap 60 --wordwrap off --noquote' : '')],
    ['nullvalue', escaped(settings.nullValue)],
    ['output', settings.outputName],
    ['colseparator', escaped(column)],
    ['rowseparator', escaped(row)],
    ['stats', 'off'],
    ['width', ''],
    ['filename', settings.fileName],
  ]
  return rows.map(([name = '', value = '']) => `${name.padStart(12)}: ${value}\n`).join('')
}

function escaped(text: string): string {
  const letters: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '"': '\\"', '\\': '\\\\' }
  // oxlint-disable-next-line no-control-regex -- these are the characters that are shown as numbers
  const shown = text.replace(
    /[\0-\x1f"\\]/g,
    letter => letters[letter] ?? `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`,
  )
  return `"${shown}"`
}

/** The statements of the schema, and the rows that ANALYZE has written. */
export async function fullSchema(connection: Connection, print: (text: string) => Promise<void>): Promise<void> {
  const created = await connection.query(
    "SELECT sql FROM sqlite_schema WHERE sql NOTNULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
  )
  for (const [sql] of created.rows) await print(`${String(sql)};\n`)
  const tables = await connection.query("SELECT name FROM sqlite_schema WHERE name GLOB 'sqlite_stat[134]' ORDER BY name")
  if (tables.rows.length === 0) return print('/* No STAT tables available */\n')
  await print('ANALYZE sqlite_schema;\n')
  for (const [name] of tables.rows) {
    const { rows } = await connection.query(`SELECT * FROM ${String(name)}`)
    for (const row of rows)
      await print(`INSERT INTO ${String(name)} VALUES(${row.map(value => literal({ value, text: String(value) })).join(',')});\n`)
  }
  await print('ANALYZE sqlite_schema;\n')
}

/** Statements that make the database again, with the numbers that `.dump` leaves out. */
export async function copyStatements(connection: Connection): Promise<string> {
  const parts: string[] = []
  await dump(connection, undefined, async text => {
    parts.push(text)
  })
  for (const name of ['user_version', 'application_id']) {
    const { rows } = await connection.query(`PRAGMA ${name}`)
    parts.push(`PRAGMA ${name}=${String(rows[0]?.[0] ?? 0)};\n`)
  }
  return parts.join('')
}

/** After a statement of a script, with `.changes on`. */
export async function countOfChanges(connection: Connection): Promise<string> {
  const { rows } = await connection.query('SELECT changes(), total_changes()')
  const [changes, total] = rows[0] ?? []
  return `changes: ${String(changes)}   total_changes: ${String(total)}\n`
}
