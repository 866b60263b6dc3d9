// Rows as a model reads them: one JSON object in a line, every value exact or marked.

import type { SqlValue } from './connection.ts'

const blobShownBytes = 32

/** A row as one line of JSON, its columns in order. */
export function jsonRow(columns: readonly string[], values: readonly SqlValue[]): string {
  return `{${columns.map((column, index) => `${JSON.stringify(column)}:${jsonValue(values[index] ?? null)}`).join(',')}}`
}

function jsonValue(value: SqlValue): string {
  // All digits: what reads it as a floating point number loses some, and not before.
  if (typeof value === 'bigint') return String(value)
  // JSON has no infinity; this is a number that every reader takes for it, as the sqlite3 program writes it too.
  if (typeof value === 'number' && !Number.isFinite(value)) return value > 0 ? '9e999' : '-9e999'
  return value instanceof Uint8Array ? jsonBlob(value) : JSON.stringify(value)
}

function jsonBlob(bytes: Uint8Array): string {
  const hex = [...bytes.subarray(0, blobShownBytes)].map(byte => byte.toString(16).padStart(2, '0')).join('')
  return JSON.stringify({ blobBytes: bytes.length, hex: bytes.length > blobShownBytes ? `${hex}…` : hex })
}

/** A name as SQL takes it, whatever it holds. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
