// The sets of tr: what they contain, and which pairs of sets GNU's tr takes.

import { ownValue } from '../../../../core/record.ts'
import { bytesOfArgument } from '../inputs.ts'

/** One part of a set, such as `a`, `a-z`, `[:upper:]`, `[=a=]` or `[x*3]`. */
interface Part {
  readonly kind: 'characters' | 'class' | 'equivalence' | 'repeat'
  /** Of a repeat without a count: the character once. */
  readonly members: readonly string[]
  /** The name of a class. */
  readonly name?: string
  /** A repeat that fills the set up to the length of the first one. */
  readonly isFilling?: boolean
}

export interface SetRules {
  readonly translates: boolean
  readonly isComplement: boolean
  readonly truncates: boolean
}

const range = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index))
const upper = range(65, 90)
const lower = range(97, 122)
const digits = range(48, 57)
const punctuation = [...range(33, 47), ...range(58, 64), ...range(91, 96), ...range(123, 126)]
const classes: Readonly<Record<string, readonly string[]>> = {
  alnum: [...digits, ...upper, ...lower],
  alpha: [...upper, ...lower],
  blank: ['\t', ' '],
  cntrl: [...range(0, 31), '\x7f'],
  digit: digits,
  graph: range(33, 126),
  lower,
  print: range(32, 126),
  punct: punctuation,
  space: range(9, 13).concat(' '),
  upper,
  xdigit: [...digits, ...range(65, 70), ...range(97, 102)],
}
const escapes: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }
const largestRepeat = 0x10000

/** The bytes of both sets in order; a string is an error message. A complement contains the other bytes in ascending order. */
export function readSets(
  first: string,
  second: string | undefined,
  rules: SetRules,
): { readonly from: readonly string[]; readonly to: readonly string[] | undefined } | string {
  const fromParts = readParts(first)
  if (typeof fromParts === 'string') return fromParts
  if (fromParts.some(({ isFilling }) => isFilling)) return "a repeat such as '[x*]' may stand in the second set only"
  const named = membersOf(fromParts)
  const inSet = new Set(named)
  const from = rules.isComplement ? range(0, 255).filter(character => !inSet.has(character)) : named
  if (second === undefined) return { from, to: undefined }
  const toParts = readParts(second)
  if (typeof toParts === 'string') return toParts
  if (!rules.translates) {
    if (toParts.some(({ kind }) => kind === 'repeat'))
      return "a repeat such as '[x*]' may stand in the second set only to translate"
    return { from, to: membersOf(toParts) }
  }
  const fillers = toParts.filter(({ isFilling }) => isFilling)
  if (fillers.length > 1) return "only one repeat such as '[x*]' may stand in the second set"
  const fillLength = Math.max(0, from.length - (membersOf(toParts).length - fillers.length))
  const filled = toParts.map(part =>
    part.isFilling === true ? { ...part, members: Array.from({ length: fillLength }, () => part.members[0] ?? '') } : part,
  )
  const to = membersOf(filled)
  return problemOf(fromParts, filled, from, to, rules) ?? { from, to }
}

/** Why the second set is not taken to translate the first one. */
function problemOf(
  fromParts: readonly Part[],
  toParts: readonly Part[],
  from: readonly string[],
  to: readonly string[],
  { isComplement, truncates }: SetRules,
): string | undefined {
  if (toParts.some(({ kind }) => kind === 'equivalence')) return '[=c=] may not stand in the second set to translate'
  if (toParts.some(part => part.kind === 'class' && !isCase(part)))
    return 'to translate, only the classes [:upper:] and [:lower:] may stand in the second set'
  if (!isComplement && areMisaligned(fromParts, toParts)) return 'misaligned [:upper:] and/or [:lower:] construct'
  if (truncates) return undefined
  if (to.length === 0) return 'when translating, the second set must not be empty'
  if (from.length > to.length && toParts.at(-1)?.kind === 'class')
    return 'the second set is shorter than the first one, and must not end with a class then'
  const isOne = new Set(to).size === 1
  if (isComplement && fromParts.some(({ kind }) => kind === 'class') && !isOne)
    return 'to translate the complement of a class, the second set must be one character'
  return undefined
}

