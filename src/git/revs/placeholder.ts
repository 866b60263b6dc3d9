// The placeholders of a format as syntax: where each ends, and the columns that it fills.

import { columnCount, withoutSpan } from '../text-columns.ts'
import type { WrapOptions } from '../wrap-text.ts'

/** What a column from the right is counted from. */
const terminalColumns = 80

export interface Padding {
  readonly side: 'left' | 'right' | 'center'
  readonly width: number
  /** Fill up to a column of the line instead. */
  readonly isColumn: boolean
  /** A text that is too long takes the blanks before it. */
  readonly takesBlanks: boolean
  readonly cut: 'no' | 'trunc' | 'ltrunc' | 'mtrunc'
}

/** `length`: so much of the format is read. `sign` is `+`, `-`, a blank or empty. */
type Placeholder = { readonly length: number; readonly sign: string } & (
  | { readonly kind: 'padding'; readonly padding: Padding; readonly text: string }
  | { readonly kind: 'wrap'; readonly options: WrapOptions }
  | { readonly kind: 'value'; readonly name: string }
  | { readonly kind: 'sign' }
)

export function placeholderAt(format: string, at: number): Placeholder | undefined {
  const [sign = ''] = /^[+\- ]?/.exec(format.slice(at + 1)) ?? []
  const before = 1 + sign.length
  const rest = format.slice(at + before)
  const padding = /^(<\||>>\||>\||><\||<|>>|><|>)\(\s*([+-]?\d+)[^,)]*(?:,\s*([^)]+))?\)/.exec(rest)
  if (padding !== null) {
    const [whole, form = '', given = '0', cut = 'no'] = padding
    const isColumn = form.endsWith('|')
    const width = Number(given) < 0 && isColumn ? Number(given) + terminalColumns : Number(given)
    if (Number(given) === 0 || width < 0) return unknown(sign)
    const side = form.startsWith('><') ? 'center' : form.startsWith('<') ? 'left' : 'right'
    const columns = { side, width, isColumn, takesBlanks: form.startsWith('>>') } as const
    // git keeps the columns also where it does not know how to cut, and shows the placeholder.
    return cut === 'no' || cut === 'trunc' || cut === 'ltrunc' || cut === 'mtrunc'
      ? { kind: 'padding', sign, length: before + whole.length, padding: { ...columns, cut }, text: '' }
      : { kind: 'padding', sign, length: before, padding: { ...columns, cut: 'no' }, text: sign === '' ? '%' : '' }
  }
  const wrap = /^w\((?:(\d+)(?:,(\d+)(?:,(\d+))?)?)?\)/.exec(rest)
  if (wrap !== null) {
    const [whole, width = '0', indent = '0', nextIndent = '0'] = wrap
    const options = { width: Number(width), indent: Number(indent), nextIndent: Number(nextIndent) }
    return { kind: 'wrap', sign, length: before + whole.length, options }
  }
  const value =
    /^(x[0-9a-fA-F]{2}|C\([^)]*\)|C(?:reset|red|green|blue)|\(trailers(?::[^)]*)?\)|\(describe(?::[^)]*)?\)|[ac][nNeElLdDrtiIsh]|G[GSKFPT?]|g[dDsnNeE]|[HhTtPpsfbBdDSeNmn%])/.exec(
      rest,
    )
  // Only git's own text expansion knows `%%`, and it knows no signs.
  if (value === null || (sign !== '' && value[0] === '%')) return unknown(sign)
  const [name] = value
  return { kind: 'value', sign, length: before + name.length, name }
}

/** As in git, a sign disappears even if no placeholder follows. */
function unknown(sign: string): Placeholder | undefined {
  return sign === '' ? undefined : { kind: 'sign', sign, length: 2 }
}

/** The columns of the last line, and how many a text may fill from there. */
function roomBehind(before: string, { width, isColumn }: Padding): number {
  return isColumn ? width - columnCount(before.slice(before.lastIndexOf('\n') + 1)) : width
}

/** The number of blanks at the end of a line that a text which is too long for its columns takes. */
export function takenBlanks(text: string, padding: Padding, before: string): number {
  if (!padding.takesBlanks) return 0
  const blanks = /[ ]*$/.exec(before)?.[0].length ?? 0
  return Math.max(0, Math.min(blanks, columnCount(text) - roomBehind(before, padding)))
}

export function padded(text: string, padding: Padding, before: string): string {
  const { side, cut } = padding
  const wanted = roomBehind(before, padding)
  const columns = columnCount(text)
  if (columns > wanted) {
    if (cut === 'no') return text
    const start = cut === 'ltrunc' ? 0 : cut === 'mtrunc' ? Math.trunc(wanted / 2) - 1 : wanted - 2
    return withoutSpan(text, start, columns - (wanted - 2))
  }
  const missing = wanted - columns
  if (side === 'left') return text + ' '.repeat(missing)
  if (side === 'right') return ' '.repeat(missing) + text
  return ' '.repeat(Math.floor(missing / 2)) + text + ' '.repeat(missing - Math.floor(missing / 2))
}
