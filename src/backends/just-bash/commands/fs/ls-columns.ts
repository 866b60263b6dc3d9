// The columns of `ls -C` and `ls -x`: as many as fit, each as wide as its widest name.

import { displayWidth } from '../display-width.ts'

/** Names are separated by two blanks, so a column takes at least three. */
const leastWidth = 3

export interface Columns {
  /** -C fills column by column, -x row by row. */
  readonly isDown: boolean
  readonly lineWidth: number
  /** Distance of the tab stops that fill gaps; 0 for blanks only. */
  readonly tabWidth: number
}

export function inColumns(names: readonly string[], { isDown, lineWidth, tabWidth }: Columns): string {
  if (names.length === 0) return ''
  const lengths = names.map(displayWidth)
  const count = countOf(lengths, isDown, lineWidth)
  const rowCount = Math.ceil(names.length / count)
  const columnOf = (index: number): number => (isDown ? Math.floor(index / rowCount) : index % count)
  const widths = Array.from({ length: count }, () => 0)
  for (const [index, length] of lengths.entries()) widths[columnOf(index)] = Math.max(widths[columnOf(index)] ?? 0, length + 2)
  let text = ''
  for (let row = 0; row < rowCount; row++) {
    let begin = 0
    let at = 0
    for (let column = 0; column < count; column++) {
      const name = names[isDown ? column * rowCount + row : row * count + column]
      if (name === undefined) break
      text += gap(at, begin, tabWidth) + name
      at = begin + displayWidth(name)
      begin += widths[column] ?? 0
    }
    text += '\n'
  }
  return text
}

/** The largest number of columns that fit. */
function countOf(lengths: readonly number[], isDown: boolean, lineWidth: number): number {
  const most = Math.min(lengths.length, Math.max(1, Math.floor(lineWidth / leastWidth)))
  for (let count = most; count > 1; count--) {
    const rowCount = Math.ceil(lengths.length / count)
    const widths = Array.from({ length: count }, () => leastWidth)
    for (const [index, length] of lengths.entries()) {
      const column = isDown ? Math.floor(index / rowCount) : index % count
      const width = length + (column === count - 1 ? 0 : 2)
      widths[column] = Math.max(widths[column] ?? 0, width)
    }
    if (widths.reduce((sum, width) => sum + width, 0) < lineWidth && (!isDown || Math.ceil(lengths.length / rowCount) === count))
      return count
  }
  return 1
}

function gap(from: number, to: number, tabWidth: number): string {
  let text = ''
  let at = from
  while (at < to) {
    if (tabWidth > 0 && Math.floor(to / tabWidth) > Math.floor((at + 1) / tabWidth)) {
      text += '\t'
      at += tabWidth - (at % tabWidth)
    } else {
      text += ' '
      at += 1
    }
  }
  return text
}
