// `-P`: Perl's syntax with look-around and back-references, by the shell's bounded backtracker. Loaded on first use.

import { parsePerl } from '../../backends/just-bash/regex/parse-perl.ts'
import { firstWayRegex, type PerlRegex } from '../../backends/just-bash/regex/perl-regex.ts'
import { PatternError, PatternLimitError } from '../../backends/just-bash/regex/syntax.ts'
import { decodeText, encodeText } from '../../shell/byte-text.ts'
import type { MatchSpan } from './found.ts'
import type { RgOptions } from './options.ts'
import { MatchLimitError, type RgPattern } from './rg-pattern.ts'
import { textOfBytes } from './text-of-file.ts'

/** Matches between two pauses of a search through a whole text. */
const matchesPerPause = 256

/** Returns what is wrong as a sentence, if anything is. */
export function compilePerl(sources: readonly string[], options: RgOptions): RgPattern | string {
  // Without Unicode, each byte is a character, in the pattern and in the text.
  const textOf = options.unicode ? decodeText : textOfBytes
  try {
    const parsed = parsePerl(textOf(encodeText(whole(sources, options))), {
      dialect: options.unicode ? 'ripgrep' : 'ripgrep-bytes',
      ignoresCase: options.caseMode === 'insensitive' || (options.caseMode === 'smart' && isSmall(sources, options)),
      dotMatchesNewline: options.multiline && options.multilineDotall,
      isMultiline: true,
      isCrlf: options.crlf,
    })
    const captureNames: (string | undefined)[] = Array.from({ length: parsed.groupCount }, () => undefined)
    for (const [name, index] of parsed.names) captureNames[index - 1] = name
    const regex = firstWayRegex(parsed)
    return {
      scope: options.multiline ? 'text' : 'line',
      captureNames,
      linear: undefined,
      each: (text, start, end, visit, from = start) => {
        const before = textOf(text.subarray(start, from))
        const subject = before + textOf(text.subarray(from, end))
        return matchesOf(regex, subject, { sizeBytes: end - start, base: start, from: before.length }, visit)
      },
    }
  } catch (error) {
    if (error instanceof PatternError) return `PCRE2: error compiling pattern: ${error.message}`
    throw error
  }
}

function whole(sources: readonly string[], { fixedStrings, boundary }: RgOptions): string {
  const parts = sources.map(source => (fixedStrings ? source.replaceAll(/[\\^$.*+?()[\]{}|#-]/g, '\\$&') : source))
  // An empty list of patterns matches nothing.
  if (parts.length === 0) return '(?!)'
  const any = parts.map(part => `(?:${part})`).join('|')
  if (boundary === undefined) return any
  return boundary === 'line' ? `^(?:${any})$` : `(?<!\\w)(?:${any})(?!\\w)`
}

/** Whether no pattern has a capital letter. As in ripgrep, a letter behind a backslash does not count. */
function isSmall(sources: readonly string[], { fixedStrings }: RgOptions): boolean {
  return !sources.some(source => /\p{Uppercase}/u.test(fixedStrings ? source : source.replaceAll(/\\./gsu, '')))
}

function* matchesOf(
  regex: PerlRegex,
  text: string,
  { sizeBytes, base, from: first }: { readonly sizeBytes: number; readonly base: number; readonly from: number },
  visit: (span: MatchSpan) => boolean,
): Generator<undefined, void, undefined> {
  const offsetOf = offsets(text, sizeBytes)
  const show = (places: readonly number[], byteOf: (place: number) => number): boolean => {
    const groups = places.map(place => (place < 0 ? -1 : base + byteOf(place)))
    return visit({ start: groups[0] ?? 0, end: groups[1] ?? 0, groups })
  }
  let lastEnd = -1
  let count = 0
  for (let from = first; from <= text.length;) {
    const places = bounded(regex, text, from)
    if (places === undefined) return
    const [start = 0, end = 0] = places
    // An empty match is never beside the previous match.
    if ((start !== end || start !== lastEnd) && !show(places, offsetOf)) return
    lastEnd = end
    from = end
    if (start === end) {
      from = next(text, end)
      const inside = matchesInside(regex, text, end, offsetOf)
      for (const [found, byteOf] of inside) if (!show(found, byteOf)) return
    }
    if (++count % matchesPerPause === 0) yield
  }
}

/** Empty matches between the bytes of the character at `at`. */
function* matchesInside(
  regex: PerlRegex,
  text: string,
  at: number,
  offsetOf: (at: number) => number,
): Generator<readonly [places: readonly number[], byteOf: (place: number) => number], void, undefined> {
  const behind = next(text, at)
  const count = at < text.length ? offsetOf(behind) - offsetOf(at) : 1
  if (count === 1) return
  const broken = text.slice(0, at) + '\udc80'.repeat(count) + text.slice(behind)
  const byteOf = (place: number): number =>
    place <= at ? offsetOf(place) : place < at + count ? offsetOf(at) + place - at : offsetOf(place - count + behind - at)
  for (let inside = at + 1; inside < at + count; inside++) {
    const places = bounded(regex, broken, inside, inside + 1)
    if (places === undefined) return
    yield [places, byteOf]
  }
}

function bounded(regex: PerlRegex, text: string, from: number, to?: number): ReturnType<PerlRegex['exec']> {
  try {
    return regex.exec(text, from, to)
  } catch (error) {
    if (!(error instanceof PatternLimitError)) throw error
    throw new MatchLimitError('PCRE2: error matching: match limit exceeded; write the pattern with fewer nested repetitions')
  }
}

function next(text: string, at: number): number {
  return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)
}

/** From places in `text` to places in its bytes. */
function offsets(text: string, sizeBytes: number): (at: number) => number {
  if (text.length === sizeBytes) return at => at
  const table = new Uint32Array(text.length + 1)
  let size = 0
  for (let at = 0; at < text.length;) {
    const to = next(text, at)
    table.fill(size, at, to)
    size += encodeText(text.slice(at, to)).length
    at = to
  }
  table[text.length] = size
  return at => table[at] ?? size
}
