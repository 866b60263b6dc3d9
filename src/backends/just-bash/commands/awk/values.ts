// The values of awk: numbers, strings, and input text that may look like a number ("strnum"). `undefined` is an unset variable:
// both "" and 0.

import { formatNumber, general } from '../../format/number-format.ts'

export type Value = number | string | InputText | undefined
/** An array of arrays has arrays among its elements. */
export interface AwkArray extends Map<string, Slot> {}
export type Slot = Value | AwkArray

/** Text from the input: compared as a number if it looks like one. */
export class InputText {
  readonly text: string
  private known: number | undefined
  private isLooked = false

  constructor(text: string) {
    this.text = text
  }

  /** `undefined` if the text does not look like a number. */
  get number(): number | undefined {
    if (!this.isLooked) {
      this.isLooked = true
      this.known = wholeNumber(this.text)
    }
    return this.known
  }
}

const wholePattern = /^[ \t\n\r\f\v]*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[ \t\n\r\f\v]*$/
const leadingPattern = /^[ \t\n\r\f\v]*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/
const specialPattern = /^[ \t]*([+-])(inf|nan)[ \t]*$/i

function wholeNumber(text: string): number | undefined {
  const first = text.charCodeAt(0)
  // Fast path: most fields are words.
  if (first > 57 || text === '') return undefined
  if (wholePattern.test(text)) return Number(text)
  return specialNumber(text)
}

function specialNumber(text: string): number | undefined {
  const [, sign, word] = specialPattern.exec(text) ?? []
  if (word === undefined) return undefined
  return word.toLowerCase() === 'nan' ? Number.NaN : sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
}

function numberOfText(text: string): number {
  const first = text.charCodeAt(0)
  if (text === '' || first > 57) return 0
  const found = leadingPattern.exec(text)
  return found === null ? (specialNumber(text) ?? 0) : Number(found[1])
}

export function toNumber(value: Value): number {
  if (typeof value === 'number') return value
  if (value === undefined) return 0
  return typeof value === 'string' ? numberOfText(value) : (value.number ?? numberOfText(value.text))
}

export function isTrue(value: Value): boolean {
  if (typeof value === 'number') return value !== 0
  if (value === undefined) return false
  if (typeof value === 'string') return value !== ''
  return value.number === undefined ? value.text !== '' : value.number !== 0
}

/** Converts a number to text: an integer as it is, any other number by `format`, which is CONVFMT or OFMT. */
export function numberText(value: number, format: string): string {
  if (Number.isInteger(value)) {
    // Covers -0 too.
    if (value === 0) return '0'
    return Number.isSafeInteger(value) ? String(value) : BigInt(value).toString()
  }
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '-nan' : value > 0 ? '+inf' : '-inf'
  if (format === '%.6g') return value < 0 ? `-${general(-value, 6)}` : general(value, 6)
  return byFormat(value, format)
}

function byFormat(value: number, format: string): string {
  const [all, before = '', flags = '', width = '', precision, letter = 'g', after = ''] =
    /^([^%]*)%([-+ #0]*)(\d*)(?:\.(\d*))?([diouxXeEfFgG])([^%]*)$/.exec(format) ?? []
  if (all === undefined) return format
  const conversion = { flags, width: Number(width), precision: precision === undefined ? -1 : Number(precision), letter }
  return before + formatNumber(value, conversion) + after
}

/** Returns a negative number, 0 or a positive number. Compares as numbers if both values are numeric, else by their texts. */
export function compare(left: Value, right: Value, textOf: (value: Value) => string): number {
  const one = comparable(left)
  const other = comparable(right)
  if (one !== undefined && other !== undefined) {
    if (one < other) return -1
    if (one > other) return 1
    // NaN sorts after every number.
    if (one === other) return 0
    return Number.isNaN(one) ? (Number.isNaN(other) ? 0 : 1) : -1
  }
  const [a, b] = [textOf(left), textOf(right)]
  return a < b ? -1 : a > b ? 1 : 0
}

function comparable(value: Value): number | undefined {
  if (typeof value === 'number') return value
  if (value === undefined) return 0
  return typeof value === 'string' ? undefined : value.number
}
