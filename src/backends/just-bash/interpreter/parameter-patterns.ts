// Expansions that change a value by a pattern: `${x#p}`, `${x%p}` and `${x/p/r}`.

import type { Awaitable } from '../../../shell/files.ts'
import type { Shell } from './shell.ts'
import type { Word } from '../syntax/tree.ts'
import { Fields } from './fields.ts'
import { expandParts } from './expand.ts'
import { compilePattern, patternSource } from './pattern.ts'
import { shellPace } from './pace.ts'
import { joinInParts, type Pace, unitsPerItem } from '../commands/pace.ts'

/** A replacement text. `undefined` marks an unquoted `&`, which is the matched text (`patsub_replacement`). */
type Replacement = string | readonly (string | undefined)[]

export async function replacementOf(shell: Shell, word: Word): Promise<Replacement> {
  if (word.literal !== undefined && !word.literal.includes('&')) return word.literal
  const fields = new Fields({ ifs: undefined, isExtendedGlob: false })
  await expandParts(shell, word.parts, fields, 'assignment')
  const { text, pattern } = fields.single()
  if (!shell.hasShopt('patsub_replacement') || !text.includes('&')) return text
  const pieces: (string | undefined)[] = []
  let piece = ''
  // `pattern` does not distinguish quoted from unquoted `&`, so quoted parts are handled here.
  for (const unit of await replacementUnits(shell, word, pattern)) {
    if (unit === undefined) {
      pieces.push(piece, undefined)
      piece = ''
    } else piece += unit
  }
  pieces.push(piece)
  return pieces
}

async function replacementUnits(shell: Shell, word: Word, _pattern: string): Promise<(string | undefined)[]> {
  const units: (string | undefined)[] = []
  for (const part of word.parts) {
    const fields = new Fields({ ifs: undefined, isExtendedGlob: false })
    await expandParts(shell, [part], fields, 'assignment')
    const { text } = fields.single()
    if (part.type === 'quoted' || part.type === 'double') units.push(text)
    else for (const piece of text.split(/(\\&|&)/)) units.push(piece === '&' ? undefined : piece === '\\&' ? '&' : piece)
  }
  return units
}

/** Which matches `${v/…/…}` replaces. */
type Where = 'first' | 'all' | 'prefix' | 'suffix'

export function replaced(replacement: Replacement, match: string): string {
  return typeof replacement === 'string' ? replacement : replacement.map(piece => piece ?? match).join('')
}

