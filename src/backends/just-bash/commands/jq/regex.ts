// `test`, `match`, and the functions built on them.

import type { Places } from '../../regex/backtracker.ts'
import { perlRegex } from '../../regex/perl-regex.ts'
import { PatternError, PatternLimitError } from '../../regex/syntax.ts'
import type { Json } from './json.ts'
import { JqError, textOf, withType } from './values.ts'

interface Prepared {
  readonly regex: ReturnType<typeof perlRegex>
  readonly isGlobal: boolean
}

const cache = new Map<string, Prepared>()

function prepared(pattern: string, flags: string): Prepared {
  const key = `${flags}/${pattern}`
  const known = cache.get(key)
  if (known !== undefined) return known
  if (/[^gimnpslx]/.test(flags)) throw new JqError(`${flags} is not a valid modifier string`)
  try {
    const made = {
      // Oniguruma's Perl syntax: both `s` and `p` let a dot match newlines; `^` and `$` match at every line.
      regex: perlRegex(pattern, {
        ignoresCase: flags.includes('i'),
        dotMatchesNewline: /[sp]/.test(flags),
        isExtended: flags.includes('x'),
        isMultiline: true,
      }),
      isGlobal: flags.includes('g'),
    }
    if (cache.size > 200) cache.clear()
    cache.set(key, made)
    return made
  } catch (error) {
    if (error instanceof PatternError) throw new JqError(`${pattern} (at offset 0) is not a valid regex: ${error.message}`)
    throw error
  }
}

/** The capture positions of each match. A pattern may also be given as `[pattern, flags]`. */
export function matches(input: Json, pattern: Json, flags: Json, isFirstOnly: boolean): readonly Places[] {
  if (Array.isArray(pattern))
    return matches(input, (pattern[0] as Json | undefined) ?? null, (pattern[1] as Json | undefined) ?? flags, isFirstOnly)
  if (typeof input !== 'string') throw new JqError(`${withType(input)} cannot be matched, as it is not a string`)
  if (typeof pattern !== 'string') throw new JqError(`${withType(pattern)} cannot be matched, as it is not a string`)
  const { regex, isGlobal } = prepared(pattern, flags === null ? '' : textOf(flags))
  const found: Places[] = []
  try {
    for (let at = 0; at <= input.length;) {
      const places = regex.exec(input, at)
      if (places === undefined) break
      found.push(places)
      if (!isGlobal || isFirstOnly) break
      const [start = 0, end = 0] = places
      at = end > start ? end : end + ((input.codePointAt(end) ?? 0) > 0xffff ? 2 : 1)
    }
  } catch (error) {
    if (error instanceof PatternLimitError) throw new JqError(error.message)
    throw error
  }
  return found
}

export function matchObjects(input: Json, pattern: Json, flags: Json): Json {
  const text = typeof input === 'string' ? input : ''
  const offset = (at: number): number => Array.from(text.slice(0, at)).length
  const source = Array.isArray(pattern) ? (pattern[0] as Json) : pattern
  const given = Array.isArray(pattern) ? ((pattern[1] as Json | undefined) ?? flags) : flags
  return matches(input, pattern, flags, false).map(places => {
    const { regex } = prepared(textOf(source), given === null ? '' : textOf(given))
    const part = (group: number): readonly [Json, Json, Json] => {
      const [start = -1, end = -1] = [places[group * 2], places[group * 2 + 1]]
      if (start < 0) return [-1, 0, null]
      return [offset(start), offset(end) - offset(start), text.slice(start, end)]
    }
    const [from, length, string] = part(0)
    const captures = Array.from({ length: regex.groupCount }, (_, index): Json => {
      const [at, size, found] = part(index + 1)
      const name = [...regex.names].find(([, group]) => group === index + 1)?.[0] ?? null
      return new Map<string, Json>([
        ['offset', at],
        ['length', size],
        ['string', found],
        ['name', name],
      ])
    })
    return new Map<string, Json>([
      ['offset', from],
      ['length', length],
      ['string', string],
      ['captures', captures],
    ])
  })
}
