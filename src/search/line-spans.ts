// Where in a line the matches are. Most searches only ask which lines match; this is for those that show the matches themselves.

import { kindEdge } from './dfa/alphabet.ts'
import { createAutomaton } from './dfa/automaton.ts'
import { readCharacter } from './dfa/read-character.ts'
import { firstSpan } from './dfa/spans.ts'
import { parsePattern } from './regex/parse.ts'

export interface MatchSpan {
  /** Byte offsets within the line. */
  readonly start: number
  readonly end: number
}

/** Matches that are looked for in one line. */
const maxSpans = 100_000
/** A line is looked at in one go: whoever needs a pause makes it between lines. */
const workPerStep = Number.MAX_SAFE_INTEGER

/**
 * Finds all matches in the bytes of one line without its ending, from left to right, empty ones left out. `source` must be one that
 * `compilePattern` takes; what that makes of it answers which lines match, and no longer where.
 */
export function createSpanFinder(
  source: string,
  { ignoreCase = false }: { readonly ignoreCase?: boolean } = {},
): (line: Uint8Array) => readonly MatchSpan[] {
  const { node, facts } = parsePattern(source, { ignoreCase })
  const { program, alphabet } = createAutomaton(node, { scope: 'line', seesCarriageReturns: facts.namesCarriageReturn })
  return line => {
    const spans: MatchSpan[] = []
    let from = 0
    let previousKind = kindEdge
    while (from <= line.length && spans.length < maxSpans) {
      const step = firstSpan(program, alphabet, line, from, previousKind, workPerStep).next()
      const span = step.done === true ? step.value : undefined
      if (span === undefined) break
      if (span.end > span.start) {
        spans.push({ start: span.start, end: span.end })
        from = span.end
        previousKind = span.kindBeforeEnd
      } else {
        // Behind an empty match the next one begins a character later.
        if (span.end >= line.length) break
        const character = readCharacter(alphabet, line, span.end)
        from = span.end + character.sizeBytes
        previousKind = alphabet.kindOf(character.classId)
      }
    }
    return spans
  }
}
