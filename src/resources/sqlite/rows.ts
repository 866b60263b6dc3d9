// Rows for a model: one JSON object per line, with every value exact or marked.

import type { SqlValue } from './connection.ts'

const blobShownBytes = 32

/** A row as one line of JSON, its columns in order. */
export function jsonRow(columns: readonly string[], values: readonly SqlValue[]): string {
  return `{${columns.map((column, index) => `${JSON.stringify(column)}:${jsonValue(values[index] ?? null)}`).join(',')}}`
}

function jsonValue(value: SqlValue): string {
  // All digits: only readers that use floating point lose some.
  if (typeof value === 'bigint') return String(value)
  // JSON has no infinity; all readers convert this number to it, and the sqlite3 program writes it too.
  if (typeof value === 'number' && !Number.isFinite(value)) return value > 0 ? '9e999' : '-9e999'
  return value instanceof Uint8Array ? jsonBlob(value) : JSON.stringify(value)
}

function jsonBlob(bytes: Uint8Array): string {
  const hex = [...bytes.subarray(0, blobShownBytes)].map(byte => byte.toString(16).padStart(2, '0')).join('')
  return JSON.stringify({ blobBytes: bytes.length, hex: bytes.length > blobShownBytes ? `${hex}…` : hex })
}

/** A name in SQL, with any characters. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
