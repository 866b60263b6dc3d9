// What split adds to its prefix: letters, or digits with -d and -x.

import { has, valueOf, type Arguments } from '../options.ts'

const lastTwo = 2

/** One for each of `count` pieces, fewer where a fixed length has no more; or what is wrong. */
export function suffixes(parsed: Arguments, count: number): readonly string[] | string {
  const symbols = has(parsed, 'hex') ? '0123456789abcdef' : has(parsed, 'decimal') ? '0123456789' : 'abcdefghijklmnopqrstuvwxyz'
  const start = valueOf(parsed, 'hex') || valueOf(parsed, 'decimal') || ''
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

/** Two symbols, then more of them behind the last symbol, so that the names stay in order: `yz`, `zaaa`. */
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
