// The text after the name of a database: `users`, `users:42`, `users?where=age>3&order=name:desc`, `?q=select …`.

import { ToolError } from '../../core/errors.ts'

export type DatabaseAddress =
  | { readonly kind: 'tables' }
  | { readonly kind: 'table'; readonly table: string }
  | { readonly kind: 'row'; readonly table: string; readonly key: string }
  | { readonly kind: 'schema'; readonly table: string }
  | { readonly kind: 'rows'; readonly table: string; readonly selection: RowSelection }
  | { readonly kind: 'query'; readonly sql: string }

export interface RowSelection {
  readonly limit: number
  readonly offset: number
  /** An expression of SQL. */
  readonly where: string | undefined
  readonly order: readonly OrderedColumn[]
}

export interface OrderedColumn {
  readonly name: string
  readonly isDescending: boolean
}

/** Numbers of rows in one read: of a table without parameters, with parameters, at most; and of a query. */
export const rowLimits = { sample: 5, sampleMax: 100, usual: 20, most: 500, query: 1_000 } as const

const parameterNames = ['limit', 'offset', 'where', 'order', 'schema', 'sampleRows', 'sample_rows', 'id', 'q'] as const
type ParameterName = (typeof parameterNames)[number]

/**
 * Reads the text after the database's name. `undefined` if it names no table. Throws `ToolError` `selector-invalid`.
 *
 * @param tables the existing names; one may contain ':' or '?'
 */
export function parseDatabaseAddress(inner: string, tables: readonly string[]): DatabaseAddress | undefined {
  if (inner === '') return { kind: 'tables' }
  if (inner.startsWith('?')) {
    const sql = parameters(inner.slice(1)).get('q')
    if (sql === undefined)
      throw invalid(`"${inner}" has no parameter q.`, 'Write the query as ?q=select … , or name a table before the "?".')
    return { kind: 'query', sql }
  }
  const table = tableNamed(inner, tables)
  if (table === undefined) return undefined
  const rest = inner.slice(table.length)
  if (rest === '') return { kind: 'table', table }
  return rest.startsWith(':') ? { kind: 'row', table, key: rest.slice(1) } : rowsAddress(table, parameters(rest.slice(1)))
}

/** The longest table name at the start of the text. The exact spelling is preferred, but as in SQL not required. */
function tableNamed(inner: string, tables: readonly string[]): string | undefined {
  const fits = (name: string, text: string): boolean =>
    text === name || text.startsWith(`${name}:`) || text.startsWith(`${name}?`)
  const longest = [...tables].sort((a, b) => b.length - a.length)
  return (
    longest.find(name => fits(name, inner)) ??
    longest.find(name => fits(name.toLowerCase(), inner.toLowerCase()) && name.toLowerCase().length === name.length)
  )
}

function rowsAddress(table: string, given: ReadonlyMap<ParameterName, string>): DatabaseAddress {
  const key = given.get('id')
  if (key !== undefined) return { kind: 'row', table, key }
  if (given.has('q')) throw invalid('Name the tables in the query.', 'Write it after the database: ?q=select …')
  const schema = given.get('schema')
  if (schema !== undefined && /^(?:1|true|)$/i.test(schema)) return { kind: 'schema', table }
  const sample = given.get('sampleRows') ?? given.get('sample_rows')
  const limit =
    sample === undefined
      ? wholeNumber('limit', given.get('limit'), rowLimits.usual, rowLimits.most)
      : wholeNumber('sampleRows', sample, rowLimits.sample, rowLimits.sampleMax)
  return {
    kind: 'rows',
    table,
    selection: {
      limit,
      offset: wholeNumber('offset', given.get('offset'), 0, Number.MAX_SAFE_INTEGER),
      where: given.get('where'),
      order: orderedColumns(given.get('order') ?? ''),
    },
  }
}

function wholeNumber(name: string, text: string | undefined, otherwise: number, most: number): number {
  if (text === undefined || text === '') return otherwise
  if (!/^\d+$/.test(text))
    throw invalid(`${name}=${text} is not a whole number.`, `Write ${name} as digits, such as ${name}=${otherwise}.`)
  return Math.min(Number(text), most)
}

function orderedColumns(text: string): readonly OrderedColumn[] {
  return text
    .split(',')
    .filter(part => part.trim() !== '')
    .map(part => {
      const [, name = part, direction = 'asc'] = /^(.*?)(?:(?::|\s+)(asc|desc))?$/is.exec(part.trim()) ?? []
      return { name, isDescending: direction.toLowerCase() === 'desc' }
    })
}

/** A value may contain '&' and '=': only a known name after '&' starts the next parameter. */
function parameters(text: string): ReadonlyMap<ParameterName, string> {
  const found = new Map<ParameterName, string>()
  // A query is SQL and extends to the end; nothing can follow.
  const parts = /^q=/i.test(text) ? [text] : text.split(new RegExp(`&(?=(?:${parameterNames.join('|')})=)`))
  for (const part of parts) {
    const [, given = part, value = ''] = /^([^=]*)=?(.*)$/s.exec(part) ?? []
    const name = parameterNames.find(known => known.toLowerCase() === given.toLowerCase())
    if (name === undefined)
      throw invalid(`There is no parameter "${given}".`, 'Parameters: limit, offset, where, order, schema, sampleRows, id.')
    found.set(name, decodePercent(value))
  }
  return found
}

/** Models write SQL plain or percent-encoded. '+' stays a plus, and an invalid encoding stays as it is, such as `LIKE '%ad%'`. */
function decodePercent(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, encoded => {
    try {
      return decodeURIComponent(encoded)
    } catch {
      return encoded
    }
  })
}

function invalid(message: string, nextStep: string): ToolError {
  return new ToolError('selector-invalid', message, { nextStep })
}

/** Whether the text may be a shorter address followed by a line selector. */
export function mayEndWithSelector(inner: string): boolean {
  return /:(?:raw|conflicts|L?\d[\dL,.+\- ]*)$/i.test(inner)
}
