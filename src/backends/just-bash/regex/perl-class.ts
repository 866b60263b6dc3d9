// The parts of Perl's patterns that stand for one character: escapes and bracket expressions.

import { union } from '../../../search/regex/code-points.ts'
import { complement, setOf, type CharacterSet } from './character-set.ts'
import { caseless, classOfLetter, perlProperty, posixSet, type PerlDialect } from './perl-sets.ts'
import { PatternError } from './syntax.ts'

/** A place in the source of a pattern. */
export class PatternSource {
  at = 0
  /** Between `\Q` and `\E`. */
  isQuoting = false
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  get character(): string {
    return this.text.charAt(this.at)
  }

  takes(text: string): boolean {
    if (!this.text.startsWith(text, this.at)) return false
    this.at += text.length
    return true
  }

  /** Takes what `pattern` finds here, of up to 300 characters. `pattern` begins with `^`. */
  match(pattern: RegExp): RegExpExecArray | null {
    const found = pattern.exec(this.text.slice(this.at, this.at + 300))
    this.at += found?.[0].length ?? 0
    return found
  }

  codePoint(): number {
    const codePoint = this.text.codePointAt(this.at) ?? 0
    this.at += codePoint > 0xffff ? 2 : 1
    return codePoint
  }
}

export interface ClassOptions {
  readonly dialect: PerlDialect
  readonly ignoresCase: boolean
}

/** Behind the backslash: `\w` and similar classes, `\p{…}`. Reads nothing if another escape follows. */
export function escapedClass(source: PatternSource, { dialect, ignoresCase }: ClassOptions): CharacterSet | undefined {
  const property = source.match(/^([pP])(?:([A-Za-z])|\{\s*(\^?)\s*([^}^]+)\})/)
  if (property !== null) {
    const [, letter, short, caret, long] = property
    const set = perlProperty(short ?? long ?? '', dialect, ignoresCase)
    return (letter === 'P') === (caret === '^') ? set : complement(set)
  }
  const letter = source.character
  const set = classOfLetter(letter.toLowerCase(), dialect)
  if (set === undefined) return undefined
  source.at += 1
  return letter === letter.toLowerCase() ? set : complement(set)
}

const controls: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, f: 12, a: 7, e: 27 }

/** Behind the backslash. */
export function escapedCharacter(source: PatternSource, dialect: PerlDialect): number {
  const isOniguruma = dialect === 'oniguruma'
  const hex =
    source.match(/^x(?:\{\s*([\da-fA-F]{1,6})\s*\}|([\da-fA-F]{1,2}))/) ??
    source.match(isOniguruma ? /^(?:u([\da-fA-F]{4}))/ : /^(?:N\{U\+\s*([\da-fA-F]{1,6})\s*\})/)
  if (hex !== null) return inRange(Number.parseInt(hex[1] ?? hex[2] ?? '0', 16), dialect)
  const octal = source.match(/^(?:o\{\s*([0-7]{1,7})\s*\}|([0-7]{1,3}))/)
  if (octal !== null) return inRange(Number.parseInt(octal[1] ?? octal[2] ?? '0', 8), dialect)
  const control = source.match(/^c([\x20-\x7e])/)
  if (control !== null) return (control[1] ?? '').toUpperCase().charCodeAt(0) ^ 64
  const letter = source.character
  const known = controls[letter]
  if (known !== undefined) {
    source.at += 1
    return known
  }
  if (letter === '') throw new PatternError('\\ at end of pattern')
  if (/[A-Za-z0-9]/.test(letter)) throw new PatternError(`\\${letter} is not available here`)
  return source.codePoint()
}

function inRange(codePoint: number, dialect: PerlDialect): number {
  if (codePoint > (dialect === 'ripgrep-bytes' ? 0xff : 0x10ffff) || (codePoint >= 0xd800 && codePoint <= 0xdfff))
    throw new PatternError('character code point value in \\x{} or \\o{} is too large')
  return codePoint
}

/** Behind the opening bracket, and what it is. */
export function bracket(source: PatternSource, options: ClassOptions): CharacterSet {
  const isNegative = source.takes('^')
  const sets: CharacterSet[] = []
  for (let isFirst = true; ; isFirst = false) {
    while (source.isQuoting ? source.takes('\\E') : source.takes('\\E') || source.takes('\\Q')) {
      source.isQuoting = source.text.charAt(source.at - 1) === 'Q'
    }
    if (source.at >= source.text.length) throw new PatternError('missing terminating ] for character class')
    if (!isFirst && !source.isQuoting && source.takes(']')) break
    sets.push(bracketItem(source, options))
  }
  const all = union(...sets)
  return isNegative ? complement(all) : all
}

function bracketItem(source: PatternSource, options: ClassOptions): CharacterSet {
  const { dialect, ignoresCase } = options
  // Oniguruma folds case of classes, too.
  const folded = (set: CharacterSet): CharacterSet => (ignoresCase ? caseless(set, dialect) : set)
  const named = dialect === 'oniguruma' ? folded : (set: CharacterSet): CharacterSet => set
  const endsRange = (): void => {
    if (dialect !== 'oniguruma' && /^-[^\]]/.test(source.text.slice(source.at, source.at + 2)))
      throw new PatternError('invalid range in character class')
  }
  if (!source.isQuoting) {
    const posix = source.match(/^\[:(\^?)(\w+):\]/)
    if (posix !== null) {
      const set = named(posixSet(posix[2] ?? '', dialect, ignoresCase))
      endsRange()
      return posix[1] === '^' ? complement(set) : set
    }
    if (dialect !== 'oniguruma' && /^\[([.=])[^\]]*\1\]/.test(source.text.slice(source.at, source.at + 100)))
      throw new PatternError('POSIX collating elements are not supported')
    if (source.takes('\\')) {
      const set = escapedClass(source, options)
      if (set !== undefined) {
        endsRange()
        return named(set)
      }
      source.at -= 1
    }
  }
  const low = bracketCharacter(source, dialect)
  if (source.isQuoting || !/^-[^\]]/s.test(source.text.slice(source.at, source.at + 2))) return folded(setOf(low))
  if (/^-(?:\\[wWdDsShHvVpPEQ]|\[:\w+:\])/.test(source.text.slice(source.at, source.at + 30))) {
    if (dialect !== 'oniguruma') throw new PatternError('invalid range in character class')
    return folded(setOf(low))
  }
  source.at += 1
  const high = bracketCharacter(source, dialect)
  if (high < low) throw new PatternError('range out of order in character class')
  return folded([low, high])
}

function bracketCharacter(source: PatternSource, dialect: PerlDialect): number {
  if (source.isQuoting || !source.takes('\\')) return source.codePoint()
  if (source.takes('b')) return 8
  return escapedCharacter(source, dialect)
}
