// Where a long line matches, to show the part around it. Computing the exact places of a whole line takes longer than searching many
// files, so only the bytes around the first completed match are read.

import { Scan } from './dfa/scan.ts'
import type { Span } from './dfa/spans.ts'
import type { Pattern } from './pattern.ts'

/** The bytes before and after the place where the first match is complete: most matches are short. */
const reaches = [
  { before: 512, after: 128 },
  { before: 4096, after: 1024 },
]
const workPerRun = 1_000_000

export type FoundSpan = Pick<Span, 'start' | 'end'>

/** A match in the line `bytes`, usually the first. Its end may be too early if the match is long. `undefined` if there is none. */
export function firstMatchIn(bytes: Uint8Array, pattern: Pattern): FoundSpan | undefined {
  const literal = literalSpan(bytes, pattern)
  if (literal !== undefined) return literal
  const completedAt = pattern.scope === 'line' ? endOfFirst(bytes, pattern) : undefined
  for (const { before, after } of reaches) {
    if (completedAt === undefined) break
    const from = startOfCharacter(bytes, Math.max(0, completedAt - before))
    const to = startOfCharacter(bytes, Math.min(bytes.length, completedAt + after))
    // At the edges, the pattern does not see the characters beside them.
    const isTrue = ({ start, end }: FoundSpan): boolean => (from === 0 || start > from) && (to === bytes.length || end < to)
    const found = spanIn(bytes, from, to, pattern)
    if (found !== undefined && isTrue(found)) return found
  }
  return spanIn(bytes, 0, bytes.length, pattern)
}

/** The first match of an ASCII literal. Other letters have spellings of several lengths, so their end does not determine their start. */
function literalSpan(bytes: Uint8Array, { isLiteral, required }: Pattern): FoundSpan | undefined {
  if (!isLiteral || required === undefined || required.texts.length > 1) return undefined
  const last = required.findEnds(bytes, 0, 0, bytes.length)[0]
  if (last === undefined) return undefined
  const start = last + 1 - required.minBytes
  for (let at = start; at <= last; at++) if ((bytes[at] ?? 0) >= 0x80) return undefined
  return { start, end: last + 1 }
}

/** About where the first match to be complete ends. */
function endOfFirst(bytes: Uint8Array, pattern: Pattern): number | undefined {
  if (pattern.isLiteral) return pattern.required?.findEnds(bytes, 0, 0, bytes.length)[0]
  const scan = new Scan(pattern.automaton(), bytes)
  scan.begin(0)
  while (scan.at < bytes.length) if (scan.run(bytes.length, workPerRun) === 'matched') return scan.at
  return undefined
}

function spanIn(bytes: Uint8Array, from: number, to: number, pattern: Pattern): FoundSpan | undefined {
  let found: FoundSpan | undefined
  const steps = pattern.spans().each(bytes, from, to, span => {
    found = span
    return false
  })
  while (steps.next().done !== true);
  return found
}

function startOfCharacter(bytes: Uint8Array, near: number): number {
  let at = near
  while (at > 0 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at--
  return at
}
