// A regular expression from a model, made into something that cannot stall: an automaton that takes one look at each character decides,
// and what a byte search can rule out or answer never reaches it.

import { type Automaton, createAutomaton } from './dfa/automaton.ts'
import { sizeOf } from './dfa/program.ts'
import { windowFinder } from './class-window.ts'
import { firstPlacesOf } from './dfa/first-places.ts'
import { literalFinder, type LiteralFinder, type PlaceFinder } from './literal.ts'
import { PatternError } from './regex/cursor.ts'
import { parsePattern } from './regex/parse.ts'
import { simplifyForLines } from './regex/simplify.ts'
import type { Node } from './regex/syntax.ts'
import { type Need, requiredLiterals } from './required.ts'

/** A compiled pattern, for `searchBytes`. It may be used for many searches at once: what it remembers are only shortcuts. */
export interface Pattern {
  readonly source: string
  /** A sentence for the model on what was taken otherwise than written: literal braces and parentheses. */
  readonly note: string | undefined
  /** A `text` pattern names a line break, so its matches may span lines. */
  readonly scope: 'line' | 'text'
  /** `\r` is matched as a character instead of being taken for part of a line's end. */
  readonly seesCarriageReturns: boolean
  /** A matching line holds at least one of these. `undefined`: nothing is known, or nothing worth looking for. */
  readonly required: LiteralFinder | undefined
  /** More on what a matching line, or with scope `text` the file, holds: for an index. */
  readonly need: FoldedNeed | undefined
  /** A line that holds one of `required` does match. */
  readonly isLiteral: boolean
  /** Finds where a match may begin, if its first characters are told apart well enough. Made when it is first asked for. */
  readonly skipper: () => PlaceFinder | undefined
  /** Made when it is first asked for. */
  readonly automaton: () => Automaton
}

export interface FoldedNeed {
  readonly need: Need
  /** Without regard to the case of ASCII letters. */
  readonly isFolded: boolean
}

export type CompiledPattern =
  | { readonly kind: 'pattern'; readonly pattern: Pattern }
  /** `message` says what is wrong and what to write instead; `offset` is in code points, 0-based. */
  | { readonly kind: 'error'; readonly message: string; readonly offset?: number }

/** Instructions of a pattern's program, once its counted repetitions are written out. ripgrep has such a limit too. */
export const maxProgramSize = 8_000

/**
 * Compiles Rust-flavoured syntax, as ripgrep has it (docs/search.md): Unicode classes, inline flags, `^` and `$` at each line,
 * neither look-around nor back-references.
 */
export function compilePattern(source: string, options: { readonly ignoreCase?: boolean } = {}): CompiledPattern {
  if (source === '') return { kind: 'error', message: 'The pattern is empty; give the text or regular expression to search for.' }
  try {
    const { node: written, facts } = parsePattern(source, { ignoreCase: options.ignoreCase ?? false })
    const scope = facts.namesNewline ? 'text' : 'line'
    // Which lines a match spans depends on where it begins and ends.
    const node = scope === 'line' ? simplifyForLines(written) : written
    if (sizeOf(node) > maxProgramSize) throw tooLarge()
    const literals = requiredLiterals(node)
    const required = literals && literals.texts.length > 0 ? literalFinder(literals.texts, literals.isFolded) : undefined
    let automaton: Automaton | undefined
    let skipper: { readonly finder: PlaceFinder | undefined } | undefined
    const pattern: Pattern = {
      source,
      note: noteOf([...facts.notes]),
      scope,
      seesCarriageReturns: facts.namesCarriageReturn,
      required,
      need: literals && { need: literals.need, isFolded: literals.isFolded },
      isLiteral: scope === 'line' && literals?.isWhole === true && required?.isExact === true && !facts.namesCarriageReturn,
      skipper: () => (skipper ??= { finder: skipperOf(node) }).finder,
      automaton: () => (automaton ??= createAutomaton(node, { scope, seesCarriageReturns: facts.namesCarriageReturn })),
    }
    return { kind: 'pattern', pattern }
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    return { kind: 'error', message: `Regex error at character ${error.offset + 1}: ${error.message}.`, offset: error.offset }
  }
}

function skipperOf(node: Node): PlaceFinder | undefined {
  const places = firstPlacesOf(node)
  return places.length === 0 ? undefined : windowFinder(places)
}

function tooLarge(): PatternError {
  return new PatternError(
    0,
    'the pattern is too large once its counted repetitions are written out; use smaller counts, `*` or `+`',
  )
}

function noteOf(notes: readonly string[]): string | undefined {
  return notes.length === 0 ? undefined : `In the pattern, ${notes.join(' and ')}.`
}