export async function replace(
  shell: Shell,
  text: string,
  pattern: string,
  where: Where,
  replacement: Replacement,
  options: { readonly isExtended: boolean; readonly ignoresCase: boolean },
): Promise<string> {
  if (pattern === '')
    return where === 'prefix' ? replaced(replacement, '') + text : where === 'suffix' ? text + replaced(replacement, '') : text
  // In an empty text, bash matches only a pattern that begins with a star.
  if (text === '' && where !== 'suffix' && !pattern.startsWith('*')) return text
  const pace = shellPace(shell)
  if (options.isExtended && /!\(|[?*+@]\([^]*\|/.test(pattern))
    return replaceByTrying(text, pattern, where, replacement, options, pace)
  const find = finder(pattern, options, where)
  const pieces: string[] = []
  let at = 0
  for (let match = find(text, 0); match !== null;) {
    const [found] = match
    // An empty match is replaced, except at the end of a text that is not empty.
    const isDropped = where === 'all' && found === '' && text !== '' && match.index === text.length
    pieces.push(text.slice(at, match.index), isDropped ? '' : replaced(replacement, found))
    if (pace.isDue(match.index + found.length - at + unitsPerItem)) await pace.rest()
    at = match.index + found.length
    if (where !== 'all') break
    match = find(text, found === '' ? at + String.fromCodePoint(text.codePointAt(at) ?? 0).length : at)
  }
  pieces.push(text.slice(at))
  return joinInParts(pieces, '', pace)
}

/**
 * Finds the first match from an index on. In a pattern with a star, what is before the star needs to be found only once: if the rest does
 * not match behind it, it matches nowhere. So a search takes no more time than the text is long.
 */
function finder(
  pattern: string,
  options: { readonly isExtended: boolean; readonly ignoresCase?: boolean },
  where: Where,
): (text: string, from: number) => RegExpExecArray | null {
  const { source, head } = patternSource(pattern, options)
  const anchored = where === 'prefix' ? `^(?:${source})` : where === 'suffix' ? `(?:${source})$` : source
  const { source: whole, flags } = compilePattern(pattern, options, () => anchored)
  const start = head === undefined || where === 'prefix' ? undefined : new RegExp(head, `${flags}g`)
  const expression = new RegExp(whole, `${flags}${start === undefined ? 'g' : 'y'}`)
  return (text, from) => {
    let at = from
    if (start !== undefined) {
      start.lastIndex = from
      const found = start.exec(text)
      if (found === null) return null
      at = found.index
    }
    expression.lastIndex = at
    return expression.exec(text)
  }
}

/**
 * Tries each end, the longest first. Alternatives and negations can match texts of different lengths, for which one regular
 * expression is not sufficient.
 */
async function replaceByTrying(
  text: string,
  pattern: string,
  where: Where,
  replacement: Replacement,
  options: { readonly isExtended: boolean; readonly ignoresCase: boolean },
  pace: Pace,
): Promise<string> {
  const expression = compilePattern(pattern, options)
  const matches = (from: number, to: number): boolean => expression.test(text.slice(from, to))
  if (where === 'suffix') {
    for (let from = 0; from <= text.length; from++) {
      if (matches(from, text.length)) return text.slice(0, from) + replaced(replacement, text.slice(from))
      if (pace.isDue(text.length - from + unitsPerItem)) await pace.rest()
    }
    return text
  }
  let result = ''
  let from = 0
  do {
    const end = await longestEnd(text, from, matches, pace)
    if (end === undefined) {
      if (where === 'prefix') break
      result += text.charAt(from)
      from += 1
      continue
    }
    result += replaced(replacement, text.slice(from, end))
    const isEmpty = end === from
    from = end
    if (where !== 'all') break
    if (isEmpty) {
      result += text.charAt(from)
      from += 1
    }
  } while (from < text.length)
  return result + text.slice(from)
}

async function longestEnd(
  text: string,
  from: number,
  matches: (from: number, to: number) => boolean,
  pace: Pace,
): Promise<number | undefined> {
  for (let end = text.length; end >= from; end--) {
    if (matches(from, end)) return end
    if (pace.isDue(end - from + unitsPerItem)) await pace.rest()
  }
  return undefined
}

export function remove(
  shell: Shell,
  text: string,
  pattern: string,
  { side, isLongest }: { readonly side: 'prefix' | 'suffix'; readonly isLongest: boolean },
  isExtended: boolean,
): Awaitable<string> {
  if (pattern === '') return text
  const options = { isExtended }
  if (isExtended && /[?*+@!]\(/.test(pattern)) return removeByTrying(text, pattern, side, isLongest, shellPace(shell))
  if (side === 'suffix' && isLongest) {
    const found = finder(pattern, options, side)(text, 0)
    return found === null ? text : text.slice(0, found.index)
  }
  const { source, tail } = patternSource(pattern, options, !isLongest)
  if (side === 'prefix')
    return text.replace(
      compilePattern(pattern, options, () => `^(?:${source})`),
      '',
    )
  // Without this, each place where the pattern can begin would be tried.
  if (tail !== undefined && !compilePattern(pattern, options, () => `(?:${tail})$`).test(text)) return text
  return text.replace(
    compilePattern(pattern, options, () => `^(.*)(?:${source})$`),
    '$1',
  )
}

/** Tries each end, because alternatives can match texts of different lengths. */
async function removeByTrying(
  text: string,
  pattern: string,
  side: 'prefix' | 'suffix',
  isLongest: boolean,
  pace: Pace,
): Promise<string> {
  const expression = compilePattern(pattern, { isExtended: true })
  const lengths = Array.from({ length: text.length + 1 }, (_, length) => length)
  for (const length of isLongest ? lengths.reverse() : lengths) {
    const candidate = side === 'prefix' ? text.slice(0, length) : text.slice(text.length - length)
    if (expression.test(candidate)) return side === 'prefix' ? text.slice(length) : text.slice(0, text.length - length)
    if (pace.isDue(length + unitsPerItem)) await pace.rest()
  }
  return text
}
