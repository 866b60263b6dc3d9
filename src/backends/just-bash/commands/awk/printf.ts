// The formats of printf and sprintf.

import { formatNumber } from '../../format/number-format.ts'
import { AwkError } from './error.ts'
import { InputText, toNumber, type Value } from './values.ts'

const directive = /%([-+ #0']*)(\*|\d*)(?:\.(\*|-?\d*))?(?:hh|h|ll|l|L|q|j|z|t)?([^])?/g

export function formatted(format: string, args: readonly Value[], textOf: (value: Value) => string): string {
  if (!format.includes('%')) return format
  let next = 0
  const take = (): Value => {
    if (next >= args.length) throw new AwkError('not enough arguments to satisfy format string', 2)
    return args[next++]
  }
  return format.replace(
    directive,
    (all: string, given: string, widthText: string, precisionText: string | undefined, letter?: string) => {
      if (letter === '%') return '%'
      if (letter === undefined || !'diouxXeEfFgGaAcs'.includes(letter)) {
        if (letter === '$') throw new AwkError('printf: arguments by number (%1$s) are not available here')
        return all
      }
      let flags = given
      let width = widthText === '*' ? Math.trunc(toNumber(take())) : Number(widthText)
      if (width < 0) {
        flags += '-'
        width = -width
      }
      const precision =
        precisionText === undefined
          ? -1
          : precisionText === '*'
            ? Math.trunc(toNumber(take()))
            : precisionText === ''
              ? 0
              : Number(precisionText)
      const value = take()
      if (letter === 's' || letter === 'c') {
        const text = letter === 's' ? textOf(value) : characterOf(value, textOf)
        return padText(letter === 's' && precision >= 0 ? firstCharacters(text, precision) : text, width, flags.includes('-'))
      }
      const number = toNumber(value)
      if (letter === 'a' || letter === 'A') throw new AwkError(`printf: %${letter} is not available here`)
      // Integer formats print -0 without a sign.
      return formatNumber('dioxXu'.includes(letter) && number === 0 ? 0 : number, { flags, width, precision, letter })
    },
  )
}

function characterOf(value: Value, textOf: (value: Value) => string): string {
  const isNumber = typeof value === 'number' || (value instanceof InputText && value.number !== undefined)
  if (!isNumber) return firstCharacters(textOf(value), 1) || '\0'
  const code = Math.trunc(toNumber(value))
  if (code >= 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)) return String.fromCodePoint(code)
  const low = code & 0xff
  return String.fromCharCode(low < 0x80 ? low : 0xdc00 + low)
}

function firstCharacters(text: string, count: number): string {
  if (text.length <= count) return text
  return hasWideCharacters(text) ? Array.from(text).slice(0, count).join('') : text.slice(0, count)
}

/** Whether `text` contains characters outside the Basic Multilingual Plane. */
export function hasWideCharacters(text: string): boolean {
  return /[\ud800-\udbff]/.test(text)
}

export function characterCount(text: string): number {
  return hasWideCharacters(text) ? Array.from(text).length : text.length
}

function padText(text: string, width: number, isLeft: boolean): string {
  const missing = width - characterCount(text)
  if (missing <= 0) return text
  return isLeft ? text + ' '.repeat(missing) : ' '.repeat(missing) + text
}