function isCase({ kind, name }: Part): boolean {
  return kind === 'class' && (name === 'upper' || name === 'lower')
}

/** A case class of the second set must stand where the first set has one. */
function areMisaligned(fromParts: readonly Part[], toParts: readonly Part[]): boolean {
  const starts = new Set<number>()
  let at = 0
  for (const part of fromParts) {
    if (isCase(part)) starts.add(at)
    at += part.members.length
  }
  const total = at
  at = 0
  for (const part of toParts) {
    if (isCase(part) && at < total && !starts.has(at)) return true
    at += part.members.length
  }
  return false
}

function membersOf(parts: readonly Part[]): readonly string[] {
  return parts.flatMap(({ members }) => members)
}

/** One byte, after escapes were read. An escaped one has no special meaning. */
interface Unit {
  readonly character: string
  readonly isEscaped: boolean
}

function unitsOf(set: string): readonly Unit[] {
  return Array.from(bytesOfArgument(set).matchAll(/\\([0-7]{1,3})|\\([^])|([^])/g), ([, octal, escaped, plain = '']) => {
    if (octal !== undefined) {
      return { character: String.fromCharCode(Number.parseInt(octal, 8) & 0xff), isEscaped: true }
    }
    return escaped === undefined
      ? { character: plain, isEscaped: false }
      : { character: escapes[escaped] ?? escaped, isEscaped: true }
  })
}

function readParts(set: string): readonly Part[] | string {
  const units = unitsOf(set)
  const parts: Part[] = []
  // Escaped characters are hidden, so that they are part of no construct.
  const plain = units.map(({ character, isEscaped }) => (isEscaped ? '\u{100}' : character)).join('')
  for (let at = 0; at < units.length;) {
    const found = readConstruct(plain, at, units) ?? readRange(plain, at, units)
    if (typeof found === 'string') return found
    parts.push(found.part)
    at = found.end
  }
  return parts
}

interface Found {
  readonly part: Part
  readonly end: number
}

/** Reads `[:class:]`, `[=c=]` or `[c*n]`. */
function readConstruct(plain: string, at: number, units: readonly Unit[]): Found | string | undefined {
  if (plain[at] !== '[') return undefined
  const end = (text: string): number => at + text.length
  const [repeat, times = ''] = /^\[[^]\*([^\]]*)\]/.exec(plain.slice(at)) ?? []
  const [named, mark = '', name = ''] = /^\[([:=])([^]*?)\1\]/.exec(plain.slice(at)) ?? []
  if (named !== undefined && (repeat === undefined || !/^\d*$/.test(times))) {
    if (name === '') return mark === ':' ? "missing class name '[::]'" : "missing character '[==]'"
    if (mark === '=') {
      if (name.length !== 1) return `${name}: the operand of [=c=] must be a single character`
      return { part: { kind: 'equivalence', members: [units[at + 2]?.character ?? ''] }, end: end(named) }
    }
    const members = ownValue(classes, name)
    return members === undefined
      ? `invalid character class '${name}'`
      : { part: { kind: 'class', members, name }, end: end(named) }
  }
  if (repeat === undefined) return undefined
  if (!/^\d*$/.test(times)) return `invalid repeat count '${times}' in [c*n]`
  const character = units[at + 1]?.character ?? ''
  const count = times === '' ? 0 : Number.parseInt(times, times.startsWith('0') ? 8 : 10)
  if (!(count <= largestRepeat)) return `invalid repeat count '${times}' in [c*n]`
  const part: Part =
    count === 0
      ? { kind: 'repeat', members: [character], isFilling: true }
      : { kind: 'repeat', members: Array.from({ length: count }, () => character) }
  return { part, end: end(repeat) }
}

function readRange(plain: string, at: number, units: readonly Unit[]): Found | string {
  const first = units[at]?.character ?? ''
  const last = units[at + 2]?.character
  if (plain[at + 1] !== '-' || last === undefined) return { part: { kind: 'characters', members: [first] }, end: at + 1 }
  const [low, high] = [first.charCodeAt(0), last.charCodeAt(0)]
  if (high < low) return `range-endpoints of '${first}-${last}' are in reverse collating sequence order`
  return { part: { kind: 'characters', members: range(low, high) }, end: at + 3 }
}
