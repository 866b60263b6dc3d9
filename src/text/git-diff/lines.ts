// A file as git's diff sees it: bytes that are divided after each line feed. No other byte ends a line, and no encoding is assumed.

/** Line `i` (0-based) is `bytes` from `starts[i]` to `starts[i + 1]`, including its line feed; only the last line may lack one. */
export interface LineTable {
  readonly bytes: Uint8Array
  readonly count: number
  /** One more than `count`: the last entry is the end of the bytes. */
  readonly starts: Int32Array
}

/** Which blanks are ignored when lines are compared. Blanks are space, tab, carriage return and line feed. */
export type WhitespaceRule =
  | 'exact'
  /** Ignores a carriage return before the line feed. */
  | 'cr-at-end'
  /** Ignores blanks at the end of a line. */
  | 'at-end'
  /** Like `at-end`, and all runs of blanks are equal. */
  | 'change'
  /** Ignores all blanks. */
  | 'all'

const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20

export function isBlank(byte: number | undefined): boolean {
  return byte === space || byte === 0x09 || byte === lineFeed || byte === carriageReturn
}

/** Divides bytes into lines. Empty bytes have none. */
export function tableOf(bytes: Uint8Array): LineTable {
  let starts = new Int32Array(Math.max(16, bytes.length >>> 4))
  let count = 0
  for (let at = 0; at < bytes.length;) {
    if (count + 2 > starts.length) {
      const longer = new Int32Array(starts.length * 2)
      longer.set(starts)
      starts = longer
    }
    starts[count++] = at
    const end = bytes.indexOf(lineFeed, at)
    at = end < 0 ? bytes.length : end + 1
  }
  starts[count] = bytes.length
  return { bytes, count, starts: starts.subarray(0, count + 1) }
}

/** The bytes of a line with its line feed, as a view. */
export function lineAt(table: LineTable, index: number): Uint8Array {
  return table.bytes.subarray(table.starts[index], table.starts[index + 1])
}

/** The same number of lines, in a form that is equal if the rule treats the lines as equal. These lines have no line feed. */
export function comparable(table: LineTable, rule: WhitespaceRule): LineTable {
  if (rule === 'exact') return table
  const bytes = new Uint8Array(table.bytes.length)
  const starts = new Int32Array(table.count + 1)
  let written = 0
  for (let line = 0; line < table.count; line++) {
    starts[line] = written
    let end = table.starts[line + 1] ?? 0
    const start = table.starts[line] ?? 0
    if (rule === 'cr-at-end') {
      if (table.bytes[end - 1] === lineFeed && --end > start && table.bytes[end - 1] === carriageReturn) end--
    } else while (end > start && isBlank(table.bytes[end - 1])) end--
    if (rule === 'at-end' || rule === 'cr-at-end') {
      bytes.set(table.bytes.subarray(start, end), written)
      written += end - start
      continue
    }
    for (let at = start; at < end; at++) {
      const byte = table.bytes[at] ?? 0
      if (!isBlank(byte)) bytes[written++] = byte
      else if (rule === 'change' && (at === start || !isBlank(table.bytes[at - 1]))) bytes[written++] = space
    }
  }
  starts[table.count] = written
  return { bytes: bytes.subarray(0, written), count: table.count, starts }
}
