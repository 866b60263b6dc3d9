// The tab stops of expand and unexpand: every N columns, or a list, which may end with `/N` (multiples of N) or `+N` (relative to
// the last stop).

export type TabStops = (column: number) => number | undefined

/**
 * Returns a function from a column to the next tab stop, which is `undefined` after the last stop of a list; a string is an error message.
 */
export function readTabStops(list: string): TabStops | string {
  const stops: number[] = []
  let repeated: { readonly size: number; readonly from: number } | undefined
  for (const part of list.split(/[, ]+/).filter(Boolean)) {
    const [, sign = '', digits] = /^([/+]?)(\d+)$/.exec(part) ?? []
    const size = Number(digits)
    if (digits === undefined) return `tab size contains invalid character(s): '${part}'`
    if (repeated !== undefined) return `'${sign || '/'}' specifier only allowed with the last value`
    if (size === 0) return 'tab size cannot be 0'
    if (sign !== '') repeated = { size, from: sign === '+' ? (stops.at(-1) ?? 0) : 0 }
    else if (size <= (stops.at(-1) ?? 0)) return 'tab sizes must be ascending'
    else stops.push(size)
  }
  const [only = 8] = stops
  if (repeated === undefined && stops.length <= 1) repeated = { size: only, from: 0 }
  return column => {
    const listed = stops.find(stop => stop > column)
    if (listed !== undefined || repeated === undefined) return listed
    const { size, from } = repeated
    return column + size - ((column - from) % size)
  }
}
