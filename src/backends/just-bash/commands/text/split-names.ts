// The suffixes of split's output files: letters, or digits with -d and -x.

import { has, valueOf, type Arguments } from '../options.ts'

const lastTwo = 2

/** The suffixes of `count` pieces, or fewer if a fixed length does not suffice; a string is an error message. */
export function suffixes(parsed: Arguments, count: number): readonly string[] | string {
  const symbols = has(parsed, 'hex') ? '0123456789abcdef' : has(parsed, 'decimal') ? '0123456789' : 'abcdefghijklmnopqrstuvwxyz'
  // A later -d or -x keeps the start value of an earlier one.
  const start = parsed.options.findLast(({ name, value }) => /^(?:hex|decimal)$/.test(name) && value !== '')?.value ?? ''
  const first = Number.parseInt(start || '0', has(parsed, 'hex') ? 16 : 10)
  const length = valueOf(parsed, 'length')
  const width = length === undefined || length === '0' ? undefined : Number(length)
  if (Number.isNaN(first) || Number.isNaN(width)) return `invalid suffix: '${start || (length ?? '')}'`
  const fixed = width ?? (start === '' ? undefined : Math.max(lastTwo, start.length, digitsOf(first + count - 1, symbols.length)))
  const possible = fixed === undefined ? count : Math.min(count, symbols.length ** fixed - first)
  return Array.from({ length: Math.max(0, possible) }, (_, index) =>
    fixed === undefined ? widening(index, symbols) : inSymbols(first + index, symbols, fixed),
  )
}

function digitsOf(value: number, base: number): number {
  return Math.max(0, value).toString(base).length
}

/** Suffixes of two symbols, which grow after the last symbol (`yz`, `zaaa`) so that the names sort correctly. */
function widening(index: number, symbols: string): string {
  let rest = index
  let width = lastTwo
  let prefix = ''
  for (;;) {
    const room = (symbols.length - 1) * symbols.length ** (width - 1)
    if (rest < room) return prefix + inSymbols(rest, symbols, width)
    rest -= room
    width += 1
    prefix += symbols.at(-1) ?? ''
  }
}

function inSymbols(value: number, symbols: string, width: number): string {
  let text = ''
  for (let rest = value; text.length < width; rest = Math.floor(rest / symbols.length))
    text = (symbols[rest % symbols.length] ?? '') + text
  return text
}
