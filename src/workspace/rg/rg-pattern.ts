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
  /**
   * Calls `visit` for each match in the bytes from `start` to `end`, from left to right, until it returns false. Perl's patterns are looked
   * for from `from` on, and see what stands before it.
   */
  readonly each: (
    text: Uint8Array,
    start: number,
    end: number,
    visit: (span: MatchSpan) => boolean,
    from?: number,
  ) => Pauses<void>
}

/** A Perl pattern took too many steps on a text. */
export class MatchLimitError extends Error {}

/**
 * A pattern that asks for the beginning or the end of a line, for texts in which null bytes and line feeds were swapped: the line feeds of
 * the text as it is stored are its lines, and null bytes only end what is searched at once. `pattern` is compiled for stored texts.
 */
export function storedLinesPattern(pattern: Pattern, scope: 'line' | 'text'): RgPattern {
  return onStoredText({ ...linearPattern(pattern), scope, linear: undefined })
}

/** The pattern for texts in which null bytes and line feeds were swapped: it sees them as they are stored. */
export function onStoredText(pattern: RgPattern): RgPattern {
  return {
    ...pattern,
    each: (text, start, end, visit, from) => {
      const stored = swappedNulls(text.subarray(start, end))
      const moved = (place: number): number => (place < 0 ? place : place + start)
      return pattern.each(
        stored,
        0,
        stored.length,
        span => visit({ start: moved(span.start), end: moved(span.end), groups: span.groups.map(moved) }),
        (from ?? start) - start,
      )
    },
  }
}

/** Null bytes and line feeds swapped, so that lines that end in null bytes are ordinary lines. */
export function swappedNulls(text: Uint8Array): Uint8Array {
  return text.map(byte => (byte === 0 ? 10 : byte === 10 ? 0 : byte))
}

export function linearPattern(pattern: Pattern): RgPattern {
  return {
    scope: pattern.scope,
    captureNames: pattern.captureNames,
    linear: pattern,
    each: (text, start, end, visit) => pattern.spans().each(text, start, end, visit),
  }
}
