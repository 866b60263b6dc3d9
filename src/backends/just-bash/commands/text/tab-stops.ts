// Where the tabs of expand and unexpand end: every N columns, or a list, which may go on with `/N` (multiples of N) or `+N` (from its end).

export type TabStops = (column: number) => number | undefined

/** Gives the stop behind a column; it gives `undefined` behind the last of a list. A text: what is wrong with the list. */
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
