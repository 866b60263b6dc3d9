// The placeholders of a format as syntax: where each ends, and the columns that it fills.

import { withoutColors, withoutSpan } from '../text-columns.ts'
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

type Placeholder =
  | { readonly kind: 'padding'; readonly length: number; readonly padding: Padding }
  | { readonly kind: 'wrap'; readonly length: number; readonly options: WrapOptions }
  | { readonly kind: 'value'; readonly length: number; readonly name: string; readonly sign: string }

export function placeholderAt(format: string, at: number): Placeholder | undefined {
  const rest = format.slice(at + 1)
  const padding = /^(<\||>>\||>\||><\||<|>>|><|>)\(\s*(-?\d+)\s*(?:,\s*(trunc|ltrunc|mtrunc)\s*)?\)/.exec(rest)
  if (padding !== null) {
    const [whole, sign = '', width = '0', cut] = padding
    if (Number(width) < 0 && !sign.endsWith('|')) return undefined
    const side = sign.startsWith('><') ? 'center' : sign.startsWith('<') ? 'left' : 'right'
    const kind = cut === 'trunc' || cut === 'ltrunc' || cut === 'mtrunc' ? cut : 'no'
    return {
      kind: 'padding',
      length: whole.length + 1,
      padding: { side, width: Number(width), isColumn: sign.endsWith('|'), takesBlanks: sign.startsWith('>>'), cut: kind },
    }
  }
  const wrap = /^w\((?:(\d+)(?:,(\d+)(?:,(\d+))?)?)?\)/.exec(rest)
  if (wrap !== null) {
    const [whole, width = '0', indent = '0', nextIndent = '0'] = wrap
    const options = { width: Number(width), indent: Number(indent), nextIndent: Number(nextIndent) }
    return { kind: 'wrap', length: whole.length + 1, options }
  }
  const value =
    /^([+\- ]?)(x[0-9a-fA-F]{2}|C\([^)]*\)|C(?:reset|red|green|blue)|\(trailers(?::[^)]*)?\)|\(describe(?::[^)]*)?\)|[ac][nNeElLdDrtiIsh]|G[GSKFPT?]|g[dDsnNeE]|[HhTtPpsfbBdDSeNmn%])/.exec(
      rest,
    )
  if (value === null) return undefined
  const [whole, sign = '', name = ''] = value
  return { kind: 'value', length: whole.length + 1, name, sign }
}

/** The number of blanks at the end of a line that a text which is too long for its columns takes. */
export function takenBlanks(text: string, { width, isColumn, takesBlanks }: Padding, before: string): number {
  if (!takesBlanks) return 0
  const line = withoutColors(before.slice(before.lastIndexOf('\n') + 1))
  const wanted = (width < 0 ? Math.max(0, width + terminalColumns) : width) - (isColumn ? [...line].length : 0)
  const blanks = /[ ]*$/.exec(before)?.[0].length ?? 0
  return Math.max(0, Math.min(blanks, [...withoutColors(text)].length - wanted))
}

export function padded(text: string, { side, width, isColumn, cut }: Padding, before: string): string {
  const column = isColumn ? [...withoutColors(before.slice(before.lastIndexOf('\n') + 1))].length : 0
  const wanted = (width < 0 ? Math.max(0, width + terminalColumns) : width) - column
  const characters = [...withoutColors(text)]
  if (characters.length > wanted) {
    const gone = characters.length - Math.max(0, wanted - 2)
    if (cut === 'no') return text
    return withoutSpan(
      text,
      cut === 'ltrunc' ? 0 : cut === 'mtrunc' ? Math.floor(wanted / 2) - 1 : characters.length - gone,
      gone,
    )
  }
  const missing = wanted - characters.length
  if (side === 'left') return text + ' '.repeat(missing)
  if (side === 'right') return ' '.repeat(missing) + text
  return ' '.repeat(Math.floor(missing / 2)) + text + ' '.repeat(missing - Math.floor(missing / 2))
}
