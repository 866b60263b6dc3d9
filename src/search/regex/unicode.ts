// Unicode tables come from the JavaScript engine: matching a one-character class with the `u` flag takes linear time and works everywhere,
// so no tables need to be shipped. They are built on first use, which only a line with non-ASCII text causes.

import { spellingsOf } from './property-names.ts'
import { type CodePointSet, codePointSet, contains, maxAscii, maxCodePoint, rangesOf, union } from './code-points.ts'

/** ASCII lines are matched by a small automaton, and others by one with full tables. */
export type Universe = 'ascii' | 'unicode'

/** The contents of a JavaScript class. Source: Unicode TS #18 Annex C, which Rust's `\w`, `\d` and `\s` follow. */
export const wordClass = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}'
export const digitClass = '\\p{Nd}'
export const spaceClass = '\\p{White_Space}'

const blockSize = 0x1000
const cache = new Map<string, CodePointSet>()

/** The code points that `[classSource]` with the `u` flag matches. `classSource` must be written here or checked. */
export function setOfClass(classSource: string, universe: Universe): CodePointSet {
  const key = `${universe} ${classSource}`
  let set = cache.get(key)
  if (set === undefined) {
    set = scanClass(new RegExp(`[${classSource}]+`, 'gu'), universe === 'ascii' ? maxAscii : maxCodePoint)
    cache.set(key, set)
  }
  return set
}

function scanClass(expression: RegExp, last: number): CodePointSet {
  const ranges: [number, number][] = []
  for (let base = 0; base <= last; base += blockSize) {
    const codePoints: number[] = []
    for (let codePoint = base; codePoint < base + blockSize && codePoint <= last; codePoint++) {
      // Half of a surrogate pair is not a character, and two adjacent halves would be read as one character.
      if (codePoint < 0xd800 || codePoint > 0xdfff) codePoints.push(codePoint)
    }
    const units = base > 0xffff ? 2 : 1
    for (const match of String.fromCodePoint(...codePoints).matchAll(expression)) {
      const first = codePoints[match.index / units] ?? base
      ranges.push([first, first + match[0].length / units - 1])
    }
  }
  return codePointSet(ranges)
}

/**
 * The contents of a JavaScript class for a property, with the names that Rust allows (`L`, `greek`, `script=Greek`, `Uppercase_Letter`);
 * `undefined` if the engine does not know the name.
 */
export function propertyClass(name: string): string | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_ -]*(?:[=:][A-Za-z0-9_ -]+)?$/.test(name)) return undefined
  const [left = '', right] = name.split(/[=:]/)
  if (right === undefined && /^any$/i.test(left)) return '\\p{Any}'
  if (right === undefined && /^ascii$/i.test(left)) return '\\p{ASCII}'
  const value = (right ?? left).trim().replaceAll(' ', '_')
  const titled = value
    .toLowerCase()
    .split('_')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('_')
  const keys = right === undefined ? ['', 'gc=', 'sc='] : propertyKeys[left.toLowerCase().replaceAll(/[\s_-]/g, '')]
  for (const key of keys ?? []) {
    for (const spelled of [value, titled, ...spellingsOf(value)]) {
      const source = `\\p{${key}${spelled}}`
      if (isClass(source)) return source
    }
  }
  return undefined
}

const propertyKeys: Readonly<Record<string, readonly string[]>> = {
  gc: ['gc='],
  generalcategory: ['gc='],
  sc: ['sc='],
  script: ['sc='],
  scx: ['scx='],
  scriptextensions: ['scx='],
}

function isClass(source: string): boolean {
  try {
    return new RegExp(source, 'u').unicode
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** `set` and every character that differs from a member only by simple case folding. */
export function foldCase(set: CodePointSet, universe: Universe): CodePointSet {
  if (universe === 'ascii') {
    // The only two non-ASCII characters that fold to ASCII ones.
    const foreign: [number, number][] = []
    if (contains(set, kelvinSign)) foreign.push([0x4b, 0x4b], [0x6b, 0x6b])
    if (contains(set, longS)) foreign.push([0x53, 0x53], [0x73, 0x73])
    return union(foldAscii(set), codePointSet(foreign))
  }
  const table = foldTable()
  const added: [number, number][] = []
  for (const [codePoint, orbit] of table) {
    if (contains(set, codePoint)) for (const member of orbit) added.push([member, member])
  }
  return union(set, codePointSet(added))
}

const kelvinSign = 0x212a
const longS = 0x17f

/** All code points that equal `codePoint` when case is ignored, itself included. ASCII needs no table. */
export function foldOrbit(codePoint: number): readonly number[] {
  if (codePoint > maxAscii) return foldTable().get(codePoint) ?? [codePoint]
  const lower = codePoint | 0x20
  if (lower < 0x61 || lower > 0x7a) return [codePoint]
  if (lower === 0x6b) return [lower, lower - 32, kelvinSign]
  return lower === 0x73 ? [lower, lower - 32, longS] : [lower, lower - 32]
}

/** {@link foldCase} for ASCII letters only. */
export function foldAscii(set: CodePointSet): CodePointSet {
  const added: [number, number][] = []
  for (const [first, last] of rangesOf(set)) {
    const lower: [number, number] = [Math.max(first, 0x61), Math.min(last, 0x7a)]
    const upper: [number, number] = [Math.max(first, 0x41), Math.min(last, 0x5a)]
    if (lower[0] <= lower[1]) added.push([lower[0] - 32, lower[1] - 32])
    if (upper[0] <= upper[1]) added.push([upper[0] + 32, upper[1] + 32])
  }
  return union(set, codePointSet(added))
}

/** Scripts with case are in the first two planes; scanning all of Unicode would take eight times as long. */
const lastCased = 0x1ffff

let builtFoldTable: ReadonlyMap<number, readonly number[]> | undefined

/** Code point → all code points that fold to the same one, if there are several. */
function foldTable(): ReadonlyMap<number, readonly number[]> {
  if (builtFoldTable !== undefined) return builtFoldTable
  const orbits = new Map<number, number[]>()
  for (const [first, last] of rangesOf(scanClass(/\p{Changes_When_Casemapped}+/gu, lastCased))) {
    for (let codePoint = first; codePoint <= last; codePoint++) {
      const key = foldKey(codePoint)
      const orbit = orbits.get(key)
      if (orbit === undefined) orbits.set(key, [codePoint])
      else orbit.push(codePoint)
    }
  }
  const table = new Map<number, readonly number[]>()
  for (const orbit of orbits.values()) if (orbit.length > 1) for (const codePoint of orbit) table.set(codePoint, orbit)
  builtFoldTable = table
  return table
}

/** One representative per folding orbit. Upper case first, so that final sigma and long s get the same one as their variants. */
function foldKey(codePoint: number): number {
  // Dotted and dotless i fold only in Turkish (CaseFolding.txt, status T).
  if (codePoint === 0x130 || codePoint === 0x131) return codePoint
  const upper = singleCodePoint(String.fromCodePoint(codePoint).toUpperCase()) ?? codePoint
  return singleCodePoint(String.fromCodePoint(upper).toLowerCase()) ?? upper
}

function singleCodePoint(text: string): number | undefined {
  const codePoint = text.codePointAt(0)
  return codePoint !== undefined && text.length === (codePoint > 0xffff ? 2 : 1) ? codePoint : undefined
}
