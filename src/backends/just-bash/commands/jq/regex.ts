// `test`, `match`, and the functions built on them.

import { ownValue } from '../../../../core/record.ts'
import type { Places } from '../../regex/backtracker.ts'
import { perlRegex } from '../../regex/perl-regex.ts'
import { PatternError, PatternLimitError } from '../../regex/syntax.ts'
import { CodePointOffsets } from './code-point-offsets.ts'
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
        dialect: 'oniguruma',
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
    if (error instanceof PatternError) throw new JqError(`Regex failure: ${ownValue(failures, error.message) ?? error.message}`)
    throw error
  }
}

/** What Oniguruma says instead. */
const failures: Readonly<Record<string, string>> = {
  'missing closing parenthesis': 'end pattern with unmatched parenthesis',
  'unmatched closing parenthesis': 'unmatched close parenthesis',
  'missing terminating ] for character class': 'premature end of char-class',
  'quantifier does not follow a repeatable item': 'target of repeat operator is not specified',
  'numbers out of order in {} quantifier': 'upper is smaller than lower in repeat range',
  '\\ at end of pattern': 'end pattern at escape',
}

/** How many places of a text are tried before the next pause. */
const placesPerPart = 16 * 1024
/** As many of them count as a turn of a loop. */
const placesPerTurn = 256

/** The capture positions of each match. A pattern may also be given as `[pattern, flags]`. */
export function* matches(
  input: Json,
  pattern: Json,
  flags: Json,
  isFirstOnly: boolean,
  isDue: () => boolean,
): Generator<undefined, readonly Places[]> {
  if (Array.isArray(pattern)) {
    const [source, ownFlags] = pattern as readonly Json[]
    return yield* matches(input, source ?? null, ownFlags ?? flags, isFirstOnly, isDue)
  }
  if (typeof input !== 'string') throw new JqError(`${withType(input)} cannot be matched, as it is not a string`)
  if (typeof pattern !== 'string') throw new JqError(`${withType(pattern)} cannot be matched, as it is not a string`)
  const { regex, isGlobal } = prepared(pattern, flags === null ? '' : textOf(flags))
  const found: Places[] = []
  try {
    for (let at = 0; at <= input.length;) {
      const places = yield* firstMatch(regex, input, at, isDue)
      if (places === undefined) break
      found.push(places)
      if (!isGlobal || isFirstOnly) break
      const [start = 0, end = 0] = places
      at = end > start ? end : end + ((input.codePointAt(end) ?? 0) > 0xffff ? 2 : 1)
      if (isDue()) yield
    }
  } catch (error) {
    if (error instanceof PatternLimitError) throw new JqError(error.message)
    throw error
  }
  return found
}

function* firstMatch(
  regex: Prepared['regex'],
  text: string,
  from: number,
  isDue: () => boolean,
): Generator<undefined, Places | undefined> {
  for (let start = from; ;) {
    const end = start + placesPerPart
    const places = regex.exec(text, start, end)
    if (places !== undefined || end > text.length) return places
    // No match begins within a character.
    start = (text.codePointAt(end - 1) ?? 0) > 0xffff ? end + 1 : end
    for (let counted = 0; counted < placesPerPart; counted += placesPerTurn) if (isDue()) yield
  }
}

export function* matchObjects(input: Json, pattern: Json, flags: Json, isDue: () => boolean): Generator<undefined, Json> {
  const text = typeof input === 'string' ? input : ''
  const source = Array.isArray(pattern) ? (pattern[0] as Json) : pattern
  const given = Array.isArray(pattern) ? ((pattern[1] as Json | undefined) ?? flags) : flags
  const found = yield* matches(input, pattern, flags, false, isDue)
  const { regex } = prepared(textOf(source), given === null ? '' : textOf(given))
  const names = new Map([...regex.names].map(([name, group]) => [group, name]))
  const offsets = new CodePointOffsets(text)
  const objects: Json[] = []
  for (const places of found) {
    const captures: Json[] = []
    const whole = partAt(text, places, 0, offsets)
    for (let group = 1; group <= regex.groupCount; group++)
      captures.push(new Map([...partAt(text, places, group, offsets), ['name', names.get(group) ?? null]]))
    objects.push(new Map<string, Json>([...whole, ['captures', captures]]))
    if (isDue()) yield
  }
  return objects
}

function partAt(text: string, places: Places, group: number, offsets: CodePointOffsets): readonly (readonly [string, Json])[] {
  const [start = -1, end = -1] = [places[group * 2], places[group * 2 + 1]]
  const offset = start < 0 ? -1 : offsets.before(start)
  return [
    ['offset', offset],
    ...(start < 0
      ? ([
          ['string', null],
          ['length', 0],
        ] as const)
      : ([
          ['length', offsets.before(end) - offset],
          ['string', text.slice(start, end)],
        ] as const)),
  ]
}
