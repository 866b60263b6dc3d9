// Text in lines of a width, as git breaks it for `%w` and in mails.

import { columnCount } from './text-columns.ts'

export interface WrapOptions {
  /** Columns of a line; 0 for no limit. */
  readonly width: number
  /** Blanks before the first line, and before all others. */
  readonly indent: number
  readonly nextIndent: number
}

/**
 * Breaks lines at blanks, as git wraps text. A line feed starts a new line if no letter or digit follows, and is a blank otherwise. Two start
 * a paragraph.
 */
export function wrapText(text: string, { width, indent, nextIndent }: WrapOptions): string {
  if (width === 0) return text.replaceAll(/(?:^|(?<=\n))(?=[^])/g, (_, at: number) => ' '.repeat(at === 0 ? indent : nextIndent))
  let result = ''
  /** Columns of the line so far; `undefined` where one begins. */
  let column: number | undefined
  let blanks = indent
  let gap = ''
  let at = 0
  const add = (word: string): void => {
    const gapColumns = gap === '\t' ? 8 - ((column ?? 0) % 8) : gap.length
    if (column !== undefined && column + gapColumns + columnCount(word) > width) {
      result += gap === '\n' ? ' \n' : '\n'
      column = undefined
      if (at === text.length && word === '') return
    }
    result += column === undefined ? ' '.repeat(blanks) + word : (gap === '\n' ? ' ' : gap) + word
    column = column === undefined ? blanks + columnCount(word) : column + gapColumns + columnCount(word)
    blanks = nextIndent
  }
  for (const match of text.matchAll(/(\n\n|\n(?![A-Za-z0-9])[ \t\r]?)|[ \t\n\r]/g)) {
    const [found, lineEnd] = match
    add(text.slice(at, match.index))
    at = match.index + found.length
    gap = found
    if (lineEnd === undefined) continue
    result += lineEnd === '\n\n' ? lineEnd : '\n'
    column = undefined
  }
  if (at < text.length || column !== undefined) add(text.slice(at))
  return result
}
