// The width of a text in terminal columns, as git counts them: control characters and combining marks take none, wide characters two.

import { largest } from '../core/many.ts'

const noColumn = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]$/u

/** First and last code point of the blocks whose characters are two columns wide. */
const wideBlocks: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
]

/** Without the sequences that set colors, which take no room. */
export function withoutColors(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.includes('\u001B[') ? text.replaceAll(/\u001B\[[\d;]*m/g, '') : text
}

export function columnCount(colored: string): number {
  const text = withoutColors(colored)
  if (/^[ -~]*$/.test(text)) return text.length
  let count = 0
  for (const character of text) count += columnsOf(character)
  return count
}

function columnsOf(character: string): number {
  if (noColumn.test(character)) return 0
  const code = character.codePointAt(0) ?? 0
  return wideBlocks.some(([first, last]) => code >= first && code <= last) ? 2 : 1
}

/** Drops as many characters at the start as necessary to fit into `columns`. */
export function lastColumns(text: string, columns: number): string {
  const characters = [...text]
  let count = columnCount(text)
  let at = 0
  for (; at < characters.length && count > columns; at++) count -= columnsOf(characters[at] ?? '')
  return characters.slice(at).join('')
}

/**
 * Lays out items in as many columns as `width` allows, as git prints lists. `style` is the value of `--column`; without one, or with `never`,
 * `auto` or `plain`, each item is on a separate line.
 */
export function inColumns(
  items: readonly string[],
  style: string | undefined,
  { indent, padding, width = 80 }: { readonly indent: string; readonly padding: number; readonly width?: number | undefined },
): readonly string[] {
  const words = new Set(style?.split(/[\s,]+/))
  const isOff = style === undefined || words.has('never') || words.has('auto') || words.has('plain')
  if (isOff || items.length === 0) return items.map(item => indent + item)
  const widths = items.map(columnCount)
  const cell = largest(widths) + padding
  const isByRow = words.has('row')
  const place = (index: number, rows: number, columns: number): readonly [row: number, column: number] =>
    isByRow ? [Math.floor(index / columns), index % columns] : [index % rows, Math.floor(index / rows)]
  const total = width - 1
  let columns = Math.max(1, Math.floor((total - indent.length) / cell))
  let rows = Math.ceil(items.length / columns)
  let cells: readonly number[] = Array.from({ length: columns }, () => cell)
  if (words.has('dense')) {
    for (let wanted = rows; wanted >= 1; wanted--) {
      const count = Math.ceil(items.length / wanted)
      const own = Array.from({ length: count }, () => 0)
      for (const [index, width] of widths.entries()) {
        const [, column] = place(index, wanted, count)
        own[column] = Math.max(own[column] ?? 0, width + padding)
      }
      if (indent.length + own.reduce((sum, width) => sum + width, 0) > total) break
      rows = wanted
      columns = count
      cells = own
    }
  }
  const lines = Array.from({ length: rows }, () => indent)
  for (const [index, item] of items.entries()) {
    const [row, column] = place(index, rows, columns)
    const isLast = isByRow ? column === columns - 1 || index === items.length - 1 : index + rows >= items.length
    const gap = isLast ? '' : ' '.repeat((cells[column] ?? cell) - (widths[index] ?? 0))
    lines[row] += item + gap
  }
  return lines
}

/** The width of the output according to the environment. */
export function outputWidth({ COLUMNS }: Readonly<Record<string, string | undefined>>): number | undefined {
  const width = Number(COLUMNS ?? '')
  return Number.isInteger(width) && width > 0 ? width : undefined
}

/** The layout from `--column` and the settings; `undefined` for one item per line. */
export function columnStyle(
  given: { readonly isGiven: boolean; readonly isNegated: boolean; readonly value: string | undefined },
  settings: readonly (string | undefined)[],
): string | undefined {
  if (given.isNegated) return undefined
  if (given.isGiven) return given.value ?? 'always'
  const words = settings.flatMap(setting => setting?.split(/[\s,]+/) ?? [])
  const whether = words.findLast(word => ['always', 'never', 'auto'].includes(word))
  // A layout without `always`, `auto` or `never` means `always`.
  const isOn = whether === 'always' || (whether === undefined && words.some(word => ['column', 'row', 'plain'].includes(word)))
  return isOn ? words.join(',') : undefined
}

/** Two dots in the place of some columns. Sequences of colors stay, and count as nothing. */
export function withoutSpan(text: string, start: number, count: number): string {
  let at = 0
  let dots = '..'
  let result = ''
  // oxlint-disable-next-line no-control-regex
  for (const [part] of text.matchAll(/\u001B\[[\d;]*m|[^]/gu)) {
    if (part.length > 2) {
      result += part
      continue
    }
    const columns = columnsOf(part)
    if (columns === 0 || at < start || at >= start + count) result += part
    else {
      result += dots
      dots = ''
    }
    at += columns
  }
  return result
}
