// The sets of characters that Perl's patterns name, which depend on the engine: PCRE2 10.45 as ripgrep calls it, with or without Unicode,
// PCRE2 10.42 as GNU's grep calls it, which knows characters and only ASCII classes, and Oniguruma.

import { union } from '../../../search/regex/code-points.ts'
import { foldAscii, foldCase, foldOrbit, propertyClass, setOfClass } from '../../../search/regex/unicode.ts'
import {
  asciiPartOf,
  asciiWordSet,
  complement,
  posixClass,
  propertySet,
  setOf,
  spaceSet,
  withBothCases,
} from './character-set.ts'
import type { CharacterSet } from './character-set.ts'
import { PatternError } from './syntax.ts'

export type PerlDialect = 'ripgrep' | 'ripgrep-bytes' | 'grep' | 'oniguruma'

const unicode = (source: string): CharacterSet => setOfClass(source, 'unicode')
const digits: CharacterSet = [48, 57]
const blanks: CharacterSet = [
  9, 9, 32, 32, 160, 160, 0x1680, 0x1680, 0x180e, 0x180e, 0x2000, 0x200a, 0x202f, 0x202f, 0x205f, 0x205f, 0x3000, 0x3000,
]
export const verticalSpace: CharacterSet = [10, 13, 0x85, 0x85, 0x2028, 0x2029]

/** The class of an escape, by its letter in lower case. */
export function classOfLetter(letter: string, dialect: PerlDialect): CharacterSet | undefined {
  const isWide = dialect === 'ripgrep' || dialect === 'oniguruma'
  switch (letter) {
    case 'd':
      return isWide ? posixSet('digit', dialect) : digits
    case 'w':
      return isWide ? posixSet('word', dialect) : asciiWordSet
    case 's':
      return isWide ? posixSet('space', dialect) : asciiPartOf(spaceSet())
    case 'h':
      return dialect === 'oniguruma' ? undefined : blanks
    case 'v':
      return verticalSpace
    default:
      return undefined
  }
}

const unicodeClasses: Readonly<Record<string, () => CharacterSet>> = {
  alpha: () => unicode('\\p{L}'),
  lower: () => unicode('\\p{Ll}'),
  upper: () => unicode('\\p{Lu}'),
  alnum: () => unicode('\\p{L}\\p{N}'),
  digit: () => unicode('\\p{Nd}'),
  space: () => union(unicode('\\p{Z}'), blanks, verticalSpace),
  blank: () => blanks,
  cntrl: () => unicode('\\p{Cc}'),
  word: () => unicode('\\p{L}\\p{N}\\p{Mn}\\p{Pc}'),
  graph: () => union(unicode('\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}'), shownFormats()),
  print: () => union(unicode('\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Zs}'), shownFormats(), setOf(0x180e)),
  punct: () => union(unicode('\\p{P}'), asciiPartOf(unicode('\\p{S}'))),
  xdigit: () => [48, 57, 65, 70, 97, 102, 0xff10, 0xff19, 0xff21, 0xff26, 0xff41, 0xff46],
}

const onigurumaClasses: Readonly<Record<string, () => CharacterSet>> = {
  alpha: () => unicode('\\p{Alphabetic}'),
  lower: () => unicode('\\p{Lowercase}'),
  upper: () => unicode('\\p{Uppercase}'),
  alnum: () => unicode('\\p{Alphabetic}\\p{Nd}'),
  digit: () => unicode('\\p{Nd}'),
  space: () => unicode('\\p{White_Space}'),
  blank: () => unicode('\\p{Zs}\\t'),
  cntrl: () => unicode('\\p{Cc}'),
  word: () => unicode('\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}'),
  graph: () => unicode('^\\p{White_Space}\\p{Cc}\\p{Cn}\\p{Cs}'),
  print: () => unicode('^\\p{Zl}\\p{Zp}\\p{Cc}\\p{Cn}\\p{Cs}'),
  punct: () => unicode('\\p{P}'),
}

/** Characters of `Cf` but those that order text, which PCRE2 does not count as shown. */
function shownFormats(): CharacterSet {
  const ordering: CharacterSet = [0x61c, 0x61c, 0x180e, 0x180e, 0x2066, 0x2069]
  return complement(union(complement(unicode('\\p{Cf}')), ordering))
}

/** The members of a class of POSIX. */
export function posixSet(name: string, dialect: PerlDialect, ignoresCase: boolean = false): CharacterSet {
  const own = dialect === 'ripgrep' ? unicodeClasses : dialect === 'oniguruma' ? onigurumaClasses : undefined
  if (own !== undefined && Object.hasOwn(own, name)) return own[name]?.() ?? []
  if (name === 'ascii') return [0, 127]
  if (dialect !== 'ripgrep') {
    const asked = ignoresCase && (name === 'upper' || name === 'lower') ? 'alpha' : name
    const found = asked === 'word' ? asciiWordSet : posixClass(asked)
    if (found !== undefined) return asciiPartOf(found)
  }
  throw new PatternError('unknown POSIX class name')
}

/** The members of a Unicode property, with the names of PCRE2. */
export function perlProperty(name: string, dialect: PerlDialect, ignoresCase: boolean): CharacterSet {
  const found = dialect === 'oniguruma' ? propertySet(name) : pcreProperty(name, ignoresCase && dialect === 'ripgrep')
  if (found === undefined) throw new PatternError('unknown property after \\P or \\p')
  return found
}

function pcreProperty(written: string, ignoresCase: boolean): CharacterSet | undefined {
  const name = written.replaceAll(/[\s_-]/g, '').toLowerCase()
  if (name === 'l&' || name === 'lc' || (ignoresCase && /^l[ult]$/.test(name))) return unicode('\\p{Lu}\\p{Ll}\\p{Lt}')
  const own: Readonly<Record<string, () => CharacterSet>> = {
    xan: () => posixSet('alnum', 'ripgrep'),
    xsp: () => posixSet('space', 'ripgrep'),
    xps: () => posixSet('space', 'ripgrep'),
    xwd: () => posixSet('word', 'ripgrep'),
    xuc: () => [0x24, 0x24, 0x40, 0x40, 0x60, 0x60, 0xa0, 0xd7ff, 0xe000, 0x10ffff],
  }
  const ownSet = Object.hasOwn(own, name) ? own[name]?.() : undefined
  if (ownSet !== undefined) return ownSet
  if (name.startsWith('bidi')) return undefined
  const source = propertyClass(written) ?? propertyClass(name)
  // A script alone stands for its extensions.
  return source === undefined
    ? undefined
    : unicode(name.includes(':') || name.includes('=') ? source : source.replace('{sc=', '{scx='))
}

/** `set` and what its members are in the other case. */
export function caseless(set: CharacterSet, dialect: PerlDialect): CharacterSet {
  if (dialect === 'oniguruma') return withBothCases(set)
  if (dialect === 'ripgrep-bytes') return foldAscii(set)
  const members: number[] = []
  for (let at = 0; at < set.length; at += 2) {
    const [low = 0, high = 0] = [set[at], set[at + 1]]
    if (high > 127) return foldCase(set, 'unicode')
    for (let codePoint = low; codePoint <= high; codePoint++) members.push(...foldOrbit(codePoint))
  }
  return union(
    set,
    members.sort((one, other) => one - other).flatMap(codePoint => [codePoint, codePoint]),
  )
}
