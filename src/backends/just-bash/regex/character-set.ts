// Sets of characters as sorted ranges of code points. A byte that is not part of a UTF-8 character stands in a text as U+DC80 to U+DCFF
// (see byte-text.ts in the shell's port); as in GNU's programs it matches nothing but itself, so no complement holds one.

import { lastCased } from './last-cased.ts'
import { union, type CodePointSet } from '../../../search/regex/code-points.ts'

export type CharacterSet = CodePointSet

const last = 0x10ffff
export const invalidBytes: CharacterSet = [0xdc80, 0xdcff]

export function setOf(codePoint: number): CharacterSet {
  return [codePoint, codePoint]
}

/** All characters that are not in `set`; never a byte that is not one. */
export function complement(set: CharacterSet): CharacterSet {
  const taken = union(set, invalidBytes)
  const rest: number[] = []
  let next = 0
  for (let at = 0; at < taken.length; at += 2) {
    const low = taken[at] ?? 0
    if (low > next) rest.push(next, low - 1)
    next = (taken[at + 1] ?? 0) + 1
  }
  if (next <= last) rest.push(next, last)
  return rest
}

export function intersects(one: CharacterSet, other: CharacterSet): boolean {
  for (let left = 0, right = 0; left < one.length && right < other.length;) {
    if ((one[left + 1] ?? 0) < (other[right] ?? 0)) left += 2
    else if ((other[right + 1] ?? 0) < (one[left] ?? 0)) right += 2
    else return true
  }
  return false
}

export const asciiWordSet: CharacterSet = [48, 57, 65, 90, 95, 95, 97, 122]
// As in the C library, digits beyond ASCII are letters, and blanks at which no line breaks are no blanks.
export const wordSet: () => CharacterSet = fromProperty(/[\p{Alphabetic}\p{Nd}]+/gu, asciiWordSet)
export const spaceSet: () => CharacterSet = fromProperty(/[^\S\u00a0\u2007\u202f\ufeff]+/gu, [9, 13, 32, 32])

const asciiPunctuation: CharacterSet = [33, 47, 58, 64, 91, 96, 123, 126]

/** The members of POSIX's classes; those beyond ASCII are found when they are first needed. */
const classes: Readonly<Record<string, () => CharacterSet>> = {
  alpha: fromProperty(/[\p{Alphabetic}\p{Nd}]+/gu, [65, 90, 97, 122]),
  digit: () => [48, 57],
  alnum: fromProperty(/[\p{Alphabetic}\p{Nd}]+/gu, [48, 57, 65, 90, 97, 122]),
  upper: fromProperty(/[\p{Uppercase}\p{Lt}]+/gu, [65, 90]),
  lower: fromProperty(/[\p{Lowercase}\p{Lt}]+/gu, [97, 122]),
  space: spaceSet,
  blank: fromProperty(/[^\P{Zs}\u00a0\u2007\u202f]+/gu, [9, 9, 32, 32]),
  punct: fromProperty(/(?:[^\p{Cc}\p{Cn}\p{Cs}\p{Z}\p{Alphabetic}\p{Nd}]|[\u00a0\u2007\u202f])+/gu, asciiPunctuation),
  print: fromProperty(/[^\p{Cc}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]+/gu, [32, 126]),
  graph: fromProperty(/(?:[^\p{Cc}\p{Cn}\p{Cs}\p{Z}]|[\u00a0\u2007\u202f])+/gu, [33, 126]),
  cntrl: fromProperty(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, [0, 31, 127, 127]),
  xdigit: () => [48, 57, 65, 70, 97, 102],
}

export function posixClass(name: string): CharacterSet | undefined {
  return Object.hasOwn(classes, name) ? classes[name]?.() : undefined
}

/** The members of a Unicode property by its name or that of a script, such as `L`, `Lu` or `Greek`. */
export function propertySet(name: string): CharacterSet | undefined {
  const known = properties.get(name)
  if (known !== undefined) return known
  for (const written of name === 'Any' ? ['Any'] : [name, `Script=${name}`]) {
    let property: RegExp
    try {
      property = new RegExp(`\\p{${written}}+`, 'gu')
    } catch {
      // Not a name of this kind.
      continue
    }
    const ascii: number[] = []
    for (let codePoint = 0; codePoint < 128; codePoint++) {
      property.lastIndex = 0
      if (property.test(String.fromCharCode(codePoint))) ascii.push(codePoint, codePoint)
    }
    property.lastIndex = 0
    const set = fromProperty(property, union(ascii))()
    properties.set(name, set)
    return set
  }
  return undefined
}

const properties = new Map<string, CharacterSet>()

export function asciiPartOf(set: CharacterSet): CharacterSet {
  const part: number[] = []
  for (let at = 0; at < set.length && (set[at] ?? 0) < 128; at += 2) part.push(set[at] ?? 0, Math.min(127, set[at + 1] ?? 0))
  return part
}

/** ASCII is given; the rest is looked up once, when it is first asked for. `property` finds one run of members. */
function fromProperty(property: RegExp, ascii: CharacterSet): () => CharacterSet {
  let known: CharacterSet | undefined
  return () => {
    if (known !== undefined) return known
    const ranges: number[] = []
    for (const [run] of beyondAscii().matchAll(property)) {
      const start = run.codePointAt(0) ?? 0
      // The runs end where surrogates were left out.
      const end = run.codePointAt(run.length - (/[\udc00-\udfff]$/.test(run) ? 2 : 1)) ?? start
      ranges.push(start, end > 0xdfff && start < 0xd800 ? 0xd7ff : end)
      if (end > 0xdfff && start < 0xd800) ranges.push(0xe000, end)
    }
    known = union(ascii, ranges)
    return known
  }
}

let everything = ''

function beyondAscii(): string {
  if (everything !== '') return everything
  const parts: string[] = []
  // Nothing in higher planes has a class of POSIX's but ideographs, which end there.
  for (let codePoint = 128; codePoint <= 0x323af; codePoint++) {
    if (codePoint < 0xd800 || codePoint > 0xdfff) parts.push(String.fromCodePoint(codePoint))
  }
  everything = parts.join('')
  return everything
}

/** `set` and what its members are in the other case. */
export function withBothCases(set: CharacterSet): CharacterSet {
  const more: number[] = []
  // Longer ranges hold the letters of whole alphabets, both cases of which lie in the few blocks below.
  for (let at = 0; at < set.length; at += 2) {
    const [low = 0, high = 0] = [set[at], set[at + 1]]
    for (let codePoint = low; codePoint <= Math.min(high, lastCased); codePoint++) {
      for (const other of otherCases(codePoint)) more.push(other, other)
    }
  }
  return more.length === 0 ? set : union(set, pairs(more))
}

function pairs(flat: readonly number[]): CharacterSet {
  const sorted: number[] = []
  for (let at = 0; at < flat.length; at += 2) sorted.push(flat[at] ?? 0)
  sorted.sort((one, other) => one - other)
  return sorted.flatMap(codePoint => [codePoint, codePoint])
}

/** The small letter of `ẞ` is `ß`, which has no capital: as in the C library, the two are not each other's cases. */
export function otherCases(codePoint: number): readonly number[] {
  if (codePoint < 128) {
    if (codePoint >= 97 && codePoint <= 122) return [codePoint - 32]
    return codePoint >= 65 && codePoint <= 90 ? [codePoint + 32] : []
  }
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return []
  const character = String.fromCodePoint(codePoint)
  return [character.toLowerCase(), character.toUpperCase()]
    .filter(other => other !== character && other !== 'ß' && Array.from(other).length === 1)
    .map(other => other.codePointAt(0) ?? 0)
}
