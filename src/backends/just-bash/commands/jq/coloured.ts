// Prints values with the colours of jq 1.6, for -C.

import { isArray, isObject, printJson, type Json, type PrintOptions } from './json.ts'

const escape = (code: string): string => `\x1b[${code}m`
const reset = escape('0')
const keyColor = escape('34;1')

/** For null, false, true, numbers, strings, arrays and objects. */
const usualCodes = ['1;30', '0;39', '0;39', '0;39', '0;32', '1;39', '1;39']

/** `codes` is the variable JQ_COLORS: codes divided by colons, of which the last may be missing. */
export function colouredPrinter(print: PrintOptions, codes: string | undefined): (value: Json) => string {
  const given = codes !== undefined && /^[\d;:]*$/.test(codes) ? codes.split(':') : []
  const colors = usualCodes.map((usual, index) => escape(given[index] ?? usual))
  const colorOf = (value: Json): string => {
    if (value === null) return colors[0] ?? ''
    if (typeof value === 'boolean') return colors[value ? 2 : 1] ?? ''
    return colors[typeof value === 'number' ? 3 : typeof value === 'string' ? 4 : isArray(value) ? 5 : 6] ?? ''
  }
  const show = (value: Json, depth: number): string => {
    const color = colorOf(value)
    if (!isArray(value) && !isObject(value)) return color + printJson(value, print) + reset
    const newline = (level: number): string => (print.indent === '' ? '' : `\n${print.indent.repeat(level)}`)
    const inner = newline(depth + 1)
    const [open, close] = isArray(value) ? '[]' : '{}'
    let text = color + open
    if (isArray(value))
      for (const [index, item] of value.entries()) text += (index === 0 ? '' : `${color},`) + inner + show(item, depth + 1)
    else
      for (const [index, [key, item]] of entriesOf(value, print.sortsKeys).entries()) {
        const colon = `${color}:${print.indent === '' ? '' : ' '}${reset}`
        const name = `${keyColor}${printJson(key, print)}${reset}`
        text += (index === 0 ? '' : `${color},`) + inner + reset + name + colon + show(item, depth + 1)
      }
    const isEmpty = isArray(value) ? value.length === 0 : value.size === 0
    return text + (isEmpty ? '' : color + newline(depth) + color) + close + reset
  }
  return value => show(value, 0)
}

function entriesOf(value: ReadonlyMap<string, Json>, areSorted: boolean): (readonly [string, Json])[] {
  const entries = [...value]
  return areSorted ? entries.sort(([one], [other]) => (one < other ? -1 : 1)) : entries
}
