// A regular expression from a model, made into something that cannot stall: only linear-time engines decide, and what a byte search
// can rule out or answer never reaches them.

import { literalFinder, type LiteralFinder } from './literal.ts'
import { requiredLiterals } from './required.ts'
import { PatternError } from './regex/cursor.ts'
import { createEngine, type Engine } from './regex/engine.ts'
import { parsePattern } from './regex/parse.ts'
import { type Traits, traitsOf } from './regex/print.ts'

/** A compiled pattern, for `searchBytes`. It holds no state of a search and may be used for many at once. */
export interface Pattern {
  readonly source: string
  /** A sentence for the model on what was taken otherwise than written: literal braces and parentheses. */
  readonly note: string | undefined
  /** A `text` pattern names a line break, so its matches may span lines. */
  readonly scope: 'line' | 'text'
  /** `\r` is matched as a character instead of being taken for part of a line's end. */
  readonly seesCarriageReturns: boolean
  /** A matching line holds at least one of these. `undefined`: nothing is known. */
  readonly required: readonly LiteralFinder[] | undefined
  readonly decider: Decider
}

export type Decider =
  /** A line that holds a required literal matches. */
  | { readonly kind: 'literal'; readonly texts: readonly string[] }
  /** `joins`: whether asking about several lines at once tells if any of them matches, in files with such line endings. */
  | {
      readonly kind: 'engine'
      readonly engine: Engine
      readonly joins: 'never' | 'without-carriage-returns' | 'with-carriage-returns'
      readonly programSize: number
    }

export type CompiledPattern =
  | { readonly kind: 'pattern'; readonly pattern: Pattern }
  /** `message` says what is wrong and what to write instead; `offset` is in code points, 0-based. */
  | { readonly kind: 'error'; readonly message: string; readonly offset?: number }

/**
 * Compiles Rust-flavoured syntax, as ripgrep has it (search spec §8): Unicode classes, inline flags, `^` and `$` at each line,
 * neither look-around nor back-references. Loads the engine only when the pattern is more than literals.
 */
export async function compilePattern(source: string, options: { readonly ignoreCase?: boolean } = {}): Promise<CompiledPattern> {
  if (source === '') return { kind: 'error', message: 'The pattern is empty; give the text or regular expression to search for.' }
  try {
    const { node, facts } = parsePattern(source, { ignoreCase: options.ignoreCase ?? false })
    const literals = requiredLiterals(node)
    const scope = facts.namesNewline ? 'text' : 'line'
    const isLiteral = scope === 'line' && literals?.isWhole === true && !facts.namesCarriageReturn
    const traits = traitsOf(node)
    const pattern: Pattern = {
      source,
      note: noteOf([...facts.notes]),
      scope,
      seesCarriageReturns: facts.namesCarriageReturn,
      // A text pattern's literal may hold a line break, which the file may spell with two bytes.
      required: literals?.texts.some(text => /[\r\n]/.test(text))
        ? undefined
        : literals?.texts.map(text => literalFinder(text, literals.isFolded)),
      decider:
        isLiteral && literals !== undefined
          ? { kind: 'literal', texts: literals.texts }
          : {
              kind: 'engine',
              engine: await createEngine(node, traits, scope === 'text'),
              joins: joinsOf(traits, facts.namesCarriageReturn),
              programSize: traits.size,
            },
    }
    return { kind: 'pattern', pattern }
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    return { kind: 'error', message: `Regex error at character ${error.offset + 1}: ${error.message}.`, offset: error.offset }
  }
}

function joinsOf(traits: Traits, seesCarriageReturns: boolean): Extract<Decider, { kind: 'engine' }>['joins'] {
  if (traits.hasTextAssertion || seesCarriageReturns) return 'never'
  return traits.hasLineEnd ? 'without-carriage-returns' : 'with-carriage-returns'
}

function noteOf(notes: readonly string[]): string | undefined {
  return notes.length === 0 ? undefined : `In the pattern, ${notes.join(' and ')}.`
}
