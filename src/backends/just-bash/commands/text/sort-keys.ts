// The keys of sort: where a key is in a line, and how two keys compare.

import { compareVersions } from '../version-order.ts'

/** The ordering options, alone or as modifiers of a key. */
export const orderLetters = 'bdfghiMnrV'

export interface SortKey {
  readonly letters: string
  readonly of: (line: string) => string
}

interface Position {
  readonly field: number
  /** 0 after the comma, or `undefined`: the end of the field. */
  readonly character: number | undefined
  readonly letters: string
}

/** Parses `F[.C][OPTS][,F[.C][OPTS]]`. A key without its own ordering options inherits those of the command. */
export function readKey(text: string, commandLetters: string, tab: string | undefined): SortKey | string {
  const [from, to, ...rest] = text.split(',').map(readPosition)
  if (from === undefined || rest.length > 0 || from.field === 0 || to?.field === 0)
    return `invalid key '${text}'; write for example -k2,2n`
  if (from.character === 0) return `invalid key '${text}': characters are numbered from 1`
  if (text.includes(',') && to === undefined) return `invalid key '${text}'; write for example -k2,2n`
  const own = from.letters + (to?.letters ?? '')
  const letters = own === '' ? commandLetters : own
  const clash = clashOf(letters)
  if (clash !== undefined) return clash
  const skipsFrom = own === '' ? commandLetters.includes('b') : from.letters.includes('b')
  const skipsTo = own === '' ? commandLetters.includes('b') : (to?.letters.includes('b') ?? false)
  return {
    letters,
    of: line => {
      const fields = fieldsOf(line, tab)
      const start = fields[from.field - 1]
      if (start === undefined) return ''
      const begin = (skipsFrom ? afterBlanks(line, start) : start[0]) + (from.character ?? 1) - 1
      if (to === undefined) return line.slice(begin)
      const stop = fields[to.field - 1]
      if (stop === undefined) return line.slice(begin)
      const last = to.character ?? 0
      const end = last === 0 ? stop[1] : (skipsTo ? afterBlanks(line, stop) : stop[0]) + last
      return line.slice(begin, Math.max(begin, end))
    },
  }
}

/** Ordering options that exclude each other; d, i, R and V count as one group. */
export function clashOf(letters: string): string | undefined {
  const orders = ['g', 'h', 'M', 'n', '[diRV]'].filter(order => new RegExp(order).test(letters))
  if (orders.length <= 1) return undefined
  return `options '-${[...'dghiMnRV'].filter(letter => letters.includes(letter)).join('')}' are incompatible`
}

function readPosition(text: string): Position | undefined {
  const [, field, character, letters = ''] = new RegExp(`^(\\d+)(?:\\.(\\d+))?([${orderLetters}]*)$`).exec(text) ?? []
  return field === undefined
    ? undefined
    : { field: Number(field), character: character === undefined ? undefined : Number(character), letters }
}

type Span = readonly [begin: number, end: number]

/** Without a separator, a field includes the blanks before it; an end of line inside a line (`-z`) is one of them. */
function fieldsOf(line: string, tab: string | undefined): readonly Span[] {
  if (tab === undefined)
    return [...line.matchAll(/[ \t\n]*[^ \t\n]+|[ \t\n]+$/g)].map(match => [match.index, match.index + match[0].length])
  let at = 0
  return line.split(tab).map((field): Span => {
    const begin = at
    at += field.length + tab.length
    return [begin, begin + field.length]
  })
}

function afterBlanks(line: string, [begin, end]: Span): number {
  let at = begin
  while (at < end && /[ \t\n]/.test(line.charAt(at))) at += 1
  return at
}

const order = <T extends number | bigint | string>(one: T, other: T): number => (one < other ? -1 : one > other ? 1 : 0)
const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const humanUnits = 'KMGTPEZY'

export function compareAs({ letters }: SortKey, one: string, other: string): number {
  if (letters.includes('n')) return compareDecimals(decimal(one), decimal(other))
  if (letters.includes('g')) return compareGeneral(one, other)
  if (letters.includes('h')) return order(humanRank(one), humanRank(other)) || compareDecimals(decimal(one), decimal(other))
  if (letters.includes('M')) return order(month(one), month(other))
  if (letters.includes('V')) return compareVersions(plain(one, letters), plain(other, letters))
  return order(plain(one, letters), plain(other, letters))
}

/** The number at the start of `text`, without exponent or plus sign; 0 if there is none. */
function decimal(text: string): string {
  return /^[ \t\n]*(-?(?:\d+(?:\.\d*)?|\.\d+))/.exec(text)?.[1] ?? '0'
}

/** Compares all digits, because a double holds only about 15. */
function compareDecimals(one: string, other: string): number {
  const rough = order(Number(one), Number(other))
  if (rough !== 0 || one === other) return rough
  const [left, right] = [exact(one), exact(other)]
  const places = Math.max(left.places, right.places)
  return order(left.digits * 10n ** BigInt(places - left.places), right.digits * 10n ** BigInt(places - right.places))
}

function exact(text: string): { readonly digits: bigint; readonly places: number } {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const digits = BigInt(`${whole}${fraction}`)
  return { digits: text.startsWith('-') ? -digits : digits, places: fraction.length }
}

/** Text that is not a number sorts first, then NaN, then numbers. */
function compareGeneral(one: string, other: string): number {
  const [left, right] = [general(one), general(other)]
  const rank = (value: number | undefined): number => (value === undefined ? 0 : Number.isNaN(value) ? 1 : 2)
  return rank(left) - rank(right) || order(left ?? 0, right ?? 0)
}

function general(text: string): number | undefined {
  const [, sign, word, hexadecimal, fraction, power = '0', plain] =
    /^\s*([-+]?)(?:(inf|nan)|0x([\da-f]*)(?:\.([\da-f]*))?(?<=[\da-f]\.?)(?:p([-+]?\d+))?|((?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?))/i.exec(
      text,
    ) ?? []
  if (sign === undefined) return undefined
  const value =
    word !== undefined
      ? /inf/i.test(word)
        ? Infinity
        : NaN
      : hexadecimal === undefined
        ? Number(plain)
        : Number.parseInt(hexadecimal + (fraction ?? ''), 16) * 2 ** (Number(power) - 4 * (fraction?.length ?? 0))
  return sign === '-' ? -value : value
}

function humanRank(text: string): number {
  const [, sign, number = '0', unit = ''] = /^[ \t\n]*(-?)(\d*\.?\d*)([A-Za-z]?)/.exec(text) ?? []
  const rank = !/[1-9]/.test(number) ? 0 : humanUnits.indexOf((unit === 'k' ? 'K' : unit) || '-') + 1.5
  return sign === '-' ? -rank : rank
}

function month(text: string): number {
  return months.indexOf(text.trimStart().slice(0, 3).toUpperCase())
}

function plain(text: string, letters: string): string {
  let key = text
  if (letters.includes('d')) key = key.replace(/[^A-Za-z0-9 \t]/g, '')
  else if (letters.includes('i')) key = key.replace(/[^ -~]/g, '')
  return letters.includes('f') ? key.replace(/[a-z]/g, letter => letter.toUpperCase()) : key
}
