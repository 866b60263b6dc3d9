// `--colors`: the colour and style of each part of a line, and their escape sequences.

import { ownValue } from '../../core/record.ts'

export interface ColorSpec {
  readonly foreground?: string | undefined
  readonly background?: string | undefined
  readonly isBold?: boolean | undefined
  readonly isIntense?: boolean | undefined
  readonly isUnderlined?: boolean | undefined
  readonly isItalic?: boolean | undefined
}

export type ColoredPart = 'path' | 'line' | 'column' | 'match' | 'highlight'
export type ColorSpecs = Readonly<Record<ColoredPart, ColorSpec>>

export const defaultColors: ColorSpecs = {
  path: { foreground: 'magenta' },
  line: { foreground: 'green' },
  column: {},
  match: { foreground: 'red', isBold: true },
  highlight: {},
}

const named: Readonly<Record<string, number>> = { black: 0, blue: 4, green: 2, red: 1, cyan: 6, magenta: 5, yellow: 3, white: 7 }
const parts: readonly ColoredPart[] = ['path', 'line', 'column', 'match', 'highlight']
const styles: Readonly<Record<string, ColorSpec>> = {
  nobold: { isBold: false },
  bold: { isBold: true },
  nointense: { isIntense: false },
  intense: { isIntense: true },
  nounderline: { isUnderlined: false },
  underline: { isUnderlined: true },
  noitalic: { isItalic: false },
  italic: { isItalic: true },
}

/** `specs` with one more specification such as `match:fg:red`, or what is wrong with it. */
export function withColor(specs: ColorSpecs, text: string): ColorSpecs | string {
  const pieces = text.split(':')
  const malformed = `invalid color spec format: '${text}'. Valid format is '(path|line|column|match|highlight):(fg|bg|style):(value)'.`
  if (pieces.length < 2 || pieces.length > 3) return malformed
  const [partName = '', attribute = '', value] = pieces
  const part = parts.find(each => each === partName.toLowerCase())
  if (part === undefined) return `unrecognized output type '${partName}'. Choose from: path, line, column, match, highlight.`
  switch (attribute.toLowerCase()) {
    case 'none':
      return { ...specs, [part]: {} }
    case 'style': {
      if (value === undefined) return malformed
      const style = ownValue(styles, value.toLowerCase())
      return style === undefined
        ? `unrecognized style attribute '${value}'. Choose from: ${Object.keys(styles).join(', ')}.`
        : { ...specs, [part]: { ...specs[part], ...style } }
    }
    case 'fg':
    case 'bg': {
      if (value === undefined) return malformed
      const color = value.toLowerCase()
      if (colorCode(color, false, 30) === undefined || value.includes('0X')) return problemOfColor(value)
      return { ...specs, [part]: { ...specs[part], [attribute.toLowerCase() === 'fg' ? 'foreground' : 'background']: color } }
    }
    default:
      return `unrecognized spec type '${attribute}'. Choose from: fg, bg, style, none.`
  }
}

function problemOfColor(color: string): string {
  if (color.includes(','))
    return `unrecognized RGB color triple, should be '[0-255],[0-255],[0-255]' (or a hex triple), but is '${color}'`
  return /^[0-9a-f]*$/i.test(color)
    ? `unrecognized ansi256 color number, should be '[0-255]' (or a hex number), but is '${color}'`
    : `unrecognized color name '${color}'. Choose from: black, blue, green, red, cyan, magenta, yellow, white`
}

function colorCode(color: string, isIntense: boolean, base: 30 | 40): string | undefined {
  const index = ownValue(named, color)
  if (index !== undefined) return isIntense ? `\x1b[${base + 8};5;${index + 8}m` : `\x1b[${base + index}m`
  const values = color.split(',').map(value => (/^(?:0x[0-9a-f]+|\d+)$/i.test(value) ? Number(value) : -1))
  if (values.some(value => value < 0 || value > 255)) return undefined
  if (values.length === 1) return `\x1b[${base + 8};5;${values[0]}m`
  return values.length === 3 ? `\x1b[${base + 8};2;${values.join(';')}m` : undefined
}

/** The escape sequence before text of this style; {@link colorReset} follows the text. */
export function colorStart(spec: ColorSpec): string {
  const { foreground, background, isBold, isIntense = false, isUnderlined, isItalic } = spec
  return (
    colorReset +
    (isBold === true ? '\x1b[1m' : '') +
    (isItalic === true ? '\x1b[3m' : '') +
    (isUnderlined === true ? '\x1b[4m' : '') +
    (foreground === undefined ? '' : (colorCode(foreground, isIntense, 30) ?? '')) +
    (background === undefined ? '' : (colorCode(background, isIntense, 40) ?? ''))
  )
}

/** Whether it has no effect. */
export function isPlain(spec: ColorSpec): boolean {
  return colorStart(spec) === colorReset
}

export const colorReset = '\x1b[0m'
