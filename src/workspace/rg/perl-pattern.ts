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
      ignoresCase: options.caseMode === 'insensitive' || (options.caseMode === 'smart' && isSmall(sources, options)),
      dotMatchesNewline: options.multiline && options.multilineDotall,
      isMultiline: true,
      isAscii: !options.unicode,
      isBytes: !options.unicode,
      isCrlf: options.multiline && options.crlf,
    })
    const captureNames: (string | undefined)[] = Array.from({ length: parsed.groupCount }, () => undefined)
    for (const [name, index] of parsed.names) captureNames[index - 1] = name
    const regex = firstWayRegex(parsed)
    return {
      scope: options.multiline ? 'text' : 'line',
      captureNames,
      linear: undefined,
      each: (text, start, end, visit) =>
        matchesOf(regex, textOf(text.subarray(start, end)), { sizeBytes: end - start, base: start }, visit),
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
  const any = parts.length === 1 ? (parts[0] ?? '') : parts.map(part => `(?:${part})`).join('|')
  if (boundary === undefined) return any
  return boundary === 'line' ? `^(?:${any})$` : `(?<!\\w)(?:${any})(?!\\w)`
}

/** Whether the patterns have literal letters and none of them is a capital. Escapes are not literals. */
function isSmall(sources: readonly string[], { fixedStrings }: RgOptions): boolean {
  const literals = sources
    .map(source => (fixedStrings ? source : source.replaceAll(/\\(?:[pP]\{[^}]*\}|x\{[^}]*\}|.)/gsu, '')))
    .join('')
  return /\p{L}/u.test(literals) && !/\p{Lu}/u.test(literals)
}

function* matchesOf(
  regex: PerlRegex,
  text: string,
  { sizeBytes, base }: { readonly sizeBytes: number; readonly base: number },
  visit: (span: MatchSpan) => boolean,
): Generator<undefined, void, undefined> {
  const offsetOf = offsets(text, sizeBytes)
  let lastEnd = -1
  let count = 0
  for (let from = 0; from <= text.length;) {
    const places = bounded(regex, text, from)
    if (places === undefined) return
    const [start = 0, end = 0] = places
    // An empty match is never beside the previous match.
    if (start === end && start === lastEnd) {
      from = next(text, start)
      continue
    }
    const groups = places.map(place => (place < 0 ? -1 : base + offsetOf(place)))
    if (!visit({ start: groups[0] ?? 0, end: groups[1] ?? 0, groups })) return
    lastEnd = end
    from = end > start ? end : next(text, end)
    if (++count % matchesPerPause === 0) yield
  }
}

function bounded(regex: PerlRegex, text: string, from: number): ReturnType<PerlRegex['exec']> {
  try {
    return regex.exec(text, from)
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
