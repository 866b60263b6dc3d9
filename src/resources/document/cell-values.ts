// The meaning of a number in a cell: its format shows whether it is a date, a time, a percentage or a number.

export type CellFormat = 'number' | 'date' | 'time' | 'date-time' | 'duration' | 'percent' | 'text'

/** The built-in formats by number (ECMA-376, 18.8.30; the gaps are dates of East Asian languages). */
const builtIn: readonly (readonly [CellFormat, ...(readonly [first: number, last: number])[]])[] = [
  ['percent', [9, 10]],
  ['date', [14, 17], [27, 31], [36, 36], [50, 58]],
  ['time', [18, 21], [32, 35], [45, 45], [47, 47]],
  ['date-time', [22, 22]],
  ['duration', [46, 46]],
  ['text', [49, 49]],
]

function builtInFormat(id: number): CellFormat {
  const row = builtIn.find(([, ...ranges]) => ranges.some(([first, last]) => id >= first && id <= last))
  return row?.[0] ?? 'number'
}

/** The kind of value that a format shows. @param code the text of the format, if there is one */
export function cellFormat(id: number, code: string | undefined): CellFormat {
  return code === undefined ? builtInFormat(id) : formatOfCode(code)
}

function formatOfCode(code: string): CellFormat {
  // The first section is for positive numbers. Text in quotes, escaped letters, colours and currencies do not affect the kind.
  const bare = (code.split(';')[0] ?? '')
    .replace(/"[^"]*"?|\\.|_.|\*./g, '')
    .replace(/\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, '')
    .toLowerCase()
  if (/\[[hms]+\]/.test(bare)) return 'duration'
  if (bare.startsWith('general')) return 'number'
  const isTime = /[hs]|am\/pm|a\/p/.test(bare)
  // Without hours and seconds next to it, m is a month.
  const isDate = /[dy]/.test(bare) || (bare.includes('m') && !isTime)
  if (isDate) return isTime ? 'date-time' : 'date'
  if (isTime) return 'time'
  if (bare.includes('%')) return 'percent'
  return bare.trim() === '@' ? 'text' : 'number'
}

const dayMs = 86_400_000

/** A number as a person reads it. @param is1904 the workbook counts days from 1904 */
export function shownNumber(value: number, format: CellFormat, is1904: boolean): string {
  switch (format) {
    case 'percent':
      return `${plainNumber(value * 100)}%`
    case 'date':
    case 'date-time':
    case 'time':
      return shownDate(value, format, is1904)
    case 'duration': {
      const seconds = Math.round(Math.abs(value) * 86_400)
      const sign = value < 0 ? '-' : ''
      return `${sign}${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
    }
    default:
      return plainNumber(value)
  }
}

/** Spreadsheets keep fifteen digits: there, 0.1 + 0.2 is 0.3. */
export function plainNumber(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(15))) : String(value)
}

function shownDate(serial: number, format: 'date' | 'time' | 'date-time', is1904: boolean): string {
  // After the year 9999 and before the first day it is not a date, whatever the format is.
  if (!Number.isFinite(serial) || serial < 0 || serial > 2_958_466) return plainNumber(serial)
  const seconds = Math.round(serial * 86_400)
  const days = Math.floor(seconds / 86_400)
  const time = `${two(Math.floor(seconds / 3600) % 24)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  if (format === 'time' && days === 0) return time
  // Day 60 is the 29th of February 1900, which did not exist; earlier days are counted from one day later.
  if (!is1904 && days === 60) return format === 'date' ? '1900-02-29' : `1900-02-29 ${time}`
  const epochMs = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30)
  const date = new Date(epochMs + days * dayMs).toISOString().slice(0, 10)
  if (format === 'time') return `${date} ${time}`
  return format === 'date' && seconds % 86_400 === 0 ? date : `${date} ${time}`
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
