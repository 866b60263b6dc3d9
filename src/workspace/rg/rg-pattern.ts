// The pattern of a search: of the linear engine, or in Perl's syntax, which backtracks within a limit.

import type { Pattern } from '../../search/pattern.ts'
import type { MatchSpan, Pauses } from './found.ts'

export interface RgPattern {
  /** Matches of a `text` pattern may span lines. */
  readonly scope: 'line' | 'text'
  /** Names of the capturing groups, by index minus 1. */
  readonly captureNames: readonly (string | undefined)[]
  /** The pattern for the index and for the search of whole lines. `undefined`: lines are tried one by one. */
  readonly linear: Pattern | undefined
  /** Calls `visit` for each match in the bytes from `start` to `end`, from left to right, until it returns false. */
  readonly each: (text: Uint8Array, start: number, end: number, visit: (span: MatchSpan) => boolean) => Pauses<void>
}

/** A Perl pattern took too many steps on a text. */
export class MatchLimitError extends Error {}

export function linearPattern(pattern: Pattern): RgPattern {
  return {
    scope: pattern.scope,
    captureNames: pattern.captureNames,
    linear: pattern,
    each: (text, start, end, visit) => pattern.spans().each(text, start, end, visit),
  }
}
